"""Processes that a line speaks of, and not the one that wrote it.

The launcher's agent writes `failed (exitcode: -9) local_rank: 1 (pid: 5579)` about another process, and its
summary names rank, host and pid of each that fell. An event is told of the process that it is about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb.diagnose.clean.text import CleanText, Process
from kb.diagnose.read.blamed import name_culprits
from kb.diagnose.report import Event
from kb.diagnose.words import WordMap

# torchrun: `failed (exitcode: -9) local_rank: 1 (pid: 5579) of binary: ...`
FAILED = re.compile(r"exitcode: (?P<code>-?\d+)\) local_rank: (?P<local_rank>\d+) \(pid: (?P<pid>\d+)\)")
# DataLoader: `DataLoader worker (pid 10755) is killed by signal: Killed.`, `(pid(s) 466) exited unexpectedly`
WORKER = re.compile(r"worker \(pid(?:\(s\))? (?P<pid>\d+)(?:, [\d, ]+)?\) (?:is killed|exited)")
# gunicorn: `Worker (pid:860) was sent SIGKILL! Perhaps out of memory?`
SENT = re.compile(r"Worker \(pid:(?P<pid>\d+)\) (?:was sent|exited)")
# mpirun: `mpirun noticed that process rank 7 with PID 512 on node gpu-b exited on signal 9 (Killed).`
NOTICED = re.compile(r"process rank (?P<rank>\d+) with PID (?P<pid>\d+) on node (?P<host>[\w.-]+) exited")
# Slurm: `srun: error: gc-041: task 11: Killed`; a task is a rank
TASK = re.compile(r"srun: error: (?P<host>[\w.-]+): task (?P<rank>\d+): ")
# torch.multiprocessing.spawn: `-- Process 1 terminated with the following error:`, a traceback below
HEADS = 3  # lines between that sentence and the first frame
SPAWNED = re.compile(r"-- Process (?P<local_rank>\d+) terminated with the following error")
# mpirun's verdict, job and rank: `The first process to do so was: Process name: [[40412,1],3]`
FIRST = re.compile(r"Process name: \[\[\d+,\d+\],(?P<rank>\d+)\]")
# What a rank says of itself: DDP's `Parameters which did not receive grad for rank 4: ...`,
# `Timed out initializing process group in store based barrier on rank: 0, ...`
ITSELF = re.compile(
    r"(?:did not receive grad for|store based barrier on|initialize process group for|was aborted on)"
    r" rank:? (?P<rank>\d+)"
)
SPEAKING = ("pid", "PID", "rank", "Process name", "task ")  # one of these stands in each of those texts
CHILDREN = (WORKER, SENT)
ABOUT = (FAILED, WORKER, SENT, NOTICED, TASK, FIRST, ITSELF)
# `kubectl get pods`: name, containers, state: `llm-0   0/1   OOMKilled   4 (52s ago)   2m48s`
POD = re.compile(r"\s*(?:[a-z0-9-]+\s+)?(?P<host>[a-z0-9][a-z0-9.-]{0,252})\s+\d+/\d+\s+[A-Z]")
# The driver speaks of a GPU, and of the process that used it: `NVRM: Xid (PCI:0000:3b:00): 79, pid=4711`,
# `NVRM: GPU 0000:3b:00.0: RmInitAdapter failed!`, `... device handle for GPU0000:3b:00.0: Unknown Error`.
GPU = re.compile(
    r"(?:\bPCI:|\bGPU[ -]?)(?P<gpu>[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}(?:\.\d)?)\b"
    r"(?:\): \d+, pid='?(?P<pid>\d+))?"
)
# `Exception on rank 14: ...`, `OOM on rank 3`: what failed there, told by whoever wrote it.
ON_RANK = re.compile(
    r"(?i)\b(?:exception|error|failure|failed|crash(?:ed)?|died|killed|raised|oom|out of memory)"
    r" (?:on|in|at) (?:global )?rank[ :=#]*(?P<rank>\d{1,6})\b"
)
# A DataLoader's worker crashes, its parent names it: `DataLoader worker (pid 609) is killed by signal: ...`
CRASHED = re.compile(r"ERROR: Unexpected .{1,40} encountered in worker")
# torchrun's summary, over several lines.
LABEL = r"\s*(?:[A-Za-z][\w.-]{0,62}+: )?\s*"  # a label that too few lines bear to be known as one
HOST = re.compile(LABEL + r"host\s+: (?P<host>\S+)\s*$")
RANK = re.compile(LABEL + r"rank\s+: (?P<rank>\d+) \(local_rank: (?P<local_rank>\d+)\)\s*$")
EXIT = re.compile(LABEL + r"exitcode\s+: (?P<code>-?\d+) \(pid: (?P<pid>\d+)\)")
SHORTEST_QUOTE = 20  # characters of a message that prove that a line repeats it
MOST_QUOTES = 200  # lines with a rank that are compared
SIGNALS = {"Segmentation fault": "-11", "Aborted": "-6", "Bus error": "-7", "Illegal instruction": "-4"}


@dataclass(frozen=True, slots=True)
class Fallen:
    """A process that the launcher's summary lists as failed."""

    process: Process
    exit_code: str


def fallen(clean: CleanText, words: WordMap) -> tuple[Fallen, ...]:
    """What torchrun's summaries list, each process once, in their order."""
    listed: dict[Process, Fallen] = {}
    host: str | None = None
    ranks: tuple[str, str] | None = None
    for line in (clean.lines[at] for at in words.holding((" : ",))):
        if match := HOST.match(line.text):
            host, ranks = match["host"], None
        elif match := RANK.match(line.text):
            ranks = match["rank"], match["local_rank"]
        elif ranks is not None and (match := EXIT.match(line.text)):
            process = Process(host=host, rank=ranks[0], local_rank=ranks[1], pid=match["pid"])
            listed.setdefault(process, Fallen(process, match["code"]))
            ranks = None
    return tuple(listed.values()) or agents_word(clean, words)


def agents_word(clean: CleanText, words: WordMap) -> tuple[Fallen, ...]:
    """The processes that torchrun's agent names, for a paste without the summary."""
    found = (FAILED.search(clean.lines[at].text) for at in words.holding(("exitcode",)))
    return tuple(
        Fallen(Process(local_rank=match["local_rank"], pid=match["pid"]), match["code"])
        for match in found
        if match is not None
    )


def name_processes(clean: CleanText, words: WordMap, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events, each told of the process it is about where the paste names that."""
    listed = fallen(clean, words)
    by_pid = {each.process.pid: each.process for each in listed}
    quoted = [event for event in events if event.process.rank is not None]
    workers = {match["pid"] for event in events if (match := WORKER.search(event.passage.text[:400]))}
    named: list[Event] = []
    for event in events:
        process = own_process(event)
        if not process.known() and named:
            process = spawned_by(named[-1], event) or process
        if len(workers) == 1 and process.pid is None and CRASHED.search(event.passage.text[:200]):
            process = process._replace(pid=next(iter(workers)))
        known = by_pid.get(process.pid) if process.pid is not None else None
        if known is None and process.rank is None and process.pid is None:
            known = quoted_by(event, quoted[:MOST_QUOTES]) or only_one(event, listed)
        if known is not None:
            process = merged(process, known)
        named.append(event if process is event.process else replace(event, process=process))
    return name_culprits(clean, named)


def quoted_by(event: Event, others: Sequence[Event]) -> Process | None:
    """The rank whose line repeats an unmarked exception: `[Rank 1] ... terminated with exception: ...`."""
    text = event.passage.text.partition("\n")[0]
    if event.type is None or len(text) < SHORTEST_QUOTE:
        return None
    return next((other.process for other in others if text in other.passage.text), None)


def about(event: Event) -> Process | None:
    """The process that the event's own words name."""
    text = event.passage.text[:2000]
    if not any(word in text for word in SPEAKING):
        return None
    for pattern in ABOUT:
        match = pattern.search(text)
        if match is None:
            continue
        values = match.groupdict()
        if pattern is ITSELF:
            return event.process._replace(rank=event.process.rank or values["rank"])
        if pattern in CHILDREN:  # a child of the rank that writes
            return event.process._replace(pid=values["pid"])
        return Process(
            host=values.get("host") or event.process.host,
            rank=values.get("rank"),
            local_rank=values.get("local_rank"),
            pid=values.get("pid"),
        )
    return None


def own_process(event: Event) -> Process:
    """The process of an event, with what its own words say."""
    return about(event) or on_machine(event) or event.process


def spawned_by(above: Event, event: Event) -> Process | None:
    """The process whose traceback stands below what its parent says of it."""
    match = SPAWNED.search(above.passage.text[:400])
    last = above.passage.spots[-1].at
    if match is None or not event.frames or event.frames[0].at - last > HEADS:
        return None
    return Process(local_rank=match["local_rank"])


def on_machine(event: Event) -> Process | None:
    """The GPU, pod or rank that the event's words name, where no prefix says more of who it is."""
    text = event.passage.text[:400]
    own = event.process
    if own.role in (None, "kernel") and ("GPU" in text or "PCI:" in text) and (match := GPU.search(text)):
        return own._replace(role=f"GPU {match['gpu']}", pid=match["pid"] or own.pid)
    if own.rank is None and "rank" in text and (match := ON_RANK.search(text)):
        return own._replace(rank=match["rank"])
    if "k8s_reason" in event.fields and own.host is None and (match := POD.match(text)):
        return own._replace(host=match["host"])
    return None


def only_one(event: Event, listed: tuple[Fallen, ...]) -> Process | None:
    """The process of an unmarked error, when the summary lists a single one that can have written it."""
    if event.type is None and event.level not in ("error", "critical"):
        return None
    code = next((code for word, code in SIGNALS.items() if word in event.passage.text[:200]), "1")
    able = [each.process for each in listed if each.exit_code == code]
    return able[0] if len(able) == 1 else None


def merged(process: Process, known: Process) -> Process:
    """What the line says of a process, completed by what the summary says."""
    return Process(
        host=process.host or known.host,
        rank=process.rank or known.rank,
        local_rank=process.local_rank or known.local_rank,
        role=process.role,
        pid=process.pid or known.pid,
    )
