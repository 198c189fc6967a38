"""What other processes write once one has failed: consequences all of them (templates/*-after.txt).

A template file holds one process's lines in each paragraph.
"""

from __future__ import annotations

from functools import cache
from random import Random
from string import Template

from bench.lab.healthy import TEMPLATES


@cache
def paragraphs(program: str) -> tuple[Template, ...]:
    """The paragraphs of a program's file."""
    text = (TEMPLATES / f"{program}-after.txt").read_text("utf-8").rstrip("\n")
    return tuple(Template(paragraph) for paragraph in text.split("\n\n"))


def aftermath_lines(program: str, rng: Random, rank: int, failed: int) -> list[str]:
    """The lines of one process that is not the one that failed."""
    frames = (TEMPLATES / "frames.txt").read_text("utf-8").rstrip("\n")
    text = rng.choice(paragraphs(program)).substitute(
        failed=failed + 11,
        frames=frames,
        line=rng.randrange(500, 560),
        number=failed,
        pid=rng.randrange(1000, 9000),
        port=rng.randrange(1024, 65000),
        rank=rank,
    )
    return text.splitlines()
