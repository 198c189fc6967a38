"""Split clean lines into streams, one for each process, so that interleaved tracebacks become whole again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.diagnose.clean.text import UNKNOWN_PROCESS, CleanText, Line, Process
from kb.diagnose.read import shapes
from kb.diagnose.read.messages import goes_on
from kb.diagnose.report import Passage, Spot

FAILING = frozenset({"error", "critical"})


@dataclass(frozen=True, slots=True)
class Stream:
    """The lines of one process: indexes into the clean lines, in order."""

    process: Process
    at: tuple[int, ...]


def split_streams(clean: CleanText) -> tuple[Stream, ...]:
    """One stream for each process that the prefixes tell apart; lines without a prefix are one stream."""
    lines: dict[Process, list[int]] = {}
    last: Process | None = None
    own: list[int] = []
    for at, process in enumerate(writers(clean)):
        if process is not last:
            own = lines.setdefault(process, [])
            last = process
        own.append(at)
    return tuple(Stream(process, tuple(at)) for process, at in lines.items())


def writers(clean: CleanText) -> Iterator[Process]:
    """Who wrote each line.

    SGLang and most Python loggers put their prefix before the first line of a record alone:
    `[2025-04-12 01:02:31 DP7 TP7] Scheduler hit an exception: Traceback (most recent call last):`. The bare
    lines that follow such a line are the same process's, and so are those that bear no more than what a
    container put before every line; so are indented lines below one that ends with a colon, as in
    `[Rank 0] Watchdog caught collective operation timeout:`.
    """
    owner: Process | None = None
    chained = False
    above: Line | None = None
    last = UNKNOWN_PROCESS  # who wrote the line above
    listed = False  # whether the line above stands indented below another
    for line in clean.lines:
        text, writer = line.text, line.process
        head = shapes.HEADER in text
        known = writer != UNKNOWN_PROCESS
        inside = owner is not None and line.level is None and writer.within(owner)
        if inside and is_inside(above, text, chained):
            pass
        elif known:
            owner = writer if head else None
        elif head and owner is None and above is not None and announces(above):
            owner = above.process
        elif owner is not None and (is_prefixed(line) or (head and not chained)):
            owner = None
        if owner is not None:
            chained = shapes.chain_word(text) is not None or (chained and not head)
            writer = owner
        else:
            chained = False
        listed = text[:1].isspace() and is_listed(above, line, listed) and writer.within(last)
        if listed or (not known and owner is None and last.known() and is_rest(above, line)):
            writer = last
        above, last = line, writer
        yield writer


def is_inside(above: Line | None, text: str, chained: bool) -> bool:
    """Whether a line is a traceback's by its look: a frame, a chain's word, the exception below frames."""
    if not text.strip() or text[0].isspace() or shapes.chain_word(text) is not None:
        return True
    if shapes.HEADER in text:
        return chained
    return above is not None and above.text[:1].isspace() and shapes.named(text) is not None


def is_listed(above: Line | None, line: Line, listed: bool) -> bool:
    """Whether an indented line stands below one that ends with a colon, or below another such line. A stamp
    of its own says nothing: Kubernetes and Docker stamp every line.
    """
    if above is None or not line.text.strip() or line.level != above.level:
        return False
    return listed or (above.text.rstrip().endswith(":") and not above.text[:1].isspace())


def is_rest(above: Line | None, line: Line) -> bool:
    """Whether a bare line is the rest of an error that a terminal broke, or of such a rest."""
    if above is None or (above.level not in FAILING and above.process.known()):
        return False
    return goes_on(above, line)


def announces(line: Line) -> bool:
    """Whether a line of a known process is what a logger writes above a bare traceback."""
    return line.level in FAILING and line.process.known() and line.time is not None


def is_prefixed(line: Line) -> bool:
    return line.level is not None or line.time is not None


def passage(clean: CleanText, at: Sequence[int], column: int = 0, end: int | None = None) -> Passage:
    """The text of some lines joined by newlines; the first from `column` on (up to `end` if given)."""
    first = clean.lines[at[0]].text[column:end]
    texts, spots, offset = [first], [Spot(0, at[0], column)], len(first) + 1
    for index in at[1:]:
        text = clean.lines[index].text
        texts.append(text)
        spots.append(Spot(offset, index, 0))
        offset += len(text) + 1
    return Passage("\n".join(texts), tuple(spots))
