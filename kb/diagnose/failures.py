"""Group events into failures: which event started each, and which others are consequences of it.

Every event has a tier. The events of the lowest tier in the paste may have started something; all others are
secondary. So a wrapper or a rank that lost its peer is the answer only when nothing better is in the paste.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from kb.diagnose.clean.text import Process
from kb.diagnose.consequences import because
from kb.diagnose.handled import handled_events
from kb.diagnose.index import Index
from kb.diagnose.read.order import ranks_of_lines
from kb.diagnose.recall import Candidates
from kb.diagnose.report import Because, Event, Report

PRIMARY = 0.0  # an error of its own: an exception, a body, an Xid, or anything that an initiating entry knows
KNOWN_PEER = 0.4  # a rank that waited for another one, and an entry knows the message
LOGGED = 0.5  # a line of level ERROR that no entry knows
PEER, WRAPPER, EXIT, WARNING, NOISE = 1.0, 2.0, 2.5, 3.0, 4.0
TIERS: dict[Because, float] = {"peer": PEER, "wrapper": WRAPPER, "teardown": NOISE, "advice": NOISE}
MAX_HANDLED = 5  # handled errors that are listed
UNKNOWN_LIMIT = WARNING  # from this tier on an event that no entry knows is no failure at all


@dataclass(frozen=True, slots=True)
class Group:
    """One failure: the events that tell of it, first in time first, and its consequences with reasons."""

    events: tuple[int, ...]
    secondary: tuple[tuple[int, Because], ...]
    tier: float
    handled: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """What grouping needs to know of one event."""

    event: int
    tier: float
    because: Because | None
    entries: frozenset[int]
    when: float


def group_failures(report: Report, candidates: Candidates, index: Index) -> tuple[Group, ...]:
    """The failures of a paste, first in time first. Empty for a healthy log."""
    standings = stand(report, candidates, index)
    handled = handled_events(report, candidates)
    live = [s for s in standings if (s.entries or s.tier < UNKNOWN_LIMIT) and s.event not in handled]
    if not live:
        dealt_with = [s for s in standings if s.event in handled and candidates.events[s.event].type]
        return tuple(Group((s.event,), (), s.tier, handled=True) for s in dealt_with[:MAX_HANDLED])
    standings = [s for s in standings if s.event not in handled]
    lowest = min(s.tier for s in live)
    primary = [s for s in live if s.tier == lowest]
    if lowest > PRIMARY and any(s.entries for s in primary):
        primary = [s for s in primary if s.entries]  # among consequences the ones that an entry knows
    groups: list[Forming] = []
    for standing in sorted(primary, key=lambda s: s.when):
        event = candidates.events[standing.event]
        home = find_home(standing, event, groups, index)
        if home is None:
            home = Forming()
            groups.append(home)
        home.add(standing, event)
    return attach_secondary(groups, standings, {s.event for s in primary})


class Forming:
    """A failure while its events are gathered: what another event must share to belong to it."""

    def __init__(self) -> None:
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


def stand(report: Report, candidates: Candidates, index: Index) -> list[Standing]:
    """Tier, reason and time of every event.

    An exception during whose handling another one was raised is left behind: the later one ended the work.
    So is one whose cause stands below it: exception groups, Java, and PyTorch's `Caught ValueError in
    DataLoader worker process 0.` tell the outermost first.
    """
    when = ranks_of_lines(report.clean, [event.at for event in candidates.events])
    standings = []
    known_in = candidates.entries()
    for number, event in enumerate(candidates.events):
        entries = known_in.get(number, frozenset())
        reason = because(event)
        known = any(index.entry(entry).role == "initiating" for entry in entries)
        standings.append(
            Standing(number, tier(event, reason, entries, known), reason, entries, when[event.at])
        )
    replaced = {
        event.cause
        for event, standing in zip(candidates.events, standings, strict=True)
        if event.chain == "context" and standing.because is None
    }
    outermost = {
        number
        for number, event in enumerate(candidates.events)
        if event.chain == "cause" and event.cause is not None and event.cause > number
    }
    timeouts = first_timeouts(standings, candidates)
    return [
        replace(standing, tier=WRAPPER, because="chained")
        if standing.event in replaced | outermost and not standing.entries
        else echo(standing, timeouts, candidates)
        for standing in standings
    ]


def first_timeouts(standings: list[Standing], candidates: Candidates) -> dict[Process, float]:
    """When each process first said, in words that an entry knows, that it lost or waited for another one."""
    first: dict[Process, float] = {}
    for standing in standings:
        if standing.tier == KNOWN_PEER:
            process = candidates.events[standing.event].process
            first[process] = min(standing.when, first.get(process, standing.when))
    return first


def echo(standing: Standing, timeouts: dict[Process, float], candidates: Candidates) -> Standing:
    """An unknown exception behind a known timeout of the same process comes from that timeout."""
    if standing.tier != PRIMARY or standing.entries:
        return standing
    timeout = timeouts.get(candidates.events[standing.event].process)
    behind = timeout is not None and timeout < standing.when
    return replace(standing, tier=PEER, because="echo") if behind else standing


def tier(event: Event, reason: Because | None, entries: frozenset[int], known: bool) -> float:
    """How far an event is from having started a failure: 0 for an error of its own."""
    if known:
        return KNOWN_PEER if reason in ("peer", "teardown", "advice") else PRIMARY
    if entries:  # only secondary entries know it
        return PEER if reason == "peer" else WRAPPER
    if reason is not None:
        return TIERS[reason]
    if "cut" in event.fields:
        return EXIT
    if event.on == "fact":
        return PRIMARY if "xid" in event.fields else EXIT
    if "assertion" in event.fields:
        return PRIMARY
    if event.level == "warning":
        return LOGGED if "alone" in event.fields else WARNING
    return LOGGED if event.type is None else PRIMARY


def find_home(standing: Standing, event: Event, groups: list[Forming], index: Index) -> Forming | None:
    """The failure that an event belongs to, or None when it is a failure of its own."""
    for group in groups:
        if event.cause in group.events or standing.event in group.causes:
            return group  # exceptions of one chain
        if standing.entries & group.entries or event_shape(event) in group.shapes:
            return group  # the same again, on another rank or later
        if standing.entries and leads_to(group.entries, standing.entries, index):
            return group
    if not standing.entries and groups:
        return groups[-1]  # nothing says that it is another failure: a consequence of the one before
    return None


def event_shape(event: Event) -> tuple[str | None, str]:
    """Class and text without digits: equal for the same failure on several ranks."""
    text = "".join(ch for ch in event.passage.text[:400] if not ch.isdigit())
    return event.type, text


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
        Group(tuple(s.event for s in group.standings), tuple(secondary), min(s.tier for s in group.standings))
        for group, secondary in zip(groups, consequences, strict=True)
    )
