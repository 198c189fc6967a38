"""The programs of the quiet corpus, read from `cards/*.txt`, and how a program is varied.

A card begins with `=== name`; after the name stand the ids of entries that truly describe what happens, if
any. The rest is Python (a function `run` that the styles call) or, in the files of shell cards, files
(`--- path`) and one command (`$ ...`). `@noun@`, `@n@` and the like are replaced with a seed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parent / "cards"
PYTHON = {"python": 6, "libraries": 5, "torch": 4, "near": 4}  # file -> how often each of its cards runs
SHELL = {"compilers": 2, "scripts": 2, "tools": 2}

NOUNS = (FOLDER / "nouns.txt").read_text("utf-8").split()
DEBIAN = (FOLDER / "debian.txt").read_text("utf-8").split()  # packages that apt-get is asked about


@dataclass(frozen=True)
class Card:
    """One program. `known` are entries that describe its failure: it counts for nobody's silence then."""

    name: str
    group: str
    known: tuple[str, ...]
    command: str = ""  # of a shell card
    files: dict[str, str] = field(default_factory=dict)  # of a shell card
    code: str = ""  # of a Python card

    @property
    def runs(self) -> int:
        return {**PYTHON, **SHELL}.get(self.group, 1)


def all_cards() -> list[Card]:
    """Every card, in the order of the files."""
    cards = [card for group in (*PYTHON, *SHELL) for card in read_cards(group)]
    return cards + [help_card(line) for line in (FOLDER / "help.txt").read_text("utf-8").splitlines()]


def read_cards(group: str) -> list[Card]:
    """The cards of one file."""
    parts = (FOLDER / f"{group}.txt").read_text("utf-8").split("=== ")[1:]
    return [read_card(group, part) for part in parts]


def read_card(group: str, part: str) -> Card:
    heading, _, body = part.partition("\n")
    name, *known = heading.split()
    name = f"{group}-{name}"
    if group in PYTHON:
        return Card(name, group, tuple(known), code=body)
    files: dict[str, str] = {}
    path = ""
    for line in body.splitlines(keepends=True):
        if line.startswith("--- ") and not line.startswith("--- a/"):
            path = line[4:].strip()
            files[path] = ""
        elif line.startswith("$ "):
            return Card(name, group, tuple(known), command=line[2:].strip(), files=files)
        else:
            files[path] += line
    raise ValueError(f"{name} has no command")


def help_card(words: str) -> Card:
    """What a program says about itself: many lines that name errors and options, and no failure."""
    name = "help-" + words.replace(" ", "-").replace("+", "x")
    return Card(name, "help", (), command=f"{words} --help")


def values(rng: Random) -> dict[str, str]:
    """What stands for the marks of a card in one run."""
    noun, other = rng.sample(NOUNS, 2)
    return {
        "@noun@": noun,
        "@Noun@": noun.capitalize(),
        "@NOUN@": noun.upper(),
        "@other@": other,
        "@n@": str(rng.randrange(11, 89)),
        "@m@": str(rng.randrange(11, 89)),
        "@k@": str(rng.randrange(2, 9)),
        "@package@": rng.choice(DEBIAN),
    }


def filled(text: str, marks: dict[str, str]) -> str:
    for mark, value in marks.items():
        text = text.replace(mark, value)
    return text
