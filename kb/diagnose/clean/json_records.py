"""JSON records over several lines: printed with indentation, or broken by a terminal at its width.

A record is put together as far as its closing brace, so that it can be opened like one on a single line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import join
from kb.diagnose.clean.text import Line

MOST_LINES = 100
MOST_CHARACTERS = 70_000
MOST_TRIES = 50  # records of one paste that do not end: each costs a look at some lines
NARROWEST = 60  # a line broken inside a string is at least so long
_START = re.compile(r"[ \t]*(?:\[[ \t]*)?\{[ \t]*(?:$|\")")
_MARK = re.compile(r'[{}]|(?<!\\)(?:\\\\)*"')


class Records:
    """Puts the records of one paste together. Tries that lead nowhere are counted, so the cost is linear."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._tries = 0

    def joined(self, at: int) -> tuple[Line, int] | None:
        """The record that begins on a line, and the line behind it; None when it ends where it begins."""
        if self._tries >= MOST_TRIES or _START.match(self._lines[at].text) is None:
            return None
        depth = characters = 0
        inside = False
        for end in range(at, min(at + MOST_LINES, len(self._lines))):
            text = self._lines[end].text
            depth, inside = _state(text, depth, inside)
            characters += len(text)
            if depth <= 0 and not inside:
                return (join(self._lines[at : end + 1]), end + 1) if end > at else None
            if characters > MOST_CHARACTERS or (inside and len(text) < NARROWEST):
                break
        self._tries += 1
        return None


def _state(text: str, depth: int, inside: bool) -> tuple[int, bool]:
    """How many braces are open behind a text, and whether it ends inside a string."""
    for match in _MARK.finditer(text):
        mark = match[0][-1]
        if mark == '"':
            inside = not inside
        elif not inside:
            depth += 1 if mark == "{" else -1
            if depth <= 0:
                break
    return depth, inside
