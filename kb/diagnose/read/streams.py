"""Split clean lines into streams, one for each process, so that interleaved tracebacks become whole again."""

from __future__ import annotations

from dataclasses import dataclass

from kb.diagnose.clean.text import CleanText, Process
from kb.diagnose.report import Passage, Spot


@dataclass(frozen=True, slots=True)
class Stream:
    """The lines of one process: indexes into the clean lines, in order."""

    process: Process
    at: tuple[int, ...]


def split_streams(clean: CleanText) -> tuple[Stream, ...]:
    """One stream for each process that the prefixes tell apart; lines without a prefix are one stream."""
    lines: dict[Process, list[int]] = {}
    for at, line in enumerate(clean.lines):
        lines.setdefault(line.process, []).append(at)
    return tuple(Stream(process, tuple(at)) for process, at in lines.items())


def passage(clean: CleanText, at: list[int], column: int = 0, end: int | None = None) -> Passage:
    """The text of some lines joined by newlines; the first from `column` on (up to `end` if given)."""
    first = clean.lines[at[0]].text[column:end]
    texts, spots, offset = [first], [Spot(0, at[0], column)], len(first) + 1
    for index in at[1:]:
        text = clean.lines[index].text
        texts.append(text)
        spots.append(Spot(offset, index, 0))
        offset += len(text) + 1
    return Passage("\n".join(texts), tuple(spots))
