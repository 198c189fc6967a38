"""A problem in an entry, with its place, as one line for people and as JSON.

Problems are values: all are collected, none is raised, so that a person sees everything at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

READING = {
    "KB001": "The file is missing, cannot be opened or is not UTF-8 text.",
    "KB002": "The file is not YAML.",
    "KB003": "A key stands twice in one mapping; YAML would silently keep the last.",
    "KB004": "Anchors, aliases and tags are refused: an entry is plain text that reads from top to bottom.",
    "KB005": "A file holds one document, so that its place in the folder says what it is.",
    "KB006": "The file is larger or nested deeper than any entry needs; something went wrong.",
    "KB101": "A key that every entry needs is missing.",
    "KB102": "A key is unknown: a typing error in a free key would pass unseen.",
    "KB103": "A value has the wrong form.",
}
"""Codes of problems found while a file is read, each with its reason. The other codes belong to rules."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """What is wrong, where (line and column from 1), and what to do about it."""

    path: str
    line: int
    column: int
    code: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column} {self.code} {self.message} ({self.hint})"


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems by file and place, each once: the same order on screen, in JSON and in every run."""
    return tuple(sorted(set(problems)))


def as_json(problems: Iterable[Problem]) -> list[dict[str, str | int]]:
    """Problems as plain JSON objects, in order."""
    return [asdict(problem) for problem in in_order(problems)]
