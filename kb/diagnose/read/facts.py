"""Read facts: what the paste says without a message (exit codes, signals, Kubernetes reasons, Xids)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.diagnose.clean.text import CleanText, Line
from kb.diagnose.read.fact_rows import ROWS
from kb.diagnose.read.prose import is_spoken_of
from kb.diagnose.read.streams import passage
from kb.diagnose.report import Event, Facts
from kb.diagnose.template import words
from kb.diagnose.words import WordMap

EVENT_FACTS = frozenset({"k8s_reason", "exit_code", "xid", "ended"})  # each is a failure by itself
# What shells call the signals: `Killed`, `Segmentation fault (core dumped)`.
ENDED_BY = {
    "Killed": "SIGKILL", "Aborted": "SIGABRT", "Segmentation fault": "SIGSEGV", "Bus error": "SIGBUS",
    "Illegal instruction": "SIGILL", "Floating point exception": "SIGFPE", "Terminated": "SIGTERM",
}  # fmt: skip
HEALTHY_REASONS = frozenset(
    {"Completed", "Started", "Pulled", "Created", "Scheduled", "Pulling", "ContainerCreating"}
)
WAITING = frozenset({"CrashLoopBackOff", "BackOff", "PodInitializing"})  # say that something failed before
SIGNALS = {
    "1": "SIGHUP", "2": "SIGINT", "4": "SIGILL", "6": "SIGABRT", "7": "SIGBUS", "8": "SIGFPE", "9": "SIGKILL",
    "11": "SIGSEGV", "15": "SIGTERM",
}  # fmt: skip
MAX_WORLD = 4096


def read_facts(clean: CleanText, placed: WordMap) -> tuple[dict[str, str], list[Event]]:
    """The facts of a paste as written, and an event for each line whose fact is a failure by itself."""
    values: dict[str, str] = {}
    stated: dict[int, dict[str, str]] = {}
    for at, near in placed.near(ALL_WORDS):
        found = dict(facts_of(clean.lines[at], near))
        for name, value in found.items():
            if values.setdefault(name, value) in WAITING:
                values[name] = value
        if EVENT_FACTS & found.keys():
            stated[at] = found
    return values, [fact_event(clean, at, found) for at, found in telling(clean, stated).items()]


ALL_WORDS = frozenset().union(*(row.words for row in ROWS))
PLACES = {word: [at for at, row in enumerate(ROWS) if word in row.words] for word in ALL_WORDS}


def facts_of(line: Line, near: list[str]) -> Iterator[tuple[str, str]]:
    """Name and value of each fact that one line states, the first of each name.

    `near` are those of the rows' words that stand in the line, alone or in longer words.
    """
    seen: set[str] = set()
    for at in PLACES[near[0]] if len(near) == 1 else sorted({at for word in near for at in PLACES[word]}):
        row = ROWS[at]
        match = row.pattern.search(line.text) if row.fact not in seen else None
        if match is None or row.words.isdisjoint(words(line.text)):
            continue
        if not is_failure(row.fact, match["value"]):
            continue
        if row.fact in EVENT_FACTS and is_spoken_of(line, match.start("value"), match.end("value")):
            continue
        seen.add(row.fact)
        yield row.fact, match["value"]


def is_failure(name: str, value: str) -> bool:
    """Exit code 0 and the reasons of healthy pods are no failures."""
    return not (name == "exit_code" and int(value) == 0) and value not in HEALTHY_REASONS


def telling(clean: CleanText, stated: dict[int, dict[str, str]]) -> dict[int, dict[str, str]]:
    """Without lines that only repeat what another line tells better.

    A row of `kubectl get pods` repeats what `kubectl describe` states as `Reason:`; CrashLoopBackOff follows
    from the reason of the last state.
    """
    reasons = {at: found["k8s_reason"] for at, found in stated.items() if "k8s_reason" in found}
    described = {reason for at, reason in reasons.items() if is_described(clean.lines[at])}
    ended = set(reasons.values()) - WAITING
    # "Reason: Error" says nothing that the exit code below it does not say better.
    plain = {at for at, reason in reasons.items() if reason == "Error" and is_described(clean.lines[at])}
    return {
        at: found
        for at, found in stated.items()
        if not (at in plain and any("exit_code" in stated.get(at + n, ()) for n in (1, 2)))
        if len(found) > 1
        or not (reason := reasons.get(at))
        or not ((reason in described and not is_described(clean.lines[at])) or (reason in WAITING and ended))
    }


def is_described(line: Line) -> bool:
    return "Reason: " in line.text


def fact_event(clean: CleanText, at: int, stated: dict[str, str]) -> Event:
    line = clean.lines[at]
    if "ended" in stated:
        stated = {**stated, "signal": ENDED_BY[stated["ended"]]}
    return Event(
        on="fact",
        passage=passage(clean, [at]),
        at=at,
        process=line.process,
        level=line.level,
        time=line.time,
        fields=stated,
    )


def make_facts(
    clean: CleanText, values: dict[str, str], settings: dict[str, str], events: Iterable[Event]
) -> Facts:
    """Facts with their types. A rank is silent when it is known to exist and shows no failure of its own."""
    writing = {line.process.rank for line in clean.lines}
    ranks = sorted((rank for rank in writing if rank is not None and rank.isdigit()), key=int)
    failing = {event.process.rank for event in events}
    world = number(values.get("world_size")) or launched(settings)
    known = {*ranks, *(str(rank) for rank in range(world or 0))} if (world or 0) <= MAX_WORLD else set(ranks)
    return Facts(
        exit_code=number(values.get("exit_code")),
        signal=signal_name(values.get("signal")) or ENDED_BY.get(values.get("ended", "")),
        http_status=number(values.get("http_status")),
        xid=number(values.get("xid")),
        k8s_reason=values.get("k8s_reason"),
        world_size=world,
        ranks=tuple(ranks),
        silent_ranks=tuple(sorted(known - failing, key=int)) if ranks and failing - {None} else (),
        gpu=values.get("gpu"),
    )


def launched(settings: dict[str, str]) -> int | None:
    """How many ranks torchrun was told to start: processes on each node, and nodes."""
    each, nodes = settings.get("nproc_per_node", ""), settings.get("nnodes", "1")
    return int(each) * int(nodes) if is_small(each) and is_small(nodes) else None


def is_small(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 5


def number(text: str | None) -> int | None:
    return None if text is None else int(text)


def signal_name(text: str | None) -> str | None:
    return None if text is None else SIGNALS.get(text, text)
