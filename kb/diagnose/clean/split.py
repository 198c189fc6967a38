"""The paste's own lines, and the limits on what is looked at.

`\\n`, `\\r\\n` and `\\r` end a line and nothing else does, so that a line's number is the one that the
person's editor shows. Progress bars redraw themselves with `\\r`: each drawing is a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.diagnose.clean.origin import join, part, whole
from kb.diagnose.clean.text import Line

MOST_CHARACTERS = 20_000_000
LONGEST_LINE = 65_536  # longer ones are base64 or dumps of weights; their middle is not read
TAIL_OF_LINE = 16_384  # of a long line, as much of its end is kept: escaped tracebacks end with the message
MOST_BLANK = 256  # of a longer run of empty lines, so many are looked at: more than any reader looks back
_VOID = re.compile(rf"\n{{{MOST_BLANK + 2},}}")


@dataclass(frozen=True, slots=True)
class Split:
    """Lines of the paste, and those of them that are looked at with their numbers (from 1)."""

    paste: tuple[str, ...]
    shown: list[tuple[int, str]]
    truncated: bool
    long: bool  # whether some are longer than `LONGEST_LINE`

    def lines(self) -> list[Line]:
        """The lines that are looked at, each as it stands."""
        return [_shorten(whole(text, number)) for number, text in self.shown]


def own_lines(text: str) -> list[str]:
    """The lines of a text without their ends. A line end at the very end opens no further line."""
    return _lines(_with_one_end(text))


def _with_one_end(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def split_paste(text: str, readable: str) -> Split:
    """Lines to clean of a paste; `readable` is the paste with characters exchanged one for one.

    Of a paste that is too long the first and the last half of the limit are looked at: the settings stand at
    the head of a log, its failure mostly at the tail.
    """
    unified = _with_one_end(text)
    paste = _lines(unified)
    lines = paste if readable is text else own_lines(readable)
    has_voids = "\n" * (MOST_BLANK + 2) in unified
    shown = _without_voids(unified, lines) if has_voids else list(enumerate(lines, 1))
    truncated = len(text) > MOST_CHARACTERS
    if truncated:
        shown = [*_head(shown), *_tail(shown)]
    long = len(text) > LONGEST_LINE and any(len(line) > LONGEST_LINE for line in paste)
    return Split(tuple(paste), shown, truncated, long)


def _without_voids(text: str, lines: list[str]) -> list[tuple[int, str]]:
    """Numbered lines of a text without most of the empty ones, where very many stand together."""
    kept: list[range] = []
    number = at = position = 0
    for void in _VOID.finditer(text):
        number += text.count("\n", position, void.start())
        position = void.start()
        kept.append(range(at, number + 1 + MOST_BLANK))
        at = number + len(void[0])
    kept.append(range(at, len(lines)))
    return [(index + 1, lines[index]) for run in kept for index in run if index < len(lines)]


def _shorten(line: Line) -> Line:
    text = line.text
    if len(text) <= LONGEST_LINE:
        return line
    return join([part(line, 0, LONGEST_LINE - TAIL_OF_LINE), part(line, len(text) - TAIL_OF_LINE)])


def _head(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    room = MOST_CHARACTERS // 2
    for number, line in lines:
        room -= len(line) + 1
        if room < 0 and number > 1:
            return
        yield number, line


def _tail(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    room = MOST_CHARACTERS // 2
    taken: list[tuple[int, str]] = []
    for number, line in reversed(lines[1:]):
        room -= len(line) + 1
        if room < 0:
            break
        taken.append((number, line))
    return taken[::-1]
