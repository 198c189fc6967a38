"""Long lines that a container's runtime wrote in parts, put together again.

containerd marks each part but the last with P: `2026-01-15T10:00:00Z stderr P Runtime`, `... stderr F Error`.
Docker's json-file writes 16 KB to a record, and only the last of them has the line's end. Other streams write
in between.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.json_members import read_object
from kb.diagnose.clean.origin import join, part
from kb.diagnose.clean.split import LONGEST_LINE
from kb.diagnose.clean.text import Line

# What stands before containerd's time is an outer prefix: parts of one line have it in common.
_CONTAINERD = re.compile(
    r"(?P<outer>.{0,200}?)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.?\d*(?:Z|[+-]\d\d:\d\d) (?P<stream>std(?:out|err)) "
    r"(?P<tag>[FP])(?: |$)"
)
_PARTIAL = re.compile(r" std(?:out|err) P ")
_RECORD = re.compile(r'(?P<outer>[^{]{0,200})\{"log": ?"')
DOCKER = 16_384  # octets of the line in a record: escapes make it longer
_Key = tuple[str, str]


def has_parts(text: str) -> bool:
    """Whether a paste may have lines in parts."""
    marked = " P " in text and _PARTIAL.search(text) is not None
    return marked or (len(text) > DOCKER and "{" in text and '{"log":' in text)


def join_parts(lines: Sequence[Line]) -> list[Line]:
    """Lines with the parts of each together, where the first of them stands."""
    whole: list[list[Line]] = []
    begun: dict[_Key, tuple[int, int]] = {}  # where in `whole` a line is that goes on, and its length
    for line in lines:
        found = _containerd(line)
        if found is None and (begun or len(line.text) > DOCKER):
            found = _docker(line)
        if found is None:
            whole.append([line])
            continue
        key, head, rest, goes_on = found
        at, length = begun.pop(key, (len(whole), 0))
        if at == len(whole):
            whole.append([head if goes_on else line])
        elif length < LONGEST_LINE:
            whole[at].append(rest)
        if goes_on:
            begun[key] = at, length + len(rest.text)
    return [join(group) if len(group) > 1 else group[0] for group in whole]


def _containerd(line: Line) -> tuple[_Key, Line, Line, bool] | None:
    """Who writes, the line as the first part, as a later part, and whether it goes on."""
    match = _CONTAINERD.match(line.text) if " std" in line.text else None
    if match is None:
        return None
    return (match["outer"], match["stream"]), line, part(line, match.end()), match["tag"] == "P"


def _docker(line: Line) -> tuple[_Key, Line, Line, bool] | None:
    match = _RECORD.match(line.text)
    found = read_object(line.text, match.end("outer")) if match is not None else None
    if match is None or found is None:
        return None
    values = {member.path[-1]: member for member in found.members}
    log, stream = values.get("log"), values.get("stream")
    if log is None or stream is None:
        return None
    goes_on = log.end - log.start >= DOCKER and not line.text.endswith("\\n", log.start, log.end)
    key = match["outer"], line.text[stream.start : stream.end]
    # The last part keeps the rest of its record: the time stands there.
    rest = part(line, log.start, log.end if goes_on else None)
    return key, part(line, 0, log.end), rest, goes_on
