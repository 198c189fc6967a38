"""Line numbers that a pager or an editor put in front: `cat -n`, `nl`, `less -N`, the gutter of a code block.

Taken off where all lines with text have one, each the number after the last one's. So a log whose own lines
begin with a step or a rank keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from kb.diagnose.clean.origin import part
from kb.diagnose.clean.text import Line

FEWEST = 3
_NUMBER = re.compile(r" {0,8}(?P<number>\d{1,8})(?P<mark>\t| ?[|\u2502] ?|$)")
_SIGN = re.compile(r"(?m)^ {0,8}\d{1,8}(?:\t| ?[|\u2502])")


def has_numbers(text: str) -> bool:
    """Whether a line begins with a number and a mark behind it."""
    return ("\t" in text or "|" in text or "\u2502" in text) and _SIGN.search(text) is not None


def strip_numbers(lines: Sequence[Line]) -> list[Line]:
    """Lines without their numbers, where they are counted through."""
    told = [line for line in lines if line.text.strip()]
    found = [_NUMBER.match(line.text) for line in told]
    numbers = [int(match["number"]) for match in found if match is not None]
    marks = {match["mark"].strip(" ") for match in found if match is not None} - {""}
    if len(numbers) < max(len(told), FEWEST) or len(marks) != 1:
        return list(lines)
    if any(after - before != 1 for before, after in pairwise(numbers)):
        return list(lines)
    return [_without(line) for line in lines]


def _without(line: Line) -> Line:
    match = _NUMBER.match(line.text)
    return line if match is None else part(line, match.end())
