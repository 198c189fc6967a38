"""Labelled texts: what a right answer to each is, and where they come from.

A case is a JSON line with `id`, `text` and either `label` (the failure that started it; `root_line` is a
part of the line that did) or `expect` (`none`, a label, or a family with the labels in `accept`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from bench.lab.compose import compose
from kb.catalog.compiler import compile_catalog, index_of
from kb.catalog.entry import Check, Entry
from kb.catalog.index_form import index_text
from kb.catalog.loader import load_catalog
from kb.diagnose.index import Index

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = re.compile(r"https://[^\s,;)]+")


def bare(address: str) -> str:
    """An address of a thread without the comment it points to."""
    return address.partition("#")[0].rstrip("./")


@dataclass(frozen=True)
class Case:
    """One text. `accepted` are the ids of entries or causes that are right; none where no answer is."""

    id: str
    text: str
    accepted: frozenset[str]
    source: str  # file name, `examples`, `composed`
    report: str  # what it was made from: texts of one report are never on both sides of a fit
    root_line: str = ""
    origin: str = ""  # address of the report that it re-creates


def read_cases(file: Path) -> Iterator[Case]:
    """The cases of a JSON Lines file that say what is right."""
    for row in map(json.loads, file.read_text("utf-8").splitlines()):
        if "label" not in row and "expect" not in row:
            continue  # a case of the laboratory: its truth is a line, see bench/reading.py
        wanted = (
            {row["label"]} if "label" in row else set(row.get("accept") or ()) or {row["expect"]} - {"none"}
        )
        yield Case(
            row["id"], row["text"], frozenset(wanted), file.stem,
            min(wanted, default=row["id"]), row.get("root_line") or "", row.get("source") or "",
        )  # fmt: skip


@dataclass(frozen=True)
class Knowledge:
    """The entries, from which an index with or without some of them is made."""

    entries: tuple[Entry, ...]
    checks: tuple[Check, ...]

    @classmethod
    def load(cls, folder: Path = ROOT / "entries") -> Knowledge:
        catalog = compile_catalog(load_catalog(folder)).catalog
        return cls(
            tuple(file.entry for file in catalog.entries), tuple(file.check for file in catalog.checks)
        )

    @cached_property
    def by_id(self) -> dict[str, Entry]:
        return {entry.id: entry for entry in self.entries}

    def index(self, without: str | None = None) -> Index:
        """The index of all entries, or of all but one."""
        return make_index([entry for entry in self.entries if entry.id != without], self.checks)

    def labels(self, entry: Entry) -> frozenset[str]:
        """The ids by which an entry may be named as the right answer: its own and those of its causes."""
        return frozenset({entry.id, *(cause.id for cause in entry.causes)})

    def known(self) -> frozenset[str]:
        return frozenset().union(*(self.labels(entry) for entry in self.entries))

    @cached_property
    def origins(self) -> dict[str, set[str]]:
        """Address of a report -> the entries that have an example made from it."""
        found: dict[str, set[str]] = {}
        for entry in self.entries:
            for example in entry.examples:
                for address in ADDRESS.findall(example.origin):
                    found.setdefault(bare(address), set()).add(entry.id)
        return found

    def is_example(self, case: Case) -> bool:
        """Whether an example of the very entry that explains a case was made from the same report."""
        return self.home(case.accepted) in self.origins.get(bare(case.origin), set())

    def home(self, accepted: frozenset[str]) -> str | None:
        """The entry that explains a case with these labels, if there is one."""
        return next((entry.id for entry in self.entries if accepted & self.labels(entry)), None)


def make_index(entries: list[Entry], checks: tuple[Check, ...]) -> Index:
    """An index in memory, through the very form in which it is stored."""
    return Index.from_json(index_text(index_of(entries, list(checks))).encode())


def example_cases(knowledge: Knowledge, folder: Path = ROOT / "entries") -> list[Case]:
    """The examples that stand beside the entries, with what they expect."""
    found = []
    for entry in knowledge.entries:
        for example in entry.examples:
            home, _, cause = example.expect.partition("/")
            accepted = frozenset({home, cause} - {"none", ""})
            text = (folder / entry.id / example.file).read_text("utf-8")
            report = home if accepted else entry.id
            found.append(Case(f"{entry.id}/{example.file}", text, accepted, "examples", report))
    return found


def composed_cases(cases: list[Case], seed: int = 0, processes: int = 8, lines: int = 400) -> list[Case]:
    """Each case with a known line, hidden among the lines of other processes (bench/lab/compose.py)."""
    made = []
    for case in cases:
        if case.root_line and case.accepted:
            row = {"id": case.id, "text": case.text, "root_line": case.root_line}
            hidden = compose(row, seed, processes, max(lines, 3 * case.text.count("\n")))
            made.append(replace(case, text=hidden.text, source="composed"))
    return made
