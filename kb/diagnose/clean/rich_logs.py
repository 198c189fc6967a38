"""Log lines that rich set in columns: time, level, message, and at the right edge the file that wrote it.

The time stands only where it differs from the line above, levels are padded to eight characters, and a
message that is too wide for its column goes on below, so a folded one has the file in its middle.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import Said, join, part
from kb.diagnose.clean.prefix_row import PADDED
from kb.diagnose.clean.prefixes import level_of
from kb.diagnose.clean.signs import is_sign
from kb.diagnose.clean.text import Line

_PADDED = ("WARNING  ", "ERROR    ", "CRITICAL ")
_LEVEL = re.compile(rf" *{PADDED}(?=\S)")
_PLACE = re.compile(r"[\w./<>-]{1,80}\.py:\d{1,6}")
MOST_BELOW = 60  # lines that a folded message may take


def has_columns(text: str) -> bool:
    """Whether a paste may have such lines."""
    return ".py:" in text and any(padded in text for padded in _PADDED)


def read_columns(lines: Sequence[Line]) -> list[Line]:
    """Lines that know the level and the file of rich's columns, folded messages joined."""
    read: list[Line] = []
    at = 0
    while at < len(lines):
        row = _row(lines[at])
        at += 1
        if row is None:
            read.append(lines[at - 1])
            continue
        message = [row]
        while at < len(lines) and len(message) < MOST_BELOW and _goes_on(lines[at], row):
            message.append(_bare(lines[at]))
            at += 1
        read.append(join(message, [" "] * (len(message) - 1)) if len(message) > 1 else row)
    return read


def _row(line: Line) -> Line | None:
    """The message of a line that has rich's last column; None for another."""
    text = line.text.rstrip()
    before, _, place = text.rpartition(" ")
    level = _LEVEL.match(text)
    if (level is None and line.level is None) or _PLACE.fullmatch(place) is None:
        return None
    start = level.end() if level is not None else 0
    end = len(before.rstrip())
    # One blank parts the columns; more of them tell a column from a message that ends in a file's name.
    if end <= start or (level is None and len(before) == end):
        return None
    said: Said = {"place": place}
    if level is not None and level.lastgroup is not None:
        said["level"] = level_of(level[level.lastgroup])
    return part(line, start, end, said)


def _goes_on(line: Line, row: Line) -> bool:
    """Whether a line is the next one of a folded message: indented, with nothing in the other columns, and no
    traceback's."""
    text = line.text
    if not text.startswith(" ") or text.isspace() or line.level not in (None, row.level):
        return False
    if is_sign(text.lstrip()):
        return False
    return _LEVEL.match(text) is None and _PLACE.fullmatch(text.rstrip().rpartition(" ")[2]) is None


def _bare(line: Line) -> Line:
    text = line.text
    return part(line, len(text) - len(text.lstrip()), len(text.rstrip()))
