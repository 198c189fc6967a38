"""A whole traceback on one line: chats, forms and tables of logs made blanks of its line ends.

`Traceback (most recent call last): File "a.py", line 1, in f g() ValueError: no` is cut before each frame and
before the class at its end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import edit, part
from kb.diagnose.clean.text import Line

HEADER = "Traceback (most recent call last):"
_FRAME = re.compile(r'\s*File "(?:[^"]{1,500})", line \d{1,7}, in [^\s]{1,200}')
_CLASS = re.compile(
    r"(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Za-z_]\w{0,60}(?:Error|Exception|Interrupt|Exit)(?=: |\s*$)"
)


def has_flattened(text: str) -> bool:
    """Whether a paste has a header and a frame on one line."""
    at = text.find(HEADER)
    while at >= 0:
        if text.startswith((' File "', '  File "', '   File "'), at + len(HEADER)):
            return True
        at = text.find(HEADER, at + 1)
    return False


def unflatten(lines: Sequence[Line]) -> list[Line]:
    """Lines with the parts of such tracebacks on lines of their own."""
    return [each for line in lines for each in (_cut(line) if has_flattened(line.text) else [line])]


def _cut(line: Line) -> list[Line]:
    text = line.text
    start = text.index(HEADER)
    behind = start + len(HEADER)
    frames = list(_FRAME.finditer(text, behind))
    if not frames:
        return [line]
    lines = [part(line, 0, start)] if text[:start].strip() else []
    lines.append(part(line, start, behind))
    for frame, following in zip(frames, [*frames[1:], None], strict=True):
        end = following.start() if following is not None else len(text)
        lines.append(_indented(line, frame.start(), frame.end(), "  "))
        # The class stands behind the source of the last frame.
        raised = _CLASS.search(text, frame.end(), end)
        source = raised.start() if raised is not None else end
        if text[frame.end() : source].strip():
            lines.append(_indented(line, frame.end(), source, "    "))
        if raised is not None:
            lines.append(part(line, raised.start(), end))
    return lines


def _indented(line: Line, start: int, end: int, margin: str) -> Line:
    """A stretch of a line with this indentation and none of its own blanks."""
    stretch = part(line, start, end)
    text = stretch.text
    blanks = len(text) - len(text.lstrip())
    return edit(stretch, [(0, blanks, margin), (len(text.rstrip()), len(text), "")])
