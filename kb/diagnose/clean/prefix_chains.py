"""The same rows in the same order, as most lines of a log have them, read by one pattern.

Reading row after row takes several times as long as the patterns themselves. Where a paste has shown the same
rows often enough, they become one pattern, a chain, that reads exactly what the rows one after the other
would read; a line that a chain does not fit is read row by row.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from kb.diagnose.clean.prefix_readers import (
    FIELDS,
    TAG,
    TIME,
    Step,
    Values,
    fields_of,
    read_prefixes,
    reader_of,
    rows_of,
    with_names,
)
from kb.diagnose.clean.prefix_row import Row

OFTEN = 30  # lines with the same rows, from which on compiling their chain pays
MOST_CHAINS = 8  # of one paste: a hostile one could show any number of orders
MOST_SEEN = 1_000  # orders of rows, with what lines begin with, that are counted
MOST_ROWS = 4
_NAME = re.compile(r"\(\?P<\w+>")
LEAD = 3  # characters of a line by which the chains are chosen that are tried


@dataclass(frozen=True, slots=True)
class Chain:
    """Several rows as one pattern.

    `groups` are the groups of the fields in the order of `FIELDS`, then further ones. `others` are pairs: a
    field, and the place of the value that counts where the field's own group is empty. `timed`: whether the
    rows tell a time.
    """

    match: Callable[[str], re.Match[str] | None]
    groups: tuple[int, ...]
    others: tuple[tuple[int, int], ...]
    timed: bool
    last: bool
    keep: bool

    def read(self, text: str) -> tuple[int, Values] | None:
        """Where the message starts and what the prefixes say; None when they are other rows."""
        match = self.match(text)
        if match is None:
            return None
        values: Values = match.group(*self.groups)
        if (values[TIME] is not None) is not self.timed:
            return None
        at = match.end()
        if at < len(text) and not self.keep and (not self.last or text[at] in TAG):
            reader = reader_of(text[at], self.timed)
            if reader is not None and reader.match(text, at) is not None:
                return None
        for field, other in self.others:
            if values[field] is None and values[other] is not None:
                return at, self._chosen(values)
        return at, values[: len(FIELDS)]

    def _chosen(self, values: Values) -> Values:
        chosen = list(values)
        for field, other in self.others:
            if chosen[field] is None:
                chosen[field] = chosen[other]
        return tuple(chosen[: len(FIELDS)])


class Chains:
    """Reads the prefixes of one paste's lines, and learns their chains."""

    def __init__(self) -> None:
        self._ready: dict[str, list[Chain]] = {}
        self._seen: dict[tuple[str, tuple[Step, ...]], int] = {}
        self._made: dict[tuple[Step, ...], Chain | None] = {}

    def read(self, text: str) -> tuple[int, Values] | None:
        """See `read_prefixes`."""
        lead = text[:LEAD]
        for chain in self._ready.get(lead, ()):
            found = chain.read(text)
            if found is not None:
                return found
        steps: list[Step] = []
        read = read_prefixes(text, timed=False, steps=steps)
        if steps and len(self._seen) < MOST_SEEN:
            self._learn(lead, tuple(steps))
        return read

    def _learn(self, lead: str, steps: tuple[Step, ...]) -> None:
        times = self._seen[lead, steps] = self._seen.get((lead, steps), 0) + 1
        if times != OFTEN:
            return
        if steps not in self._made:
            if len(self._made) == MOST_CHAINS:
                return
            self._made[steps] = make_chain(steps)
        chain = self._made[steps]
        if chain is not None:
            self._ready.setdefault(lead, []).append(chain)


@lru_cache(maxsize=64)
def make_chain(steps: tuple[Step, ...]) -> Chain | None:
    """The chain of some rows; None when it could read something else than the rows one after the other."""
    if len(steps) > MOST_ROWS:
        return None
    rows = [_row(step) for step in steps]
    # The group at the end takes part in nothing: it stands for what the rows do not tell.
    pattern = re.compile("".join(_link(step, n) for n, step in enumerate(steps)) + r"(?:(?!)()|)")
    told = [fields_of(pattern, f"row{n}_") for n in range(len(steps))]
    tells = [n for n, fields in enumerate(told) if any(field == TIME for field, _ in fields)]
    # Whether a time was told decides which rows are tried next, so it must be clear who tells it.
    if tells and any(step.timed is not (n > tells[0]) for n, step in enumerate(steps)):
        return None
    choices = _choices(rows, told)
    others = [(field, group) for field, groups in enumerate(choices) for group in groups[1:] if field != TIME]
    firsts = [groups[0] if groups else pattern.groups for groups in choices]
    return Chain(
        match=pattern.match,
        groups=(*firsts, *(group for _, group in others)),
        others=tuple((field, place) for place, (field, _) in enumerate(others, len(FIELDS))),
        timed=bool(tells),
        last=rows[-1].last,
        keep=rows[-1].keep,
    )


def _choices(rows: list[Row], told: list[list[tuple[int, int]]]) -> list[list[int]]:
    """The groups of each field, the one that counts first: the nearest to the message, but for the time."""
    choices: list[list[int]] = [[] for _ in FIELDS]
    for row, fields in zip(rows, told, strict=True):
        for field, group in fields:
            if field == TIME or row.keep:
                choices[field].append(group)
            else:
                choices[field].insert(0, group)
    return choices


def _row(step: Step) -> Row:
    return next(row for row in rows_of(step.first, step.timed) if row.name == step.row)


def _link(step: Step, number: int) -> str:
    """One row, where the rows before it in the table do not fit. A kept one is not passed over."""
    row = _row(step)
    rows = rows_of(step.first, step.timed)
    before = "|".join(_NAME.sub("(?:", other.pattern) for other in rows[: rows.index(row)])
    refused = f"(?!{before})" if before else ""
    mark = "=" if row.keep else ">"
    return f"(?={re.escape(step.first)}){refused}(?{mark}{with_names(row, f'row{number}_')})"
