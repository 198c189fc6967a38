"""Cutting, editing and joining lines so that every character still knows its place in the paste.

All steps of cleaning change lines through these functions alone: a line in, a new line out, pieces kept.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict

from kb.diagnose.clean.text import Line, Piece, Process

Edit = tuple[int, int, str]
"""From, to, and the text that takes the place of what stood there."""


class Said(TypedDict, total=False):
    """What a prefix or an envelope says about a line."""

    process: Process
    level: str | None
    time: str | None
    place: str | None
    logger: str | None


def whole(text: str, number: int) -> Line:
    """Line `number` (from 1) of the paste as it stands."""
    return Line(text, (Piece(0, number, 0),))


def rewrite(line: Line, text: str, pieces: tuple[Piece, ...], said: Said | None = None) -> Line:
    """A line with new text and pieces that keeps what is known of it, but for what is `said` anew."""
    said = said or {}
    return Line(
        text,
        pieces,
        said.get("process", line.process),
        said.get("level", line.level),
        said.get("time", line.time),
        said.get("place", line.place),
        said.get("logger", line.logger),
    )


def tell(line: Line, said: Said) -> Line:
    """The same text, with more known of it."""
    return rewrite(line, line.text, line.pieces, said)


def part(line: Line, start: int, end: int | None = None, said: Said | None = None) -> Line:
    """The stretch of a line from `start` to `end`."""
    text = line.text[start:end]
    return rewrite(line, text, tuple(_span(line.pieces, start, start + len(text))), said)


def edit(line: Line, edits: Iterable[Edit], said: Said | None = None) -> Line:
    """A line with stretches replaced; `edits` are sorted and do not overlap.

    Every new character stands where the stretch that it replaces began, so an unescaped character is found at
    the start of its escape sequence.
    """
    writer = _Writer()
    at = 0
    for start, end, new in edits:
        writer.keep(line, at, start)
        writer.put(new, line, start)
        at = end
    writer.keep(line, at, len(line.text))
    return writer.line(line, said)


def without(line: Line, pattern: re.Pattern[str]) -> Line:
    """A line without whatever the pattern finds."""
    text = line.text
    matches = list(pattern.finditer(text))
    if not matches:
        return line
    if len(line.pieces) > 1:
        return edit(line, [(match.start(), match.end(), "") for match in matches])
    # Coloured logs have several cuts on every line, so the usual case of one piece is worth its own way.
    number, column = line.pieces[0].line, line.pieces[0].column
    texts = []
    pieces = []
    at = length = 0
    for match in (*matches, None):
        start, end = match.span() if match is not None else (len(text), len(text))
        if start > at:
            texts.append(text[at:start])
            pieces.append(Piece(length, number, column + at))
            length += start - at
        at = end
    return rewrite(line, "".join(texts), tuple(pieces) or (Piece(0, number, column + len(text)),))


def join(lines: Sequence[Line], glue: Sequence[str] = ()) -> Line:
    """Several lines as one, known as the first is. `glue` is what comes before each but the first.

    Glue stands where the line behind it begins.
    """
    writer = _Writer()
    for position, line in enumerate(lines):
        if 0 < position <= len(glue):
            writer.put(glue[position - 1], line, 0)
        writer.keep(line, 0, len(line.text))
    return writer.line(lines[0])


class _Writer:
    """Collects stretches of text and their pieces."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.pieces: list[Piece] = []
        self.length = 0

    def keep(self, line: Line, start: int, end: int) -> None:
        if start >= end:
            return
        for piece in _span(line.pieces, start, end):
            self.add(piece.offset + self.length, piece.line, piece.column)
        self.texts.append(line.text[start:end])
        self.length += end - start

    def put(self, new: str, line: Line, start: int) -> None:
        number, column = line.locate(start)
        for offset in range(self.length, self.length + len(new)):
            self.add(offset, number, column)
        self.texts.append(new)
        self.length += len(new)

    def add(self, offset: int, number: int, column: int) -> None:
        if self.pieces:
            last = self.pieces[-1]
            if last.line == number and last.column - last.offset == column - offset:
                return
        self.pieces.append(Piece(offset, number, column))

    def line(self, like: Line, said: Said | None = None) -> Line:
        pieces = tuple(self.pieces) or tuple(_span(like.pieces, len(like.text), len(like.text)))
        return rewrite(like, "".join(self.texts), pieces, said)


def _span(pieces: tuple[Piece, ...], start: int, end: int) -> Iterator[Piece]:
    """The pieces of a stretch, with offsets counted from its start."""
    at = bisect_right(pieces, start, key=_offset) - 1 if len(pieces) > 1 else 0
    first = pieces[at]
    yield Piece(0, first.line, first.column + start - first.offset)
    for index in range(at + 1, len(pieces)):
        piece = pieces[index]
        if piece.offset >= end:
            return
        yield Piece(piece.offset - start, piece.line, piece.column)


def _offset(piece: Piece) -> int:
    return piece.offset
