"""Signatures as a catalogue mined from sources would hold them, to measure how the matcher bears many.

Their words are those of the entries' examples, as often as they stand there, so that many meet a paste; most
have an identifier or two, which several share. The same number gives the same signatures.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from kb.diagnose import template

ROOT = Path(__file__).resolve().parent.parent
PLAIN = re.compile(r"(?<![\w./-])[A-Za-z]{2,14}(?![\w/-])")
HOLES = ("{_}", "{name:word}", "{count:int}", "{path:path}", "{size:size}", "{value:num}", "{items:list}")
PLACES = ("message",) * 14 + ("log",) * 3 + ("source",) * 2 + ("body",)
ERRORS = (
    "ValueError",
    "RuntimeError",
    "TypeError",
    "KeyError",
    "AssertionError",
    "OSError",
    "NotImplementedError",
)
IDENTIFIERS = 20_000
SEED = 7


def synthetic_entries(number: int) -> list[dict[str, Any]]:
    """So many entries of one signature each, as the index holds them."""
    source = Source()
    return [source.entry(at) for at in range(number)]


class Source:
    """Makes messages out of common words and made-up identifiers."""

    def __init__(self) -> None:
        self._dice = random.Random(SEED)
        texts = (path.read_text(encoding="utf-8") for path in sorted((ROOT / "entries").glob("*/*.txt")))
        self._words = [word for text in texts for word in PLAIN.findall(text)]
        rare = sorted({word.lower() for word in self._words})
        self._identifiers = [self._identifier(rare) for _ in range(IDENTIFIERS)]
        self._often = list(accumulate(1 / (1 + rank) ** 0.8 for rank in range(IDENTIFIERS)))

    def entry(self, number: int) -> dict[str, Any]:
        """An entry that says little more than its signature."""
        package = self._dice.choice(("vllm", "sglang", "torch", "transformers", "deepspeed", "ray", "peft"))
        text = next(text for text in self._templates() if useful(text))
        return {
            "id": f"{package}-mined-{number:06}",
            "title": text[:100],
            "summary": f"{package} raises this where what it was given does not fit.",
            "status": "draft",
            "role": "initiating",
            "components": [package],
            "affected": [{"package": package, "versions": ">=0.5", "fixed_in": None}],
            "signatures": [self._signature(text, package)],
            "supports": [],
            "derive": {},
            "causes": [],
            "siblings": [],
            "leads_to": [],
            "find_root": None,
            "path": f"errors/{package}-mined-{number:06}/",
        }

    def _signature(self, text: str, package: str) -> dict[str, Any]:
        roll = self._dice.random
        return {
            "id": "mined",
            "template": text,
            "on": self._dice.choice(PLACES),
            "exception": self._dice.choice(ERRORS) if roll() < 0.6 else None,
            "where": f"{package}/{self._dice.choice(self._identifiers)}.py" if roll() < 0.6 else None,
            "versions": {package: ">=0.5"} if roll() < 0.3 else {},
        }

    def _templates(self) -> Iterator[str]:
        """Messages of 3 to 14 words with holes and identifiers."""
        while True:
            size = self._dice.randint(3, 14)
            parts = [self._dice.choice(self._words) for _ in range(size)]
            for _ in range(self._dice.choice((0, 1, 1, 2))):
                parts[self._dice.randrange(size)] = self._dice.choices(
                    self._identifiers, cum_weights=self._often
                )[0]
            for hole in self._dice.sample(HOLES, k=self._dice.choice((0, 1, 1, 2))):
                at = self._dice.randrange(size)
                if not any("{" in part for part in parts[max(at - 1, 0) : at + 2]):
                    parts[at] = hole
            yield " ".join(parts)

    def _identifier(self, words: list[str]) -> str:
        return "_".join(self._dice.choice(words) for _ in range(self._dice.choice((2, 2, 3))))


def useful(text: str) -> bool:
    """Whether a template says enough to identify something, as the entries' rules ask."""
    try:
        parsed = template.parse(text)
    except template.TemplateError:
        return False
    return bool(template.anchors(parsed)) and template.specificity(parsed) >= template.SPECIFICITY_FLOOR
