"""Lines inside lines: JSON records and escaped strings, opened until none is left.

Docker wraps a line that structlog wrapped, which quotes a traceback: each layer is opened, and what comes out
loses its prefixes like any line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.backslashes import has_breaks, open_strings
from kb.diagnose.clean.characters import tidy
from kb.diagnose.clean.escapes import take_out_escapes
from kb.diagnose.clean.json_lines import is_json, open_envelope
from kb.diagnose.clean.json_records import Records
from kb.diagnose.clean.logfmt import open_pairs
from kb.diagnose.clean.prefixes import Processes, strip_prefix
from kb.diagnose.clean.text import Line

DEEPEST = 5
_BRACE = re.compile(r'\{(?:"| "|[\n\r])')
LONGEST_INDENT = 40  # characters before the brace of a record over several lines


def has_envelopes(text: str) -> bool:
    """Whether a paste may have lines inside lines."""
    return (
        _BRACE.search(text) is not None
        or ("\\" in text and "\\n" in text)
        or ("#" in text and "#012" in text)
        or "msg=" in text
    )


def open_envelopes(lines: Sequence[Line]) -> list[Line]:
    """Lines with what they wrap in their place."""
    processes: Processes = {}
    opened: list[Line] = []
    records = Records(lines)
    at = 0
    while at < len(lines):
        line, behind = lines[at], at + 1
        inner = None
        if "{" in line.text[:LONGEST_INDENT] and (record := records.joined(at)) is not None:
            inner = open_envelope(record[0])
            behind = record[1] if inner is not None else behind
        inner = inner or _open(line)
        if inner is None:
            opened.append(line)
        else:
            opened += _opened(inner, processes)
        at = behind
    return opened


def _opened(lines: list[Line], processes: Processes) -> list[Line]:
    """What came out of an envelope, with the envelopes in it opened too."""
    for _ in range(DEEPEST):
        if any("\x1b" in line.text or "\b" in line.text for line in lines):
            lines = take_out_escapes(lines)
        lines = [strip_prefix(tidy(line), processes) for line in lines]
        opened = [_open(line) for line in lines]
        if all(inner is None for inner in opened):
            break
        lines = [
            line
            for outer, inner in zip(lines, opened, strict=True)
            for line in ([outer] if inner is None else inner)
        ]
    return lines


def _open(line: Line) -> list[Line] | None:
    text = line.text
    if is_json(text) and (carried := open_envelope(line)) is not None:
        return carried
    if "msg=" in text and (carried := open_pairs(line)) is not None:
        return carried
    return open_strings(line) if ("\\" in text or "#" in text) and has_breaks(text) else None
