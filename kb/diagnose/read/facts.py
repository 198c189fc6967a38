"""Read facts: what the paste says without a message (exit codes, signals, Kubernetes reasons, Xids)."""

from __future__ import annotations

import re

from kb.diagnose.clean.text import CleanText
from kb.diagnose.read.streams import passage
from kb.diagnose.report import Event, Facts

# Each row: name of the fact, words one of which must stand in the line, pattern. The first hit of a fact counts.
ROWS: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    # kubectl describe: `Reason:  OOMKilled`; pod lists: `0/1   OOMKilled   4 (52s ago)`; JSON: "reason":"OOMKilled"
    ("k8s_reason", ("OOMKilled",), re.compile(r"\b(?P<value>OOMKilled)\b")),
    ("k8s_reason", ("Reason",), re.compile(r"^\s*Reason:\s+(?P<value>[A-Z][A-Za-z]+)\s*$")),
    # `Exit Code:    137`, `exit code 137`, `exit status 137`, `"exitCode": 137`, `exited with code 137`
    (
        "exit_code",
        ("exit", "Exit"),
        re.compile(r"(?i)\bexit(?:ed)?(?:[ _]?(?:code|status)|\s+with(?:\s+(?:exit\s+)?(?:code|status))?)\"?\s*[:=]?\s*(?P<value>-?\d{1,3})\b"),
    ),
    # torchrun: `exitcode  : -9 (pid: 4711)`, `failed (exitcode: 1) local_rank: 1`
    ("exit_code", ("exitcode",), re.compile(r"\bexitcode\s*:\s*(?P<value>-?\d{1,3})\b")),
    ("signal", ("SIG",), re.compile(r"\b(?P<value>SIG(?:KILL|SEGV|ABRT|BUS|TERM|ILL|FPE|INT|HUP))\b")),
    ("signal", ("ignal",), re.compile(r"\b[Ss]ignal:?\s+(?P<value>\d{1,2})\b")),
    # uvicorn: `"POST /v1/completions HTTP/1.1" 404 Not Found`; clients: `Error code: 404`; curl: `HTTP/1.1 404`
    ("http_status", ("HTTP/",), re.compile(r"HTTP/\d(?:\.\d)?\"?\s+(?P<value>[45]\d\d)\b")),
    ("http_status", ("rror code",), re.compile(r"\bError code:\s*(?P<value>[45]\d\d)\b")),
    ("xid", ("Xid",), re.compile(r"\bXid\b(?:\s*\([^)]*\))?\s*:?\s*(?P<value>\d{1,3})\b")),
    ("world_size", ("world", "nranks", "nproc", "WORLD"), re.compile(
        r"(?i)\b(?:world[_ ]?size\s*[=:]?\s*|nranks\s+)(?P<value>\d{1,5})\b")),
    ("gpu", ("NVIDIA", "GeForce", "Tesla"), re.compile(
        r"\b(?P<value>(?:NVIDIA )?(?:A10G?|A30|A40|A100|A800|H100|H200|H800|H20|B200|L4|L40S?|T4|V100|GeForce RTX \d{4}(?: Ti)?)\b(?:[- ](?:SXM\d|PCIe|PCIE|NVL))?(?:[- ]\d+GB)?)")),
)  # fmt: skip
EVENT_FACTS = {"k8s_reason", "exit_code", "xid"}
HEALTHY_REASONS = {"Completed", "Started", "Pulled", "Created", "Scheduled", "Pulling", "ContainerCreating"}


def read_facts(clean: CleanText) -> tuple[Facts, list[Event]]:
    """The facts of a paste, and an event for each line that states one that is a failure by itself."""
    values: dict[str, str] = {}
    events: list[Event] = []
    for at, line in enumerate(clean.lines):
        stated: dict[str, str] = {}
        for name, needles, pattern in ROWS:
            if not any(needle in line.text for needle in needles):
                continue
            match = pattern.search(line.text)
            if match is not None and is_failure(name, match["value"]):
                stated.setdefault(name, match["value"])
        if stated:
            for name, value in stated.items():
                values.setdefault(name, value)
            if EVENT_FACTS & stated.keys():
                events.append(fact_event(clean, at, stated))
    return make_facts(clean, values), events


def is_failure(name: str, value: str) -> bool:
    """Exit code 0 and the reasons of healthy pods are no failures."""
    return not (name == "exit_code" and int(value) == 0) and value not in HEALTHY_REASONS


def fact_event(clean: CleanText, at: int, stated: dict[str, str]) -> Event:
    line = clean.lines[at]
    return Event(
        on="fact", passage=passage(clean, [at]), at=at, process=line.process, level=line.level, time=line.time,
        fields=stated,
    )  # fmt: skip


def make_facts(clean: CleanText, values: dict[str, str]) -> Facts:
    """Facts with their types; ranks are those whose lines the prefixes name."""
    ranks = {line.process.rank for line in clean.lines if line.process.rank is not None}
    known = tuple(sorted((rank for rank in ranks if rank.isdigit()), key=int))
    world = number(values.get("world_size"))
    silent = (
        tuple(str(rank) for rank in range(world) if str(rank) not in ranks) if world and world <= 4096 else ()
    )
    return Facts(
        exit_code=number(values.get("exit_code")),
        signal=signal_name(values.get("signal")),
        http_status=number(values.get("http_status")),
        xid=number(values.get("xid")),
        k8s_reason=values.get("k8s_reason"),
        world_size=world,
        ranks=known,
        silent_ranks=silent if known else (),
        gpu=values.get("gpu"),
    )


def number(text: str | None) -> int | None:
    return None if text is None else int(text)


SIGNALS = {"1": "SIGHUP", "2": "SIGINT", "4": "SIGILL", "6": "SIGABRT", "7": "SIGBUS", "8": "SIGFPE", "9": "SIGKILL",
           "11": "SIGSEGV", "15": "SIGTERM"}  # fmt: skip


def signal_name(text: str | None) -> str | None:
    return None if text is None else SIGNALS.get(text, text)
