"""The index as a file: tables to look entries up by, and one line for each entry.

    {"anchors": ..., "checks": ..., ..., "entries":[
    {"id": ...},
    {"id": ...}
    ]}

The matcher reads the first line when it loads, and a line of an entry when a paste points to it. So an index
of 50,000 signatures loads as quickly as its tables are read. It is JSON for everybody else.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from math import log
from typing import Any

from kb.diagnose import template
from kb.diagnose.index import SCHEMA
from kb.diagnose.template.weigh import weight

Json = dict[str, Any]
Placed = tuple[str, template.Template]
"""Where a signature stands (`3.0`: the first of entry 3), and its template."""


def index_json(entries: list[Json], checks: list[Json]) -> Json:
    """The index. The digest is that of everything else in it, so equal entries give an equal digest."""
    placed = list(templates(entries))
    index = {
        "schema": SCHEMA,
        "ids": [entry["id"] for entry in entries],
        "facts": facts(entries),
        "anchors": anchors(placed),
        "words": words(placed),
        "checks": checks,
        "entries": entries,
    }
    return {**index, "digest": hashlib.sha256(canonical(index).encode()).hexdigest()}


def canonical(value: Json) -> str:
    """JSON in which equal values have equal text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def index_text(index: Json) -> str:
    """The index as it stands in its file."""
    head = canonical({key: value for key, value in index.items() if key != "entries"})
    rows = ",\n".join(canonical(entry) for entry in index["entries"])
    return f'{head[:-1]},"entries":[\n{rows}\n]}}'


def templates(entries: list[Json]) -> Iterator[Placed]:
    """Every signature that is text."""
    for number, entry in enumerate(entries):
        for position, signature in enumerate(entry["signatures"]):
            if signature["on"] != "fact":
                yield f"{number}.{position}", template.parse(signature["template"])


def facts(entries: list[Json]) -> str:
    """Where the signatures stand that are comparisons over facts, looked up by no word."""
    return " ".join(
        f"{number}.{position}"
        for number, entry in enumerate(entries)
        for position, signature in enumerate(entry["signatures"])
        if signature["on"] == "fact"
    )


def anchors(placed: list[Placed]) -> dict[str, list[str]]:
    """Word -> the signatures that cannot stand in a text without it, each with its other needed words.

    Of the words that a signature needs the one is taken that says most and that few others need: a word that
    a thousand signatures share would make a thousand candidates of each text that has it.
    """
    shared = Counter(word for _, parsed in placed for word in template.required_words(parsed))

    def rarity(word: str) -> tuple[float, int, str]:
        return weight(word) - log(1 + shared[word]), len(word), word

    found: dict[str, list[str]] = {}
    for place, parsed in placed:
        for word in template.anchors(parsed, rarity):
            further = sorted(template.required_words(parsed) - {word}, key=rarity, reverse=True)
            found.setdefault(word, []).append(" ".join([place, *further]))
    return dict(sorted(found.items()))


def words(placed: list[Placed]) -> dict[str, str]:
    """Word -> the signatures whose literal text has it, optional parts included."""
    found: dict[str, list[str]] = {}
    for place, parsed in placed:
        for word in template.literal_words(parsed):
            found.setdefault(word, []).append(place)
    return {word: " ".join(places) for word, places in sorted(found.items())}
