"""Lines that programs write while all is well, made up from what they print (templates/*.txt).

A row of a template file is a weight, a level (`-`: not logged but printed) and the line with its `$fields`.
Some rows hold words that a careless reader takes for a failure: that is what they are for.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from string import Template

TEMPLATES = Path(__file__).parent / "templates"
Row = tuple[int, str, Template]


@cache
def rows(program: str) -> tuple[Row, ...]:
    """The rows of a program's file."""
    cut = [line.split(" ", 2) for line in (TEMPLATES / f"{program}.txt").read_text("utf-8").splitlines()]
    return tuple((int(weight), level, Template(text)) for weight, level, text in cut)


def healthy_line(program: str, rng: Random, step: int, rank: int) -> tuple[str, str]:
    """Level and text of one line of a `training` or `serving` process."""
    table = rows(program)
    _, level, template = rng.choices(table, weights=[weight for weight, _, _ in table])[0]
    return level, template.substitute(numbers(rng, step, rank))


def numbers(rng: Random, step: int, rank: int) -> dict[str, str]:
    """What the fields of all templates can hold in one line."""
    return {
        "bar": f"{'█' * (step % 100 // 10):<10}",
        "clock": f"{step // 60:02d}:{step % 60:02d}",
        "engine": f"{rank:03d}",
        "epoch": f"{step / 3000:.2f}",
        "gib": f"{rng.uniform(60, 71):.2f}",
        "id": f"{rng.getrandbits(64):016x}",
        "local": str(rank % 8),
        "loss": f"{2.4 / (1 + step / 900) + rng.uniform(-0.03, 0.03):.4f}",
        "ms": f"{rng.uniform(301, 870):.1f}",
        "norm": f"{rng.uniform(0.4, 1.9):.4f}",
        "padded": f"{step:>8}",
        "percent": str(step % 100),
        "port": str(rng.randrange(1024, 65000)),
        "rank": str(rank),
        "rate": f"{2e-5 * (1 - step / 90000):.3e}",
        "running": str(rng.randrange(2, 250)),
        "samples": str(step * 512),
        "speed": f"{rng.uniform(1.1, 1.4):.2f}",
        "step": str(step),
        "tokens": str(rng.randrange(520, 1400)),
        "whole": str(step // 3000),
    }
