"""Whom the events blame: a process that waited or lost another one says which, or all of them together do.

The words name a rank or host; else the one rank that did something else than all others is to blame, or the
one whose work was announced and not finished when another one's wait ended.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from kb.diagnose.clean.text import CleanText, Process
from kb.diagnose.report import Event

# `... retrieving ncclUniqueId from [0] via c10d key-value store ...`,
# `... received errors while waiting for send/recv from rank 0. ...`
BLAMED = (
    re.compile(r"retr(?:ie|ei)ving ncclUniqueId from \[(?P<rank>\d+)\]"),
    re.compile(r"waiting for send/recv from rank (?P<rank>\d+)"),
    re.compile(r"\bRanks? (?P<rank>\d+)(?:, [\d, ]+)? failed to pass monitoredBarrier"),
    re.compile(r"Missing ranks:\s*(?P<rank>\d+)"),  # Horovod's stall inspector
    re.compile(r"Connection closed by localRank (?P<local_rank>\d+)"),
    re.compile(r"Got completion from peer (?P<host>[\w.:-]+)<\d+>"),  # NCCL over InfiniBand
    re.compile(r"Node failure on (?P<host>[\w.-]+)"),  # Slurm
)
# Rank 0 hosts the store of a process group: who lost the store lost rank 0.
STORE = re.compile(
    r"(?:recvValue|sendBytes|recvVector)(?:WithTimeout)? failed on SocketImpl|flag on TCPStore"
)
# A wait that ended: `Timed out waiting 1800000ms for recv`, `Socket Timeout`, `... operation timeout: ...`
WAITED = ("imed out", "imeout", "ime out", "TIMEOUT")
# What was waited for: `WorkNCCL(SeqNum=812, OpType=ALLREDUCE, NumelIn=4096, ...`
WORK = re.compile(r"SeqNum=(?P<number>\d+), OpType=(?P<kind>\w+)")
GROUP = re.compile(r"\[PG (?:ID )?(?P<group>\w+)")
COLLECTIVES = "torch/distributed/"  # part of the paths of frames that name the call otherwise
FEWEST_ALIKE = 2  # ranks that did the same
# `> building the indices on rank 0 ...`, `Loading the data set on rank 0...`
ANNOUNCED = re.compile(
    r"\b[A-Za-z]{3,12}ing\b.{0,120}\bon (?:global )?rank (?P<rank>\d{1,6})\b[^.]{0,40}\.{3}\s*$"
)
FINISHED = re.compile(r"(?i)\b(?:done|finished|completed|elapsed|elasped|took)\b")
FARTHEST = 400  # lines above the end of a wait in which the work may be announced


def name_culprits(clean: CleanText, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events, each with the process that it blames where there is one."""
    hosts = hosts_of_ranks(clean)
    waited = [event for event in events if event.on != "fact" and has_waited(event)]
    odd = odd_one(waited)
    waiting = {event.at for event in waited}
    named = []
    for event in events:
        culprit = blamed(event)
        if culprit is None and event.at in waiting:
            culprit = odd if odd is not None else busy(clean, event)
        named.append(event if culprit is None else replace(event, culprit=placed(culprit, hosts)))
    return tuple(named)


def has_waited(event: Event) -> bool:
    text = event.passage.text[:2000]
    return any(words in text for words in WAITED)


def hosts_of_ranks(clean: CleanText) -> dict[str, set[str | None]]:
    """The hosts on whose lines each rank stands."""
    hosts: dict[str, set[str | None]] = {}
    for process in {line.process for line in clean.lines}:
        if process.rank is not None:
            hosts.setdefault(process.rank, set()).add(process.host)
    return hosts


def placed(culprit: Process | None, hosts: dict[str, set[str | None]]) -> Process | None:
    """A blamed rank with its host: the one that its lines name, or the only one of all ranks."""
    if culprit is None or culprit.rank is None or culprit.host is not None:
        return culprit
    able = hosts.get(culprit.rank) or {host for each in hosts.values() for host in each}
    return culprit._replace(host=next(iter(able))) if len(able) == 1 else culprit


def blamed(event: Event) -> Process | None:
    """Another process that the event's words blame."""
    if event.on == "fact":
        return None
    text = event.passage.text[:2000]
    for pattern in BLAMED:
        if match := pattern.search(text):
            values = match.groupdict()
            return Process(**{name: value for name, value in values.items() if value is not None})
    return Process(rank="0") if STORE.search(text) else None


def odd_one(waited: Iterable[Event]) -> Process | None:
    """The one rank that waited in another collective than all others, who agree."""
    works: dict[str, str] = {}
    groups: set[str] = set()
    for event in waited:
        groups.update(GROUP.findall(event.passage.text[:200]))
        work = waited_for(event)
        if event.process.rank is not None and work is not None:
            works.setdefault(event.process.rank, work)
    alike = Counter(works.values()).most_common()
    if len(groups) > 1 or len(alike) != 2 or alike[0][1] < FEWEST_ALIKE or alike[1][1] != 1:
        return None
    return Process(rank=next(rank for rank, work in works.items() if work == alike[1][0]))


def waited_for(event: Event) -> str | None:
    """The collective that an event waited for, as its words or its frames name it."""
    work = WORK.search(event.passage.text[:2000])
    if work is not None:
        return work[0]
    frames = (frame for frame in reversed(event.frames) if COLLECTIVES in frame.path)
    return next((frame.function for frame in frames), None)


def busy(clean: CleanText, event: Event) -> Process | None:
    """The rank whose work was announced before a wait ended, and not finished: the others waited for it."""
    first = event.frames[0].at if event.frames else event.at
    for at in range(first - 1, max(first - FARTHEST, -1), -1):
        text = clean.lines[at].text
        if FINISHED.search(text):
            return None
        if "rank" in text and (match := ANNOUNCED.search(text[:400])) is not None:
            return Process(rank=match["rank"]) if event.process.rank != match["rank"] else None
    return None
