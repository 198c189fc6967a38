"""The rows of the tables, compiled: one pattern for all rows that can start with one character.

What a prefix says comes out as `Values`, one place for each field in the order of `FIELDS`: a tuple, because
there is one for each line of a paste.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from kb.diagnose.clean.prefix_row import Row
from kb.diagnose.clean.prefix_rows import ROWS

FIELDS = ("host", "rank", "local_rank", "role", "pid", "level", "time", "place", "logger")
TIME = FIELDS.index("time")
MOST_STACKED = 12
# What may follow a row behind which the message, or a tag in brackets, comes.
TAG = "[(0123456789"

Values = tuple[str | None, ...]


class Step(NamedTuple):
    """One row that was read: the character it began with, and whether the line had told its time by then."""

    row: str  # its name
    first: str
    timed: bool


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A row inside an alternation: the fields that it tells (places in `FIELDS`) and their groups there."""

    row: Row
    fields: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """All rows that can start with one character, as one pattern."""

    match: Callable[..., re.Match[str] | None]
    rows: dict[str | None, _Compiled]


def read_prefixes(text: str, timed: bool, steps: list[Step] | None = None) -> tuple[int, Values] | None:
    """Where the message starts and what the prefixes say, or None when there is no prefix.

    `timed`: whether the time of the line is known already. What stands nearer to the message wins, but for
    the time. `steps` takes note of the rows.
    """
    reader = reader_of(text[0], timed) if text else None
    match = reader.match(text) if reader is not None else None
    if match is None or reader is None:
        return None
    found: list[str | None] = [None] * len(FIELDS)
    at = 0
    for _ in range(MOST_STACKED):
        compiled = reader.rows[match.lastgroup]
        row, end = compiled.row, match.end()
        if steps is not None:
            steps.append(Step(row.name, text[at], timed))
        for field, group in compiled.fields:
            value = match[group]
            if value and (found[field] is None or (field != TIME and not row.keep)):
                found[field] = value
        if row.keep or end == at:
            break
        at = end
        if at == len(text) or (row.last and text[at] not in TAG):
            break
        timed = timed or found[TIME] is not None
        reader = reader_of(text[at], timed)
        match = reader.match(text, at) if reader is not None else None
        if match is None or reader is None:
            break
    return at, tuple(found)


@cache
def rows_of(first: str, timed: bool) -> tuple[Row, ...]:
    """The rows that can start with a character; rows for times only when the line has told its time."""
    return tuple(row for row in ROWS if first in row.starts and (timed or not row.timed))


@cache
def reader_of(first: str, timed: bool) -> Reader | None:
    """The reader of these rows, None when there are none."""
    rows = rows_of(first, timed)
    return _compile(rows) if rows else None


@cache
def _compile(rows: tuple[Row, ...]) -> Reader:
    """One alternation of rows. The name of the outermost group tells which row it was."""
    pattern = re.compile("|".join(f"(?P<row{n}>{with_names(row, f'row{n}_')})" for n, row in enumerate(rows)))
    compiled: dict[str | None, _Compiled] = {
        f"row{n}": _Compiled(row, tuple(fields_of(pattern, f"row{n}_"))) for n, row in enumerate(rows)
    }
    return Reader(pattern.match, compiled)


def with_names(row: Row, lead: str) -> str:
    """A row's pattern, the names of its groups led by something that no other row's have."""
    return row.pattern.replace("(?P<", f"(?P<{lead}")


def fields_of(pattern: re.Pattern[str], lead: str) -> list[tuple[int, int]]:
    """Field (its place in `FIELDS`) and group of what a row tells, in the order of the row."""
    return [
        (FIELDS.index(name.removeprefix(lead).rstrip("0123456789")), group)
        for name, group in pattern.groupindex.items()
        if name.startswith(lead)
    ]
