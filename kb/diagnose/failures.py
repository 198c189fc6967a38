"""Group events into failures: which event started each, and which others are consequences of it.

Every event has a tier. The events of the lowest tier in the paste may have started something; all others are
secondary. So a wrapper or a rank that lost its peer is the answer only when nothing better is in the paste.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from kb.diagnose.foremost import foremost
from kb.diagnose.handled import handled_events
from kb.diagnose.hits import Candidates
from kb.diagnose.index import Index
from kb.diagnose.read.order import read_moment
from kb.diagnose.read.quotations import quoted_lines
from kb.diagnose.report import Because, Event, Report
from kb.diagnose.tiers import DEATH, KILLER, PRIMARY, UNKNOWN_LIMIT, WARNING, Standing, stand

APART = 120.0  # seconds between two unknown exceptions from which they are failures of their own
TOGETHER = 40  # lines between an exception that points on and the known one that says why
DIGITS = re.compile(r"\d+")
MAX_HANDLED = 5  # handled errors that are listed


@dataclass(frozen=True, slots=True)
class Group:
    """One failure: the events that tell of it, first in time first, and its consequences with reasons."""

    events: tuple[int, ...]
    secondary: tuple[tuple[int, Because], ...]
    tier: float
    named: int | None = None  # the event by which the launcher names the rank that died first
    handled: bool = False


def group_failures(report: Report, candidates: Candidates, index: Index) -> tuple[Group, ...]:
    """The failures of a paste, those that ended it first, then in time. Empty for a healthy log."""
    quoted = quoted_lines(report.clean.lines, report.words)
    standings = [s for s in stand(report, candidates, index) if candidates.events[s.event].at not in quoted]
    standings = foremost(standings, report, candidates)
    handled = handled_events(report, candidates)
    live = [s for s in standings if (s.entries or s.tier < UNKNOWN_LIMIT) and s.event not in handled]
    if not live:
        dealt_with = [s for s in standings if s.event in handled and candidates.events[s.event].type]
        return tuple(Group((s.event,), (), s.tier, handled=True) for s in dealt_with[:MAX_HANDLED])
    standings = [s for s in standings if s.event not in handled]
    primary = starters(live)
    groups: list[Forming] = []
    causes = ((candidates.events[s.event].cause, s.entries) for s in primary if s.entries)
    raised = {cause: entries for cause, entries in causes if cause is not None}
    for standing in sorted(primary, key=lambda s: s.when):
        event = candidates.events[standing.event]
        home = find_home(standing, event, groups, index, raised.get(standing.event, frozenset()))
        if home is None:
            home = Forming(event)
            groups.append(home)
        home.add(standing, event)
    formed = attach_secondary(groups, standings, {s.event for s in primary})
    return known_first(formed, candidates, index)


def known_first(groups: tuple[Group, ...], candidates: Candidates, index: Index) -> tuple[Group, ...]:
    """What an entry knows as an error comes before what stands above it and cannot have ended the run.

    `WARNING _custom_ops.py:15] Failed to import from vllm._C` stands above many other failures, and Triton's
    `CompilationError: at 1:0:` shows a kernel between its class and the `ValueError` that says why.
    """
    known, events = candidates.entries(), candidates.events
    ended = [
        group
        for group in groups
        if any(is_start(known, at, index) and not is_warning(events[at]) for at in group.events)
    ]
    heads = [events[group.events[0]] for group in ended]
    last = [
        group
        for group in groups
        if group not in ended and any(gives_way(events[group.events[0]], head) for head in heads)
    ]
    return (*(group for group in groups if group not in last), *last)


def gives_way(event: Event, known: Event) -> bool:
    """Whether an event says less of what ended the run than a known one: a warning, bare text, a heading."""
    if is_warning(event) or event.type is None:
        return True
    heading = event.passage.text.partition("\n")[0].rstrip()
    return (
        (not heading or heading.endswith(":"))
        and event.process == known.process
        and 0 < known.at - event.at <= TOGETHER
    )


def is_warning(event: Event) -> bool:
    return event.level == "warning"


def is_start(known: dict[int, frozenset[int]], number: int, index: Index) -> bool:
    """Whether an entry of failures that start others knows an event."""
    return any(index.entry(entry).role == "initiating" for entry in known.get(number, ()))


def starters(live: list[Standing]) -> list[Standing]:
    """The events that may have started something: those of the lowest tier.

    Among consequences only those that an entry knows count, and the launcher's word which rank died.
    """
    lowest = min(s.tier for s in live)
    lowest_ones = [s for s in live if s.tier == lowest]
    if lowest == DEATH:  # who lost the process that died stands with the word of its death
        known = min((s.tier for s in live if s.entries), default=lowest)
        return lowest_ones + [s for s in live if s.entries and s.tier == known]
    if lowest > PRIMARY and any(s.entries for s in lowest_ones):
        return [s for s in lowest_ones if s.entries]
    return lowest_ones


class Forming:
    """A failure while its events are gathered: what another event must share to belong to it."""

    def __init__(self, first: Event) -> None:
        self.first = first
        self.standings: list[Standing] = []
        self.events: set[int] = set()
        self.causes: set[int] = set()
        self.entries: set[int] = set()
        self.shapes: set[tuple[str | None, str]] = set()

    def add(self, standing: Standing, event: Event) -> None:
        self.standings.append(standing)
        self.events.add(standing.event)
        if event.cause is not None:
            self.causes.add(event.cause)
        self.entries |= standing.entries
        self.shapes.add(event_shape(event))

    @property
    def start(self) -> float:
        return self.standings[0].when


def find_home(
    standing: Standing, event: Event, groups: list[Forming], index: Index, raised: frozenset[int]
) -> Forming | None:
    """The failure that an event belongs to, or None when it is a failure of its own.

    `raised` are the entries of what was raised from it: the unknown cause of a known
    failure is no consequence of another one.
    """
    for group in groups:
        if event.cause in group.events or standing.event in group.causes:
            return group  # exceptions of one chain
        if (standing.entries | raised) & group.entries or event_shape(event) in group.shapes:
            return group  # the same again, on another rank or later
        if is_kill(event) and is_kill(group.first):
            return group  # the kernel tells of one kill in several lines
        if standing.entries and leads_to(group.entries, standing.entries, index):
            return group
    if groups and (not standing.entries or standing.tier > PRIMARY):
        # Nothing says that it is another failure: a consequence of the one before.
        return None if raised or is_apart(standing, event, groups[-1]) else groups[-1]
    return None


def is_kill(event: Event) -> bool:
    return KILLER.search(event.passage.text[:400]) is not None


def is_apart(standing: Standing, event: Event, group: Forming) -> bool:
    """Whether an unknown exception is a failure of its own: of another machine or program, or much later.

    Ranks of one job fail together: an exception of another rank is a consequence.
    """
    if standing.tier > PRIMARY or not event.frames:
        return False
    first = group.first
    if event.process.rank is None and first.process.rank is None:
        hosts = {event.process.host, first.process.host}
        roles = {event.process.role, first.process.role}
        if None not in hosts and len(hosts) > 1 and (None in roles or len(roles) == 1):
            return True
    one, other = (read_moment(each.time) if each.time else None for each in (event, first))
    if one is None or other is None or one.since != other.since:
        return False
    return abs(one.seconds - other.seconds) > APART


def event_shape(event: Event) -> tuple[str | None, str]:
    """Class and text without digits: equal for the same failure on several ranks."""
    return event.type, DIGITS.sub("", event.passage.text[:400])


def leads_to(causes: set[int], effects: frozenset[int], index: Index) -> bool:
    """Whether an entry already found is known to lead to all of these."""
    names = {index.entry(effect).id for effect in effects}
    reached: set[str] = set()
    for cause in causes:
        reached.update(index.entry(cause).leads_to)
    return names <= reached


def attach_secondary(
    groups: list[Forming], standings: list[Standing], primary: set[int]
) -> tuple[Group, ...]:
    """The groups as values; every other event becomes a consequence of the failure before it in time."""
    consequences: list[list[tuple[int, Because]]] = [[] for _ in groups]
    starts = [group.start for group in groups]
    for standing in sorted(standings, key=lambda s: s.when):
        if standing.event in primary or (standing.because is None and standing.tier >= WARNING):
            continue
        home = max(bisect_right(starts, standing.when) - 1, 0)
        consequences[home].append((standing.event, standing.because or "echo"))
    return tuple(
        Group(
            tuple(s.event for s in group.standings),
            tuple(secondary),
            min(s.tier for s in group.standings),
            next((s.event for s in group.standings if s.death), None),
        )
        for group, secondary in zip(groups, consequences, strict=True)
    )
