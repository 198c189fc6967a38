"""The compiled entries that the matcher loads, and their file form (JSON).

The index carries what matching needs and the prose of the wire form; the rest of an entry is separate JSON.
Its first line holds the tables by which entries are looked up, every further line an entry. A line is read
when a paste first points to its entry, so a large index loads quickly and stays small in memory.
`kb.catalog.index_form` writes the file; nothing else may.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = "1.0"
MOST_REQUIRED = 99


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
    needs_frame: bool = False
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
    refs: frozenset[str] = field(init=False, repr=False)  # what the outcomes name: entries and `entry/cause`
    entries: frozenset[str] = field(init=False, repr=False)  # of these

    def __post_init__(self) -> None:
        refs = frozenset(ref for each in self.outcomes for ref in (*each.supports, *each.rules_out))
        object.__setattr__(self, "refs", refs)
        object.__setattr__(self, "entries", frozenset(ref.partition("/")[0] for ref in refs))


class BrokenIndex(ValueError):
    """The index file cannot be used; the text says why and what to do."""


class Place(NamedTuple):
    """Where a signature stands: the number of its entry, and its own within the entry."""

    entry: int
    signature: int


class Anchored(NamedTuple):
    """A signature that cannot stand in a text without some word, nor without any of the `further` ones."""

    place: Place
    further: tuple[str, ...]


class Index:
    """All compiled entries. Built by `load_index` or `Index.from_json`; read only."""

    def __init__(self, tables: dict[str, Any], rows: list[bytes]) -> None:
        """`tables` is the first line of the file, `rows` are the entries, each as JSON."""
        if tables.get("schema") != SCHEMA:
            raise BrokenIndex(
                f"the index has schema {tables.get('schema')!r}, this matcher reads {SCHEMA}; run `kb build`"
            )
        self._tables = tables
        self._rows = rows
        self._entries: dict[int, Entry] = {}
        self._anchored: dict[str, dict[str, list[Anchored]]] = {}

    @property
    def digest(self) -> str:
        return str(self._tables["digest"])

    def __len__(self) -> int:
        return len(self._rows)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Entry id -> number of the entry in this index."""
        return {entry: number for number, entry in enumerate(self._tables["ids"])}

    def entry(self, number: int) -> Entry:
        """The entry with this number, made from its JSON the first time it is asked for."""
        if number not in self._entries:
            self._entries[number] = read_entry(json.loads(self._rows[number].rstrip(b",")))
        return self._entries[number]

    def signature(self, place: Place) -> Signature:
        return self.entry(place.entry).signatures[place.signature]

    def find(self, entry_id: str) -> Entry | None:
        """The entry with this id, or None."""
        number = self.numbers.get(entry_id)
        return None if number is None else self.entry(number)

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        return tuple(read_check(check) for check in self._tables["checks"])

    @cached_property
    def anchors(self) -> frozenset[str]:
        """The words by which signatures are looked up: each but a fact's has one that it needs."""
        return frozenset(self._tables["anchors"])

    def anchored(self, word: str) -> dict[str, list[Anchored]]:
        """The signatures of an anchor by a second word that they need: the rarest, or the anchor itself.

        So of the hundred signatures of an anchor only those are looked at whose second word is there too.
        """
        if word not in self._anchored:
            found: dict[str, list[Anchored]] = {}
            for text in self._tables["anchors"][word]:
                anchored = read_anchored(text)
                found.setdefault(anchored.further[0] if anchored.further else word, []).append(anchored)
            self._anchored[word] = found
        return self._anchored[word]

    @cached_property
    def facts(self) -> tuple[Place, ...]:
        """The signatures that are recognised by a fact."""
        return tuple(read_place(text) for text in self._tables["facts"].split())

    def sharing(self, words: Iterable[str], most: int) -> dict[str, list[str]]:
        """Word -> the signatures whose literal text has it, for the words of a text, the rarest first.

        Ends before the word with which they would be more than `most`: what so many share tells nothing. The
        signatures are as the table has them, for `read_place`.
        """
        table: dict[str, str] = self._tables["words"]
        found: dict[str, list[str]] = {}
        for word in sorted(
            (word for word in words if word in table), key=lambda word: (len(table[word]), word)
        ):
            places = table[word].split()
            most -= len(places)
            if most < 0:
                break
            found[word] = places
        return found

    @classmethod
    def from_json(cls, text: str | bytes) -> Index:
        """The index from the text of its file. Raises BrokenIndex when it is not one."""
        first, *rows = (text.encode() if isinstance(text, str) else text).split(b"\n")
        try:
            if not rows or rows.pop() != b"]}":
                raise ValueError("its end is missing")
            tables = json.loads(first + b"]}")
        except ValueError as error:
            raise BrokenIndex(
                f"the index is not JSON as `kb build` writes it: {error}; run `kb build`"
            ) from error
        return cls(tables, [row for row in rows if row])


def read_place(text: str) -> Place:
    """`17.1`: the second signature of entry 17."""
    entry, _, signature = text.partition(".")
    return Place(int(entry), int(signature))


def read_anchored(text: str) -> Anchored:
    """`17.1 rank lora`: a place, and what else a text must have."""
    place, *further = text.split()
    return Anchored(read_place(place), tuple(further))


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
