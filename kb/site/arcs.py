"""Where the rows and arcs of the map stand: entries one below the other, an arc to the left for each pair.

Pure and without chance: the same entries and pairs give the same drawing. Entries of one component stand
together, look-alikes next to each other, components that share look-alikes near each other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log2

ROW = 24  # pixels; the least that a finger should have to hit
HEAD = 38
AXIS = 92  # where arcs end and words begin
BEND = 14.0
WIDEST = -20  # of a bow's handles; the bow itself comes three quarters as far

Pair = tuple[str, str]
Group = tuple[str, Sequence[str]]


@dataclass(frozen=True)
class Row:
    """An entry, or the name of a component where `entry` is empty; `y` is the middle of the line."""

    y: int
    entry: str
    component: str


@dataclass(frozen=True)
class Drawing:
    """The rows from top to bottom, the arc of each pair as an SVG path, and the height of it all."""

    rows: tuple[Row, ...]
    arcs: Mapping[Pair, str]
    height: int


def draw(groups: Sequence[Group], pairs: Collection[Pair]) -> Drawing:
    """Lay out the entries of each component, given in the order that people read."""
    alike = alike_of(pairs)
    rows: list[Row] = []
    top = 0
    for component, entries in near_each_other(groups, alike):
        rows.append(Row(top + HEAD - 14, "", component))
        top += HEAD
        for entry in alike_together(entries, alike):
            rows.append(Row(top + ROW // 2, entry, component))
            top += ROW
    at = {row.entry: row.y for row in rows if row.entry}
    arcs = {pair: arc(at[pair[0]], at[pair[1]]) for pair in sorted(pairs)}
    return Drawing(tuple(rows), arcs, top + ROW // 2)


def alike_of(pairs: Collection[Pair]) -> dict[str, set[str]]:
    """The look-alikes of each entry that has any."""
    alike: dict[str, set[str]] = {}
    for one, other in pairs:
        alike.setdefault(one, set()).add(other)
        alike.setdefault(other, set()).add(one)
    return alike


def near_each_other(groups: Sequence[Group], alike: Mapping[str, set[str]]) -> list[Group]:
    """The largest component first; then always the one with most look-alikes among those that stand."""
    left = sorted(groups, key=lambda group: -len(group[1]))
    placed: set[str] = set()
    order: list[Group] = []
    while left:
        best = max(left, key=lambda group: sum(len(alike.get(each, set()) & placed) for each in group[1]))
        left.remove(best)
        placed |= set(best[1])
        order.append(best)
    return order


def alike_together(entries: Sequence[str], alike: Mapping[str, set[str]]) -> list[str]:
    """Entries in their order, but for look-alikes, which follow at once; those without any come last."""
    order: dict[str, None] = {}
    for entry in entries:
        waiting = [entry]
        while waiting:
            now = waiting.pop(0)
            if now not in order:
                order[now] = None
                waiting += sorted(alike.get(now, set()) & set(entries))
    return sorted(order, key=lambda entry: entry not in alike)


def arc(one: int, other: int) -> str:
    """A bow to the left of the axis; the longer the way, the wider, but always on the page."""
    out = max(AXIS - round(BEND * log2(2 + abs(one - other) / ROW)), WIDEST)
    return f"M{AXIS} {one}C{out} {one} {out} {other} {AXIS} {other}"
