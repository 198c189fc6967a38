"""Which of several events tells what failed, when none is an error that an entry knows.

Tiers look at one event. Here events are compared: what was told before all consequences cannot follow from
them, a rank whose last word was a warning of an exception did not go on, and an error that was logged first
is not told anew by the exception that repeats its words.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

from kb.diagnose.hits import Candidates
from kb.diagnose.report import Event, Report
from kb.diagnose.tiers import DEATH, LOGGED, PEER, PRIMARY, SIGNAL, UNKNOWN_LIMIT, WARNING, WRAPPER, Standing

# Headings: C++ says so of a process that a thread's exception ends, and what it throws is told beside it; pip
# says so of a build whose output follows.
ENDS_ITSELF = re.compile(r"\s*(?:terminate called|error: subprocess-exited|\u00d7 )")
MOST_AFTER = 20  # lines that a process may still write behind the warning that was its last word
SHORTEST = 20  # characters of a message that prove that another line repeats it
MOST_COMPARED = 100
# Who raises one of these only lost another process.
LOST = frozenset({"ActorDiedError", "RayActorError", "WorkerCrashedError", "BrokenProcessPool"})
NCCL_ERROR = re.compile(r"\bNCCL (?:error|Error)\b|\bnccl\w+Error\b")
BUILD = re.compile(r"Error building extension '[^']{0,200}'\s*$")
COMPILER = re.compile(r"[^\s:(]+(?::\d+(?::\d+)?:|\(\d+\):) (?:fatal )?error:")
ENDED = re.compile(r"destroy_process_group\(\) was not called")


def foremost(standings: list[Standing], report: Report, candidates: Candidates) -> list[Standing]:
    """The standings, with the tier of what comes first changed where the events together say so."""
    standings = explained(bereft(retold(standings, candidates), candidates), report, candidates)
    standings = compiled(standings, candidates)
    live = [s for s in standings if s.entries or s.tier < UNKNOWN_LIMIT]
    if not live:
        return standings
    lowest = min(s.tier for s in live)
    if lowest <= DEATH:
        return standings
    first = min(live, key=lambda s: s.when)
    word = left_store(live, standings, candidates)
    if word is None and lowest >= PEER:
        word = last_word(standings, first.when, report, candidates) or blaming(
            standings, first.when, candidates
        )
    if word is not None:
        return named(standings, word)
    if first.entries or first.tier not in (WRAPPER, SIGNAL) or first.because == "chained":
        return standings
    if ENDS_ITSELF.match(candidates.events[first.event].passage.text):
        return standings
    if all(s.tier > first.tier or (s.tier == first.tier and not s.entries) for s in live if s is not first):
        return standings
    return named(standings, first)


def named(standings: list[Standing], word: Standing) -> list[Standing]:
    """The standings, one of them as the word of what failed: the others follow from it."""
    return [replace(s, tier=DEATH, death=True) if s is word else s for s in standings]


def retold(standings: list[Standing], candidates: Candidates) -> list[Standing]:
    """Logged errors whose words an exception repeats later are of that exception's tier.

    `[E socket.cpp:793] [c10d] The client socket has timed out after 60s while ...`, and below it a
    `TimeoutError: The client socket has timed out after 60s while ...`.
    """
    events = candidates.events
    raised = [s for s in standings if s.tier == PRIMARY and not s.entries and events[s.event].type]
    logged = [s for s in standings if s.tier == LOGGED and events[s.event].type is None]
    if not raised or not logged:
        return standings
    texts = [events[s.event].passage.text.partition("\n")[0].strip() for s in raised[:MOST_COMPARED]]
    told = {
        s.event
        for s in logged[:MOST_COMPARED]
        for text, after in zip(texts, raised, strict=False)
        if len(text) >= SHORTEST and s.when < after.when and text in events[s.event].passage.text
    }
    return [replace(s, tier=PRIMARY) if s.event in told else s for s in standings]


def bereft(standings: list[Standing], candidates: Candidates) -> list[Standing]:
    """Who lost an actor or worker follows from an unknown exception before it, even when an entry knows."""
    types = {s.event: (candidates.events[s.event].type or "").rpartition(".")[2] for s in standings}
    raised = [
        s.when for s in standings if s.tier == PRIMARY and not s.entries and types[s.event] not in ("", *LOST)
    ]
    if not raised:
        return standings
    first = min(raised)
    return [
        replace(s, tier=WRAPPER, because="wrapper")
        if s.entries and s.when > first and types[s.event] in LOST
        else s
        for s in standings
    ]


def explained(standings: list[Standing], report: Report, candidates: Candidates) -> list[Standing]:
    """What NCCL logged before an unknown `NCCL error in: ..., unhandled system error` is of its tier.

    The exception only says that a call failed; `NCCL WARN Error while creating shared memory ...` why.
    """
    events, lines = candidates.events, report.clean.lines
    raised = [s.when for s in standings if s.tier == PRIMARY and not s.entries and of_nccl(events[s.event])]
    if not raised:
        return standings
    return [
        replace(s, tier=PRIMARY)
        if s.tier == LOGGED and s.when < max(raised) and lines[events[s.event].at].logger == "NCCL"
        else s
        for s in standings
    ]


def compiled(standings: list[Standing], candidates: Candidates) -> list[Standing]:
    """Who only says that a build failed follows from what the compiler said before, though no entry knows it.

    `a.cu(31): error: identifier "x" is undefined`, and below it `RuntimeError: Error building extension`.
    """
    events = candidates.events
    said = [s.when for s in standings if s.tier == LOGGED and COMPILER.match(events[s.event].passage.text)]
    if not said:
        return standings
    return [
        replace(s, tier=WRAPPER)
        if s.because == "wrapper" and s.when > min(said) and BUILD.match(events[s.event].passage.text)
        else s
        for s in standings
    ]


def of_nccl(event: Event) -> bool:
    return event.type is not None and NCCL_ERROR.search(event.passage.text[:400]) is not None


def last_word(
    standings: list[Standing], first: float, report: Report, candidates: Candidates
) -> Standing | None:
    """The last warning of an exception before all consequences, whose process wrote nearly nothing more."""
    able = [
        s
        for s in standings
        if s.tier == WARNING and s.when < first and is_exception(candidates.events[s.event])
    ]
    return next((s for s in reversed(able) if falls_silent(candidates.events[s.event], report)), None)


def blaming(standings: list[Standing], first: float, candidates: Candidates) -> Standing | None:
    """The first warning before all consequences that says which rank was missing."""
    return next(
        (
            s
            for s in standings
            if s.tier == WARNING and s.when < first and candidates.events[s.event].culprit is not None
        ),
        None,
    )


def is_exception(event: Event) -> bool:
    return event.type is not None and not event.type.endswith("Warning")


def falls_silent(event: Event, report: Report) -> bool:
    """Whether the event's process writes hardly anything behind it."""
    lines = report.clean.lines
    after = (at for at in range(event.at + 1, len(lines)) if lines[at].process == event.process)
    return sum(1 for _ in islice(after, MOST_AFTER + 1)) <= MOST_AFTER


def left_store(live: list[Standing], standings: list[Standing], candidates: Candidates) -> Standing | None:
    """The rank that ended on its own, when all that is told are losses of the store that it hosted."""
    events = candidates.events
    lost = [s for s in live if s.because != "teardown" and not ENDED.search(events[s.event].passage.text)]
    if not lost:
        return None
    blamed = {events[s.event].culprit for s in lost}
    ranks = {process.rank for process in blamed if process is not None}
    if None in blamed or len(ranks) != 1:
        return None
    first = min(s.when for s in lost)
    return next(
        (
            s
            for s in standings
            if s.when < first
            and events[s.event].process.rank in ranks
            and ENDED.search(events[s.event].passage.text)
        ),
        None,
    )
