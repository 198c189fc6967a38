"""The compiled entries that the matcher loads, and their file form (JSON).

The index carries what matching needs and the prose of the wire form; the rest of an entry is separate JSON.
Entries are kept as plain JSON objects and become `Entry` values when a paste first points to them, so a
large index loads quickly. `kb.catalog.compiler` writes the file; nothing else may.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from kb.diagnose.template import literal_words, parse, required_words

SCHEMA = "1.0"


@dataclass(frozen=True, slots=True)
class Signature:
    """One template of an entry with what else must hold where it is found."""

    id: str
    template: str
    on: str = "message"
    exception: str | None = None
    level: str | None = None
    where: str | None = None
    function: str | None = None
    status: int | None = None
    param: str | None = None
    each: str = "message"
    versions: dict[str, str] = field(default_factory=dict)
    alias: bool = False


@dataclass(frozen=True, slots=True)
class Tell:
    """Speaks for or against: a template, or a comparison. `weight` in nats, negative when against."""

    weight: float
    note: str
    template: str | None = None
    when: str | None = None
    absent_on: str | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    id: str
    title: str
    kind: str
    prior: float  # relative frequency before the paste is read
    versions: dict[str, str]  # releases in which this can be the reason; empty: all
    tells: tuple[Tell, ...]
    confirm: dict[str, str]
    fix: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    id: str
    title: str
    summary: str
    status: str
    role: str
    components: tuple[str, ...]
    affected: tuple[dict[str, Any], ...]  # package, versions, fixed_in
    signatures: tuple[Signature, ...]
    supports: tuple[Tell, ...]
    derive: dict[str, str]
    causes: tuple[Cause, ...]
    siblings: tuple[dict[str, str], ...]  # id, check
    leads_to: tuple[str, ...]
    find_root: dict[str, str] | None
    path: str


@dataclass(frozen=True, slots=True)
class Outcome:
    id: str
    see: str
    templates: tuple[str, ...]
    supports: tuple[str, ...]
    rules_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Check:
    id: str
    question: str
    look: str | None
    run: str | None
    outcomes: tuple[Outcome, ...]


class BrokenIndex(ValueError):
    """The index file cannot be used; the text says why and what to do."""


class Index:
    """All compiled entries. Built by `load_index` or `Index.from_json`; read only."""

    def __init__(self, data: dict[str, Any]) -> None:
        if data.get("schema") != SCHEMA:
            raise BrokenIndex(
                f"the index has schema {data.get('schema')!r}, this matcher reads {SCHEMA!r}; run `kb build`"
            )
        self._data = data
        self._entries: dict[int, Entry] = {}
        self._required: dict[tuple[int, int], frozenset[str]] = {}

    @property
    def digest(self) -> str:
        return str(self._data["digest"])

    def __len__(self) -> int:
        return len(self._data["entries"])

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Entry id -> number of the entry in this index."""
        return {entry["id"]: number for number, entry in enumerate(self._data["entries"])}

    def entry(self, number: int) -> Entry:
        """The entry with this number, made from its JSON the first time it is asked for."""
        if number not in self._entries:
            self._entries[number] = read_entry(self._data["entries"][number])
        return self._entries[number]

    def find(self, entry_id: str) -> Entry | None:
        """The entry with this id, or None."""
        number = self.numbers.get(entry_id)
        return None if number is None else self.entry(number)

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        return tuple(read_check(check) for check in self._data["checks"])

    @cached_property
    def anchors(self) -> dict[str, list[tuple[int, int]]]:
        """Anchor word -> (entry number, signature number) of the signatures that cannot match without it."""
        return {word: [(a, b) for a, b in places] for word, places in self._data["anchors"].items()}

    @cached_property
    def anchor_words(self) -> frozenset[str]:
        """The words of `anchors`."""
        return frozenset(self.anchors)

    def required(self, entry: int, signature: int) -> frozenset[str]:
        """Words that a text must have, all of them, or this signature cannot stand in it."""
        place = entry, signature
        if place not in self._required:
            self._required[place] = required_words(parse(self.entry(entry).signatures[signature].template))
        return self._required[place]

    @cached_property
    def facts(self) -> tuple[tuple[int, int], ...]:
        """(entry number, signature number) of the signatures that are recognised by a fact."""
        return tuple(
            (number, place)
            for number, entry in enumerate(self._data["entries"])
            for place, signature in enumerate(entry["signatures"])
            if signature["on"] == "fact"
        )

    @cached_property
    def words(self) -> dict[str, tuple[tuple[int, int], ...]]:
        """Word -> the signatures whose literal text has it; only built when a message is damaged."""
        places: dict[str, list[tuple[int, int]]] = {}
        for number, entry in enumerate(self._data["entries"]):
            for place, signature in enumerate(entry["signatures"]):
                if signature["on"] != "fact":
                    for word in literal_words(parse(signature["template"])):
                        places.setdefault(word.lower(), []).append((number, place))
        return {word: tuple(found) for word, found in places.items()}

    @classmethod
    def from_json(cls, text: str | bytes) -> Index:
        """The index from its JSON text. Raises BrokenIndex when it is not one."""
        try:
            data = json.loads(text)
        except ValueError as error:
            raise BrokenIndex(f"the index is not JSON ({error}); run `kb build`") from error
        if not isinstance(data, dict):
            raise BrokenIndex("the index is not a JSON object; run `kb build`")
        return cls(data)


def load_index(path: Path | str) -> Index:
    """The index in a file. Raises BrokenIndex with what to do when it cannot be read."""
    try:
        return Index.from_json(Path(path).read_bytes())
    except OSError as error:
        raise BrokenIndex(f"no index at {path} ({error.strerror}); run `kb build`") from error


def read_entry(data: dict[str, Any]) -> Entry:
    """An entry from its JSON object, whose keys are the fields of `Entry`."""
    return Entry(
        **{
            **data,
            "components": tuple(data["components"]),
            "affected": tuple(data["affected"]),
            "signatures": tuple(Signature(**signature) for signature in data["signatures"]),
            "supports": tuple(Tell(**tell) for tell in data["supports"]),
            "causes": tuple(read_cause(cause) for cause in data["causes"]),
            "siblings": tuple(data["siblings"]),
            "leads_to": tuple(data["leads_to"]),
        }
    )


def read_cause(data: dict[str, Any]) -> Cause:
    """A cause from its JSON object."""
    return Cause(**{**data, "tells": tuple(Tell(**tell) for tell in data["tells"])})


def read_check(data: dict[str, Any]) -> Check:
    """A check from its JSON object."""
    outcomes = tuple(
        Outcome(**{**o, **{k: tuple(o[k]) for k in ("templates", "supports", "rules_out")}})
        for o in data["outcomes"]
    )
    return Check(**{**data, "outcomes": outcomes})
