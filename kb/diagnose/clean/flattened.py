"""A whole traceback on one line: chats, forms and tables of logs made blanks of its line ends.

`Traceback (most recent call last): File "a.py", line 1, in f g() ValueError: no` is cut before each frame,
before the class at its end, before the words that join a chain, and before the prefixes of further records.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import edit, part
from kb.diagnose.clean.prefixes import Processes, strip_prefix
from kb.diagnose.clean.signs import STAMP, WRITER
from kb.diagnose.clean.text import Line

# The end of a frame, and its source behind it.
_FRAME = re.compile(r'", line \d{1,7}, in [^\s"]{1,200}[ \t]+\S')
_HEADER = "Traceback (most recent call last):"
_STARTS = re.compile(
    rf"""(?:(?<=\s)|^)(?:
        (?P<header>Traceback\ \(most\ recent\ call\ last\):)
      | (?P<frame>File\ "[^"]{{1,500}}",\ line\ \d{{1,7}},\ in\ [^\s"]{{1,200}})
      | (?:During\ handling\ of\ the\ above\ exc|The\ above\ exception\ was\ )
      | (?P<record>(?:(?:{WRITER})\ ){{1,4}}(?:{STAMP})? | (?:{STAMP}))
    )""",
    re.VERBOSE,
)
# ValueError: ..., and a class of any name in a module: torch._inductor.exc.TritonMissing: ...
_CLASS = re.compile(
    r"(?:(?<=\s)|^)(?:"
    r"(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Za-z_]\w{0,60}(?:Error|Exception|Interrupt|Exit)(?=: |\s*$)"
    r"|(?:[a-z_]\w{0,60}\.){2,8}[A-Z]\w{0,60}(?=: ))"
)


def has_flattened(text: str) -> bool:
    """Whether a paste has a frame with its source, or a header with a frame, on one line."""
    return 'File "' in text and _FRAME.search(text) is not None


def unflatten(lines: Sequence[Line]) -> list[Line]:
    """Lines with the parts of such tracebacks on lines of their own."""
    processes: Processes = {}
    return [
        each for line in lines for each in (_cut(line, processes) if has_flattened(line.text) else [line])
    ]


def _cut(line: Line, processes: Processes) -> list[Line]:
    text = line.text
    lines: list[Line] = []
    starts = list(_STARTS.finditer(text))
    if not starts:  # the frame is glued to a word, or cut
        return [line]
    if starts[0].start() > 0:
        lines.append(part(line, 0, starts[0].start()))
    record = line  # what the line says of its writer, until another record begins in it
    for match, following in zip(starts, [*starts[1:], None], strict=True):
        end = following.start() if following is not None else len(text)
        piece = part(line, match.start(), end)
        if match["record"]:
            record = strip_prefix(piece._replace(level=None, place=None), processes)
            lines += _raised(record) if record.text.strip() else []
            continue
        piece = piece._replace(
            process=record.process, level=record.level, time=record.time, place=record.place
        )
        if match["header"]:
            lines.append(part(piece, 0, len(_HEADER)))
            lines += _raised(part(piece, len(_HEADER)))
        elif match["frame"]:
            lines.append(_indented(piece, 0, len(match["frame"]), "  "))
            lines += _raised(part(piece, len(match["frame"])), "    ")
        else:
            lines.append(piece)
    return lines


def _raised(rest: Line, margin: str = "") -> list[Line]:
    """What stands behind a frame: its source, and the class that ends the traceback."""
    raised = _CLASS.search(rest.text)
    end = raised.start() if raised is not None else len(rest.text)
    lines = [_indented(rest, 0, end, margin)] if rest.text[:end].strip() else []
    return [*lines, part(rest, end)] if raised is not None else lines


def _indented(line: Line, start: int, end: int, margin: str) -> Line:
    """A stretch of a line with this indentation and none of its own blanks."""
    stretch = part(line, start, end)
    text = stretch.text
    blanks = len(text) - len(text.lstrip())
    return edit(stretch, [(0, blanks, margin), (len(text.rstrip()), len(text), "")])
