"""The names that an entry's comparisons use: captures, derived values, settings and facts of one failure."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from kb.diagnose import compare
from kb.diagnose.index import Entry
from kb.diagnose.recall import Hit, with_facts
from kb.diagnose.report import Event, Report


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
        if name in self.entry.derive and (derived := self.derived(name)) is not None:
            return derived
        return self.report.settings.get(name, self.facts.get(name))

    def derived(self, name: str) -> str | None:
        """A value computed from captures that this wording has."""
        inner = Captured(self.captures)
        result = compare.evaluate(compare.parse(self.entry.derive[name]), inner)
        if not isinstance(result, (int, float)) or isinstance(result, bool):
            return None
        parts = [
            self.captures.get(used, "") for used in compare.names(compare.parse(self.entry.derive[name]))
        ]
        sizes = any(part and not part[-1].isdigit() for part in parts)
        return compare.format_size(result) if sizes else f"{result:.0f}"

    def across(self, name: str) -> tuple[str | None, ...]:
        """The value on each process that shows the message, one for each process."""
        values: dict[object, str | None] = {}
        for hit in self.hits:
            if hit.found is not None and name in hit.found.captures:
                event = self.events[hit.event]
                key = event.process if event.process.known() else hit.found.captures.get("rank", event.at)
                values.setdefault(key, hit.found.captures[name])
        return tuple(values.values())


class Captured:
    """Only captures, so that a derived value cannot ask for another derived one."""

    def __init__(self, captures: dict[str, str]) -> None:
        self.captures = captures

    def value(self, name: str) -> str | None:
        return self.captures.get(name)

    def across(self, name: str) -> tuple[str | None, ...]:
        return (self.captures.get(name),)
