"""Every example of every entry under `entries/`, with what the matcher must answer to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kb.catalog.entry import Entry
from kb.catalog.loader import Catalog, load_catalog
from kb.diagnose.diagnosis import Diagnosis, Failure

Ask = Callable[[str], Diagnosis]
ROOT = Path(__file__).resolve().parents[2] / "entries"


@dataclass(frozen=True)
class Example:
    """One example file. `entry` is the entry it stands beside, `expect` an entry, `entry/cause` or `none`."""

    entry: str
    file: str
    text: str
    expect: str
    verdict: str
    line: str | None

    @property
    def own(self) -> bool:
        """Whether it must lead to its own entry."""
        return self.file.startswith("match-")

    @property
    def expected(self) -> tuple[str | None, str | None]:
        """Entry and cause that must be answered; None for any."""
        if self.expect == "none":
            return None, None
        entry, _, cause = self.expect.partition("/")
        return entry, cause or None

    def __str__(self) -> str:
        return f"{self.entry}/{self.file.removesuffix('.txt')}"


@cache
def catalog() -> Catalog:
    return load_catalog(ROOT)


@cache
def examples() -> tuple[Example, ...]:
    """All examples, sorted by entry and file."""
    found = [
        Example(file.entry.id, example.file, text, example.expect, example.verdict, example.line)
        for file in catalog().entries
        for example in file.entry.examples
        if (text := file.example(example.file)) is not None
    ]
    return tuple(sorted(found, key=str))


def matches() -> list[Example]:
    """The examples that must lead to their own entry."""
    return [example for example in examples() if example.own]


def relatives(entry: Entry) -> set[str]:
    """The entries that an entry names as siblings or relatives."""
    return {sibling.id for sibling in entry.siblings} | {relation.id for relation in entry.related}


def main_failure(diagnosis: Diagnosis) -> Failure | None:
    """The failure that `best` belongs to, else the first."""
    best = diagnosis.best
    for failure in diagnosis.failures:
        if best and any((h.entry, h.cause) == (best.entry, best.cause) for h in failure.hypotheses):
            return failure
    return diagnosis.failures[0] if diagnosis.failures else None


def answer(diagnosis: Diagnosis) -> tuple[str, str | None, str | None]:
    """Verdict, best entry and its cause."""
    best = diagnosis.best
    return diagnosis.verdict, best.entry if best else None, best.cause if best else None
