"""What a parsed template consists of. All values; `parse` makes them, `find` and the others read them."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import Literal as Only

from kb.diagnose.template.slots import SlotType

Quality = Only["exact", "variant", "partial"]


class TemplateError(ValueError):
    """The source is no template. The text says what is wrong and what to do; `offset` is the place in it."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Literal:
    """Literal text, normalised as texts are. `words` are its words: start, end, and nats each.

    `edge_before` and `edge_after`: it begins or ends with a word that must not go on beyond it.
    """

    text: str
    lower: str
    edge_before: bool
    edge_after: bool
    words: tuple[tuple[int, int, float], ...]

    @property
    def nats(self) -> float:
        return fsum(weight for _, _, weight in self.words)


@dataclass(frozen=True, slots=True)
class Slot:
    """A typed placeholder; without a name its value is not kept.

    A blank beside an optional slot belongs to the slot (`blank_before`, `blank_after`), because it goes when
    the value is empty. `follow` is the literal text that ends the value, with that blank; None at the end.
    `then` is the type of the value that should come right after `follow`, if one should.
    """

    name: str | None
    type: SlotType
    optional: bool = False
    blank_before: bool = False
    blank_after: bool = False
    follow: Literal | None = None
    then: SlotType | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """A placeholder without a type: any text inside one message."""

    name: str | None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Literals and typed slots without a gap: found or not at a place, with no choice left.

    `first` is the index of the first literal (1 when a slot begins the run), `reach` the most it can span.
    """

    elements: tuple[Literal | Slot, ...]
    first: int
    reach: int

    @property
    def needle(self) -> Literal:
        literal = self.elements[self.first]
        assert isinstance(literal, Literal)
        return literal


@dataclass(frozen=True, slots=True)
class Variant:
    """A template with each optional part taken or left out: runs with gaps around and between them.

    `gaps[i]` stands between run i and run i + 1. `literals` are sorted, the one that says most first.
    """

    runs: tuple[Run, ...]
    gaps: tuple[Gap, ...]
    lead: Gap | None
    trail: Gap | None
    literals: tuple[Literal, ...]
    nats: float
    length: int  # characters of literal text
    repeats: bool  # a name occurs twice and must stand for equal text


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed signature. `variants` begins with the one that has every optional part.

    `names` are the placeholders in order of appearance; `always` those that every variant has.
    """

    source: str
    variants: tuple[Variant, ...]
    names: tuple[str, ...]
    always: frozenset[str]


@dataclass(frozen=True, slots=True)
class Found:
    """A template in a text. All spans lie in the original text that was given to `prepare`.

    `captures` are the values as they stand there, `pieces` the spans of literal text; `quality` is exact,
    variant (only the case differs) or partial (damaged text); `matched` is how much the literal text that was
    found says, in nats (see `specificity`).
    """

    start: int
    end: int
    captures: dict[str, str]
    capture_spans: dict[str, tuple[int, int]]
    pieces: tuple[tuple[int, int], ...]
    quality: Quality
    matched: float
