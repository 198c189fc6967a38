"""The paste's own lines, and the limits on what is looked at.

`\\n`, `\\r\\n` and `\\r` end a line and nothing else does, so that a line's number is the one that the
person's editor shows. Progress bars redraw themselves with `\\r`: each drawing is a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.diagnose.clean.origin import join, part, whole
from kb.diagnose.clean.text import Line

MOST_CHARACTERS = 20_000_000
LONGEST_LINE = 65_536  # longer ones are base64 or dumps of weights; their middle is not read
TAIL_OF_LINE = 16_384  # of a long line, as much of its end is kept: escaped tracebacks end with the message


@dataclass(frozen=True, slots=True)
class Split:
    """Lines of the paste, and those of them that are looked at."""

    paste: tuple[str, ...]
    lines: list[Line]
    truncated: bool


def own_lines(text: str) -> list[str]:
    """The lines of a text without their ends. A line end at the very end opens no further line."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def split(text: str, readable: str) -> Split:
    """Lines to clean of a paste; `readable` is the paste with characters exchanged one for one.

    Of a paste that is too long the first and the last half of the limit are looked at: the settings stand at
    the head of a log, its failure mostly at the tail.
    """
    paste = own_lines(text)
    shown = paste if readable is text else own_lines(readable)
    if len(text) <= MOST_CHARACTERS:
        lines = [whole(line, number) for number, line in enumerate(shown, 1)]
        truncated = False
    else:
        kept = (*_head(shown), *_tail(shown))
        lines = [whole(shown[index], index + 1) for index in kept]
        truncated = True
    if len(text) > LONGEST_LINE:
        lines = [_shorten(line) if len(line.text) > LONGEST_LINE else line for line in lines]
    return Split(tuple(paste), lines, truncated)


def _shorten(line: Line) -> Line:
    text = line.text
    return join([part(line, 0, LONGEST_LINE - TAIL_OF_LINE), part(line, len(text) - TAIL_OF_LINE)])


def _head(lines: list[str]) -> Iterator[int]:
    room = MOST_CHARACTERS // 2
    for index, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0 and index:
            return
        yield index


def _tail(lines: list[str]) -> list[int]:
    room = MOST_CHARACTERS // 2
    taken: list[int] = []
    for index in range(len(lines) - 1, 0, -1):
        room -= len(lines[index]) + 1
        if room < 0:
            break
        taken.append(index)
    return taken[::-1]
