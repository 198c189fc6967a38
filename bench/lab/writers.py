"""Who writes the lines of a composed log, and what their launcher puts before each line.

Prefixes are written here from what the launchers do, not with the matcher's own table: a mistake in one would
otherwise hide in the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random

Field = dict[str, str]


@dataclass(frozen=True)
class Writer:
    """One process of a composed log."""

    number: int
    pid: int
    process: Field  # what its prefix says of it
    stem: str  # name of its host, pod or service


@dataclass(frozen=True)
class Style:
    """One launcher's way to mark lines."""

    name: str
    scope: str  # `process`: it marks single processes; `host`: what is inside may mark its own
    program: str  # `training` or `serving`
    process: Callable[[int, int], Field]
    prefix: Callable[[Writer, datetime], str]


def make_writers(style: Style, count: int, rng: Random) -> tuple[Writer, ...]:
    pids = [rng.randrange(1200, 400_000)]
    for _ in range(count - 1):
        pids.append(pids[-1] + rng.randrange(1, 40))
    return tuple(
        Writer(n, pid, style.process(n, pid), next(iter(style.process(n, pid).values())))
        for n, pid in enumerate(pids)
    )


def header(style: Style, now: datetime, level: str) -> str:
    """What a serving program's own logger writes; printed lines (`-` and the case's) have none."""
    place = {"WARNING": "config.py:1604", "INFO": "loggers.py:248"}.get(level)
    return f"{level} {now:%m-%d %H:%M:%S} [{place}] " if place and style.program == "serving" else ""


STYLES: tuple[Style, ...] = (
    Style(
        "torchrun --tee",
        "process",
        "training",
        lambda n, _: {"local_rank": str(n)},
        lambda w, _: f"[default{w.number}]:",
    ),
    Style("rank", "process", "training", lambda n, _: {"rank": str(n)}, lambda w, _: f"[rank{w.number}]: "),
    Style(
        "srun --label",
        "process",
        "training",
        lambda n, _: {"rank": str(n)},
        lambda w, _: f"{w.number:>2}: ",
    ),
    Style(
        "mpirun --tag-output",
        "process",
        "training",
        lambda n, _: {"rank": str(n)},
        lambda w, _: f"[1,{w.number}]<stderr>:",
    ),
    Style(
        "vllm",
        "process",
        "serving",
        lambda n, pid: {"role": f"EngineCore_DP{n}", "pid": str(pid)},
        lambda w, _: f"(EngineCore_DP{w.number} pid={w.pid}) ",
    ),
    Style(
        "ray",
        "process",
        "serving",
        lambda _, pid: {"role": "RayWorkerWrapper", "pid": str(pid)},
        lambda w, _: f"(RayWorkerWrapper pid={w.pid}, ip=10.24.3.{w.number + 11}) ",
    ),
    Style("pdsh", "host", "training", lambda n, _: {"host": f"node{n}"}, lambda w, _: f"{w.stem}: "),
    Style(
        "kubectl --prefix --timestamps",
        "host",
        "serving",
        lambda n, _: {"host": f"llm-{n}"},
        lambda w, now: f"[pod/{w.stem}/server] {now:%Y-%m-%dT%H:%M:%S.%f}Z ",
    ),
    Style(
        "docker compose",
        "host",
        "serving",
        lambda n, _: {"role": f"worker-{n}"},
        lambda w, _: f"{w.stem:<10} | ",
    ),
)
