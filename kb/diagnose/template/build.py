"""Literals and placeholders in order -> `Variant`: runs, with gaps between them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from math import fsum

from kb.diagnose.template.parts import Gap, Literal, Run, Slot, TemplateError, Variant
from kb.diagnose.template.prepared import flatten, lower_case
from kb.diagnose.template.slots import QUOTED_PATH, TYPES
from kb.diagnose.template.weigh import weigh

WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
"""What a word consists of. ASCII alone: an English message may stand right after Chinese prose."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A placeholder as written; `type` is None for one without a type."""

    name: str
    type: str | None
    optional: bool
    offset: int


def build_variant(content: list[str | Mark]) -> Variant:
    """The variant for one choice of optional parts. Raises TemplateError when it could find nothing."""
    pieces = _merge(content)
    _check_neighbours(pieces)
    elements = _elements(_strip_blanks(pieces))
    lead = elements.pop(0) if elements and isinstance(elements[0], Gap) else None
    trail = elements.pop() if elements and isinstance(elements[-1], Gap) else None
    assert not isinstance(lead, Literal | Slot)
    assert not isinstance(trail, Literal | Slot)
    runs, gaps = _runs(elements)
    literals = [element for element in elements if isinstance(element, Literal)]
    if not any(literal.words for literal in literals):
        raise TemplateError("no word of literal text; a template needs words that the software writes", 0)
    literals.sort(key=lambda literal: (literal.nats, len(literal.text)), reverse=True)
    names = Counter(piece.name for piece in pieces if isinstance(piece, Mark) and piece.name != "_")
    return Variant(
        runs=runs,
        gaps=gaps,
        lead=lead,
        trail=trail,
        literals=tuple(literals),
        nats=fsum(literal.nats for literal in literals),
        length=sum(len(literal.text) for literal in literals),
        repeats=any(count > 1 for count in names.values()),
    )


def _merge(content: list[str | Mark]) -> list[str | Mark]:
    """Neighbouring texts as one, normalised; no white space at either end."""
    merged: list[str | Mark] = []
    for piece in content:
        if isinstance(piece, str) and merged and isinstance(merged[-1], str):
            merged[-1] += piece
        else:
            merged.append(piece)
    merged = [flatten(piece) if isinstance(piece, str) else piece for piece in merged]
    if merged and isinstance(merged[0], str):
        merged[0] = merged[0].lstrip(" ")
    if merged and isinstance(merged[-1], str):
        merged[-1] = merged[-1].rstrip(" ")
    return [piece for piece in merged if piece != ""]


def _check_neighbours(pieces: list[str | Mark]) -> None:
    """Between two placeholders must be something that says where one ends."""
    before: Mark | None = None
    blank = False
    for piece in pieces:
        if isinstance(piece, str):
            blank = piece == " "
            before = before if blank else None
            continue
        if before and (not blank or before.optional or piece.optional or before.type is piece.type is None):
            raise TemplateError(
                f"{{{before.name}}} and {{{piece.name}}} stand together, so nothing says where one ends; "
                "put literal text between them, or make them one",
                piece.offset,
            )
        before, blank = piece, False


def _strip_blanks(pieces: list[str | Mark]) -> list[str | tuple[Mark, bool, bool]]:
    """Each placeholder with whether a blank stood before and after it and was taken off the literal text.

    Taken off beside optional slots (the blank goes when the value is empty) and beside a gap at the end or
    beginning of the template (there may be nothing there).
    """
    result: list[str | tuple[Mark, bool, bool]] = []
    last = len(pieces) - 1
    takes = [
        isinstance(piece, Mark)
        and ((piece.optional and piece.type is not None) or (piece.type is None and i in (0, last)))
        for i, piece in enumerate(pieces)
    ]
    for i, piece in enumerate(pieces):
        if isinstance(piece, Mark):
            before = takes[i] and i > 0 and str(pieces[i - 1]).endswith(" ")
            after = takes[i] and i < last and str(pieces[i + 1]).startswith(" ")
            result.append((piece, before, after))
            continue
        text = piece
        if i < last and takes[i + 1]:
            text = text.removesuffix(" ")
        if i > 0 and takes[i - 1]:
            text = text.removeprefix(" ")
        if text:
            result.append(text)
    return result


def _elements(pieces: list[str | tuple[Mark, bool, bool]]) -> list[Literal | Slot | Gap]:
    """The elements in order. Slots know the literal text that follows them."""
    elements: list[Literal | Slot | Gap] = []
    for i, piece in enumerate(pieces):
        glued_before = i > 0 and _glued(pieces[i - 1], after=True)
        glued_after = i + 1 < len(pieces) and _glued(pieces[i + 1], after=False)
        if isinstance(piece, str):
            elements.append(_literal(piece, glued_before=glued_before, glued_after=glued_after))
            continue
        mark, before, after = piece
        name = None if mark.name == "_" else mark.name
        if mark.type is None:
            elements.append(Gap(name, mark.optional))
        else:
            elements.append(Slot(name, TYPES[mark.type], mark.optional, before, after))
    return _with_follow(elements)


def _glued(piece: str | tuple[Mark, bool, bool], *, after: bool) -> bool:
    """Whether a placeholder touches its neighbour, no blank between them."""
    return not isinstance(piece, str) and not piece[2 if after else 1]


def _literal(text: str, *, glued_before: bool, glued_after: bool) -> Literal:
    """A literal. Beside a placeholder that touches it, a word may go on."""
    return Literal(
        text=text,
        lower=lower_case(text),
        edge_before=not glued_before and text[0] in WORD,
        edge_after=not glued_after and text[-1] in WORD,
        words=weigh(text),
    )


def _with_follow(elements: list[Literal | Slot | Gap]) -> list[Literal | Slot | Gap]:
    """The same elements; slots know the literal that follows, and paths whether they stand between quotes."""
    result = list(elements)
    for i, element in enumerate(elements):
        following = elements[i + 1] if i + 1 < len(elements) else None
        if not isinstance(element, Slot) or not isinstance(following, Literal):
            continue
        blank = " " if element.blank_after else ""
        follow = replace(
            following,
            text=blank + following.text,
            lower=blank + following.lower,
            edge_before=following.edge_before and not blank,
        )
        previous = elements[i - 1] if i else None
        quoted = following.text[0] == "'" and (
            previous is None or (isinstance(previous, Literal) and previous.text[-1] == "'")
        )
        kind = QUOTED_PATH if quoted and element.type.name == "path" else element.type
        after = elements[i + 2] if i + 2 < len(elements) else None
        then = after.type if isinstance(after, Slot) and not after.optional else None
        result[i] = replace(element, follow=follow, type=kind, then=then)
    return result


def _runs(elements: list[Literal | Slot | Gap]) -> tuple[tuple[Run, ...], tuple[Gap, ...]]:
    """The runs, and the gaps between them. Each run has a literal, because placeholders never touch."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    current: list[Literal | Slot] = []
    for element in elements:
        if isinstance(element, Gap):
            runs.append(_run(current))
            gaps.append(element)
            current = []
        else:
            current.append(element)
    if current:
        runs.append(_run(current))
    return tuple(runs), tuple(gaps)


def _run(elements: list[Literal | Slot]) -> Run:
    """A run of these elements, at least one of them a literal."""
    first = next((i for i, element in enumerate(elements) if isinstance(element, Literal)), None)
    if first is None:
        raise TemplateError("a placeholder with no literal text beside it; write what stands around it", 0)
    reach = sum(len(e.text) if isinstance(e, Literal) else e.type.reach + 2 for e in elements)
    return Run(tuple(elements), first, reach)
