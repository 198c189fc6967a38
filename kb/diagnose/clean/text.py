"""The values of cleaning: lines without noise, each of which still knows its place in the paste."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

# A paste has as many of these as lines, so they are tuples: made several times as fast as frozen dataclasses,
# and compared and hashed without a step of Python.


class Process(NamedTuple):
    """Who wrote a line, as far as its prefixes say. All values as written, None when not said."""

    host: str | None = None
    rank: str | None = None
    local_rank: str | None = None
    role: str | None = None
    pid: str | None = None

    def known(self) -> bool:
        """Whether anything is known of the process."""
        return self != UNKNOWN_PROCESS

    def within(self, other: Process) -> bool:
        """Whether all that is said of this one is said of the other too: an outer prefix is on both."""
        if self is other:
            return True
        return all(said is None or said == known for said, known in zip(self, other, strict=True))


UNKNOWN_PROCESS = Process()


class Piece(NamedTuple):
    """From `offset` of the clean line on: `column` (from 0) and `line` (from 1) of the paste."""

    offset: int
    line: int
    column: int


class Line(NamedTuple):
    """One line without escapes, envelopes and prefixes.

    `pieces` is sorted, never empty, and its first piece has offset 0. Within a piece, offset and column
    advance together; a new piece starts wherever the paste had something that was taken out.
    """

    text: str
    pieces: tuple[Piece, ...]
    process: Process = UNKNOWN_PROCESS
    level: str | None = None  # debug, info, warning, error, critical
    time: str | None = None  # as written
    place: str | None = None  # source file of the log call, with line as written: core.py:710
    logger: str | None = None  # name of the logger, when the prefix has one

    @property
    def number(self) -> int:
        """Line of the paste, from 1, where this line starts."""
        return self.pieces[0].line

    def locate(self, offset: int) -> tuple[int, int]:
        """Line (from 1) and column (from 0) in the paste of a character of `text`."""
        at = bisect_right(self.pieces, offset, key=lambda piece: piece.offset) - 1
        piece = self.pieces[max(at, 0)]
        return piece.line, piece.column + offset - piece.offset


@dataclass(frozen=True, slots=True)
class CleanText:
    """The cleaned paste, and the paste's own lines (`\\n`, `\\r\\n` and `\\r` end one; nothing else does)."""

    lines: tuple[Line, ...]
    paste: tuple[str, ...]
    characters: int
    truncated: bool = False
    notes: tuple[str, ...] = field(default=())  # names of the cleaning steps that changed something
