"""How far each event is from having started a failure: its tier, 0 for an error of its own.

The rows of `consequences` say what an event is by its words; here time, process and chain are added: what
comes behind a timeout or a wrapper cannot be its root, a death that the launcher reports stands before the
ranks that only lost a peer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from kb.diagnose.clean.text import Process
from kb.diagnose.consequences import because
from kb.diagnose.hits import Candidates
from kb.diagnose.index import Index
from kb.diagnose.read.order import ranks_of_lines
from kb.diagnose.report import Because, Event, Report

PRIMARY = 0.0  # an error of its own: an exception, a body, an Xid, or anything that an initiating entry knows
FATAL = 0.2  # a process died hard and says so without an exception
DEATH = 0.3  # another process says of one that it died by a signal, or reports what failed before all others
KNOWN_PEER = 0.4  # a rank that waited for another one, and an entry knows the message
LOGGED = 0.5  # a line of level ERROR that no entry knows
PEER = 1.0  # a rank that lost another one
WRAPPER = 2.0
EXIT = 2.5  # an exit code, a traceback cut before its exception, an echo
SIGNAL = 2.7  # ended from outside; only the answer when there is nothing else
WARNING = 3.0
NOISE = 4.0
TIERS: dict[Because, float] = {"peer": PEER, "wrapper": WRAPPER, "teardown": NOISE, "advice": NOISE}
UNKNOWN_LIMIT = WARNING  # from this tier on an event that no entry knows is no failure at all

# faulthandler: `Fatal Python error: Segmentation fault`; what shells say is a fact, read as `ended`.
# A DataLoader's worker: `ERROR: Unexpected segmentation fault encountered in worker.`
HARD_END = re.compile(r"\s*(?:Fatal Python error|ERROR: Unexpected .{1,40} encountered in worker)")
# The kubelet ends a container whose probe failed; single failed probes before it are not yet a failure.
PROBED = re.compile(r"Killing\b.{0,80}\bfailed \w+ probe, will be restarted")
HARD_ENDS = frozenset(
    {"Killed", "Segmentation fault", "Bus error", "Illegal instruction", "Floating point exception"}
)
# The kernel or Slurm says why a process was killed; a shell's `Killed` above it only says that it was.
KILLER = re.compile(r"\boom-kill|\binvoked oom-killer|[Oo]ut of memory: Kill")
# torchrun: `failed (exitcode: -9) local_rank: 1 (pid: 5579)`, and `exitcode : -9 (pid: 5579)` in its summary.
# -6 is not here: a watchdog aborts its own process. Nor is -15: the launcher ends the survivors with it.
# What parents say of children that a signal ended: multiprocessing, PyTorch's DataLoader, gunicorn, Open MPI.
DIED = re.compile(
    r"exitcode\s*: -(?:4|7|8|9|11)\b"
    r"|process pool was terminated abruptly"
    r"|DataLoader worker \(pid\(?s?\)? [\d, ]+\) (?:is killed by signal|exited unexpectedly)"
    r"|worker process managed by the executor was unexpectedly terminated"
    r"|was sent SIG(?:KILL|SEGV|BUS|ILL|FPE)\b"
    r"|exited on signal (?:4|7|8|9|11)\b"
)
# The outputs of these tools tell what is wrong; who called one only says that it failed.
TOOL = re.compile(
    r"(?:^|[/'\"\s\[])(?:ninja|gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?|nvcc|hipcc|cmake|make|pip\d?|uv|git|ld)(?:['\"\s,\]]|$)"
)
FEWEST, QUOTED = 20, 200  # characters of a message that another one must repeat, and of which it must
ENDED_FROM_OUTSIDE = re.compile(r"got signal: (?:15|2)\b|[Rr]eceived (?:15|2|SIGTERM|SIGINT) death signal")


@dataclass(frozen=True, slots=True)
class Standing:
    """What grouping needs to know of one event."""

    event: int
    tier: float
    because: Because | None
    entries: frozenset[int]
    when: float
    death: bool = False  # the launcher names a rank that died by a signal


def stand(report: Report, candidates: Candidates, index: Index) -> list[Standing]:
    """Tier, reason and time of every event."""
    when = ranks_of_lines(report.clean, [event.at for event in candidates.events])
    known_in = candidates.entries()
    standings = []
    for number, event in enumerate(candidates.events):
        entries = known_in.get(number, frozenset())
        reason = because(event)
        known = any(index.entry(entry).role == "initiating" for entry in entries)
        own = tier(event, reason, entries, known)
        death = not known and tells_death(event)
        standings.append(Standing(number, own, reason, entries, when[event.at], death))
    left = left_behind(standings, candidates)
    timeouts, first_known = first_timeouts(standings, candidates), first_consequence(standings)
    return [
        replace(standing, tier=WRAPPER, because="chained")
        if standing.event in left
        else echo(standing, candidates.events[standing.event], timeouts, first_known)
        for standing in standings
    ]


def tier(event: Event, reason: Because | None, entries: frozenset[int], known: bool) -> float:
    """The tier of an event by itself."""
    text = event.passage.text[:400]
    if known:
        return KNOWN_PEER if reason in ("peer", "teardown", "advice") else PRIMARY
    if tells_death(event):
        return DEATH
    if entries:  # only secondary entries know it
        return PEER if reason == "peer" else WRAPPER
    if reason == "teardown" and ENDED_FROM_OUTSIDE.search(text):
        return SIGNAL
    if event.type == "subprocess.CalledProcessError" and TOOL.search(text):
        return LOGGED
    if reason is not None:  # what is only a warning goes on
        return max(TIERS[reason], WARNING) if event.level == "warning" else TIERS[reason]
    return unknown_tier(event, text)


def tells_death(event: Event) -> bool:
    """Whether an event says of a process that it ended by a signal, or that it was the first to fail."""
    text = event.passage.text[:400]
    return DIED.search(text) is not None or event.fields.get("declared") == "first"


def unknown_tier(event: Event, text: str) -> float:
    """The tier of an event that no entry and no row knows."""
    if "cut" in event.fields:
        return EXIT
    if event.on == "fact":
        return PRIMARY if "xid" in event.fields else hard_end(event)
    if "assertion" in event.fields:
        return PRIMARY
    if event.level == "warning":
        return LOGGED if "alone" in event.fields else WARNING
    if event.type is not None:
        return EXIT if event.type.endswith("CancelledError") else PRIMARY
    if KILLER.search(text):
        return PRIMARY
    if event.fields.get("declared") == "refused":
        return EXIT
    return FATAL if HARD_END.match(text) or PROBED.search(text) else LOGGED


def hard_end(event: Event) -> float:
    """The tier of a fact about an end: a crash is an error of its own, an exit code follows from one."""
    return FATAL if event.fields.get("ended") in HARD_ENDS else EXIT


def left_behind(standings: list[Standing], candidates: Candidates) -> set[int]:
    """Unknown exceptions that a chain leaves behind.

    One during whose handling another was raised: the later one ended the work. And one whose cause stands
    below it: exception groups, Java, and PyTorch's `Caught ValueError in DataLoader worker process 0.` tell
    the outermost first.
    """
    left: set[int] = set()
    for standing in standings:
        event = candidates.events[standing.event]
        if event.cause is None:
            continue
        repeats = repeats_cause(event, candidates.events[event.cause])
        if event.chain == "context" and standing.because is None and not repeats:
            left |= unknown_causes(event.cause, standings, candidates)
        below = event.chain == "cause" and event.cause > standing.event
        if below and (not standing.entries or is_known(standings[event.cause])):
            left.add(standing.event)
    told = {entry for number in left for entry in standings[number].entries}
    return left | {s.event for s in standings if s.because == "wrapper" and s.entries and s.entries <= told}


def repeats_cause(event: Event, cause: Event) -> bool:
    """Whether an exception only passes on the one it was raised from: `Capture cuda graph failed: {that}`."""
    said = cause.passage.text.partition("\n")[0].strip()[:QUOTED]
    return len(said) >= FEWEST and said in event.passage.text


def is_known(standing: Standing) -> bool:
    """Whether an entry knows an event as an error of its own."""
    return standing.tier == PRIMARY and bool(standing.entries)


def unknown_causes(last: int, standings: list[Standing], candidates: Candidates) -> set[int]:
    """An unknown exception, and the unknown ones above it that it was raised from."""
    causes: set[int] = set()
    at: int | None = last
    while at is not None and at not in causes and not standings[at].entries:
        causes.add(at)
        event = candidates.events[at]
        at = event.cause if event.chain == "cause" and (event.cause or 0) < at else None
    return causes


def first_timeouts(standings: list[Standing], candidates: Candidates) -> dict[Process, float]:
    """When each process first said, in words that an entry knows, that it lost or waited for another one."""
    first: dict[Process, float] = {}
    for standing in standings:
        if standing.tier == KNOWN_PEER:
            process = candidates.events[standing.event].process
            first[process] = min(standing.when, first.get(process, standing.when))
    return first


def first_consequence(standings: list[Standing]) -> float:
    """When the first consequence that an entry knows was told; infinite when there is none."""
    known = (s.when for s in standings if s.entries and KNOWN_PEER <= s.tier <= WRAPPER)
    return min(known, default=float("inf"))


def echo(standing: Standing, event: Event, timeouts: dict[Process, float], first_known: float) -> Standing:
    """What an unknown event behind a known consequence is: it cannot be the root of what was told before it.

    An exception only when its own process had waited; a hard end or a logged error wherever it stands.
    """
    if standing.entries or standing.tier not in (PRIMARY, FATAL, LOGGED):
        return standing
    timeout = timeouts.get(event.process, float("inf")) if standing.tier == PRIMARY else first_known
    return replace(standing, tier=EXIT, because="echo") if timeout < standing.when else standing
