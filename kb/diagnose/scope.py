"""The names that an entry's comparisons use: captures, derived values, settings and facts of one failure."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from kb.diagnose import compare
from kb.diagnose.hits import Hit
from kb.diagnose.index import Entry
from kb.diagnose.report import Event, Facts, Report


class Scope:
    """Values for one entry in one failure. Unknown names are None, never an error."""

    def __init__(self, entry: Entry, hits: Iterable[Hit], events: tuple[Event, ...], report: Report) -> None:
        """`events` are all events of the report, to which the hits refer by number."""
        self.entry = entry
        self.hits = tuple(hits)
        self.events = events
        self.report = report

    @cached_property
    def captures(self) -> dict[str, str]:
        """The first value that each placeholder took; an empty capture is not one."""
        captures: dict[str, str] = {}
        for hit in self.hits:
            if hit.found is not None:
                for name, value in hit.found.captures.items():
                    if value:
                        captures.setdefault(name, value)
        return captures

    @cached_property
    def facts(self) -> dict[str, str]:
        facts = with_facts(self.report.facts)
        ranks = [rank for hit in self.hits if (rank := self.events[hit.event].process.rank) is not None]
        if ranks:
            facts["rank"] = ranks[0]
        return facts

    def value(self, name: str) -> str | None:
        """A capture, else a derived value, else a setting, else a fact."""
        if name in self.captures:
            return self.captures[name]
        if name in self.derived:
            return self.derived[name]
        return self.report.settings.get(name, self.facts.get(name))

    @cached_property
    def derived(self) -> dict[str, str]:
        """The values computed from captures that this wording has, in the order of the entry."""
        inner = Captured(dict(self.captures))
        for name, source in self.entry.derive.items():
            if name not in inner.captures and (value := compute(source, inner)) is not None:
                inner.captures[name] = value
        return {name: inner.captures[name] for name in self.entry.derive if name in inner.captures}

    def writer(self, hit: Hit) -> object:
        """Who says it: the rank where one is known; it can say the same with and without its prefix."""
        event = self.events[hit.event]
        captured = hit.found.captures.get("rank") if hit.found else None
        rank = event.process.rank or captured
        if rank is not None:
            return event.process.host, rank
        return event.process if event.process.known() else event.at

    def across(self, name: str) -> tuple[str | None, ...]:
        """The value on each process that shows the message, one for each process."""
        values: dict[object, str | None] = {}
        for hit in self.hits:
            if hit.found is not None and name in hit.found.captures:
                values.setdefault(self.writer(hit), hit.found.captures[name])
        return tuple(values.values())


class Captured:
    """Captures, and the values derived so far."""

    def __init__(self, captures: dict[str, str]) -> None:
        self.captures = captures

    def value(self, name: str) -> str | None:
        return self.captures.get(name)

    def across(self, name: str) -> tuple[str | None, ...]:
        return (self.captures.get(name),)


def compute(source: str, scope: Captured) -> str | None:
    """The number that an expression over captures gives, as a size where it is one; None when unknown.

    It is one when it doubles with the sizes that went in: a ratio of two sizes is a plain number.
    """
    expression = compare.parse(source)
    result = compare.evaluate(expression, scope)
    if not isinstance(result, (int, float)) or isinstance(result, bool):
        return None
    doubled = dict(scope.captures)
    for used in compare.names(expression):
        part = scope.captures.get(used, "")
        if part and not part[-1].isdigit() and (size := compare.number(part)) is not None:
            doubled[used] = f"{2 * size:.0f} bytes"
    twice = compare.evaluate(expression, Captured(doubled))
    is_size = isinstance(twice, (int, float)) and abs(twice - result) > abs(result) / 2
    return compare.format_size(result) if is_size else f"{result:.0f}"


def with_facts(facts: Facts) -> dict[str, str]:
    """Facts as the names that comparisons use."""
    values = {
        "exit_code": facts.exit_code,
        "signal": facts.signal,
        "http_status": facts.http_status,
        "xid": facts.xid,
        "k8s_reason": facts.k8s_reason,
        "world_size": facts.world_size,
        "silent_ranks": len(facts.silent_ranks),
        "ranks": len(facts.ranks) or None,
    }
    return {name: str(value) for name, value in values.items() if value is not None}
