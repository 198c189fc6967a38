"""A whole log on one line: a form or a page made blanks of its line ends.

`(Worker pid=7) ERROR 11-02 10:40:17 [core.py:866] a (Worker pid=8) ERROR 11-02 ...` is cut before each
record: before what a logger puts in front of a line, and before the first word of the line (`[pod/a/b]`,
`node-3:`, `sgl-0 |`) wherever it comes again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kb.diagnose.clean.origin import part
from kb.diagnose.clean.signs import RECORD
from kb.diagnose.clean.text import Line

MOST_LINES = 3  # of a paste that can be a log on one line
LONG = 160  # characters of such a line
FEWEST, FEWEST_TIMES = 2, 3  # records in it; a time alone may be part of a message
_FIRST = re.compile(
    r"\s*(\[[^\[\]\s]{1,60}\]:?|\([^()]{1,60}\)|[\w./-]{1,60}:|[\w.-]{1,60} +\||\d{1,5}:)(?=\s)"
)
_TIME = re.compile(r"\[?\d{4}-")
_WORD = re.compile(r"\s[a-z]{2,}\s")
LONGEST_JOINT = 40  # characters
_BEGINS = re.compile(rf"(?:(?<=\s)|^)(?:{RECORD})", re.VERBOSE)


def is_one_line(text: str) -> bool:
    """Whether a paste has few lines, and one of them holds several records."""
    if len(text) < LONG or text.count("\n", 0, -1) + text.count("\r", 0, -1) >= MOST_LINES:
        return False
    return any(starts(line) for line in text.split("\n"))


def cut_records(lines: Sequence[Line]) -> list[Line]:
    """Lines with the records of such a line on lines of their own."""
    return [each for line in lines for each in _cut(line)]


def _cut(line: Line) -> Iterator[Line]:
    begins = starts(line.text)
    if not begins:
        yield line
        return
    for begin, end in pairwise([*sorted({0, *begins}), len(line.text)]):
        yield part(line, begin, end)


def starts(text: str) -> list[int]:
    """Where the records of a long line begin; empty where there are hardly several.

    What stands in front of a line may be several things: they begin it together.
    """
    if len(text) < LONG:
        return []
    first = _FIRST.match(text)
    pattern = _BEGINS
    if first is not None:
        pattern = re.compile(rf"(?:(?<=\s)|^)(?:{re.escape(first[1])}(?=\s)|{RECORD})", re.VERBOSE)
    found: list[int] = []
    times, behind = 0, -1
    for match in pattern.finditer(text):
        again = first is not None and match[0] == first[1]
        if behind < 0 or again or not _is_joint(text[behind : match.start()]):
            found.append(match.start())
            times += _TIME.match(match[0]) is not None
        behind = match.end()
    return found if len(found) - times >= FEWEST or len(found) >= FEWEST_TIMES else []


def _is_joint(between: str) -> bool:
    """Whether what stands between two heads belongs to them: nothing, `[core.py:86]`, `.123Z`."""
    return len(between) <= LONGEST_JOINT and _WORD.search(between) is None
