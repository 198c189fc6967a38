"""Templates in a text read from a picture: l, 1 and I or O and 0 mixed up, blanks lost or added.

All fragments must be there, in order; what may differ is those letters and those blanks, and only a few.
"""

from __future__ import annotations

from kb.diagnose.template.build import WORD
from kb.diagnose.template.cut import Element, Partial, elements_of
from kb.diagnose.template.find import WIDEST_GAP
from kb.diagnose.template.parts import Gap, Literal, Slot, Variant
from kb.diagnose.template.prepared import Prepared, Skeleton, bare, strip

_DIGITS = str.maketrans({"l": "1", "I": "1", "i": "1", "|": "1", "O": "0", "o": "0"})
_NUMBERS = frozenset({"int", "num", "size"})
_STARTS = 16
_PER_SLIP = 8  # characters of literal text for each slip; one is always allowed


def find_slips(variant: Variant, prepared: Prepared) -> Partial | None:
    """The variant in a text with slips; None when it is not there or differs in more than a few places."""
    elements, skeleton = elements_of(variant), prepared.skeleton
    folded = [bare(element.lower) if isinstance(element, Literal) else "" for element in elements]
    if not all(part in skeleton.text for part in folded):
        return None
    first = next(i for i, part in enumerate(folded) if part)
    at = skeleton.text.find(folded[first])
    for _ in range(_STARTS):
        if at < 0:
            return None
        found = _follow(elements, folded, first, at, prepared, skeleton)
        if found:
            return found
        at = skeleton.text.find(folded[first], at + 1)
    return None


def _follow(
    elements: list[Element], folded: list[str], first: int, at: int, prepared: Prepared, skeleton: Skeleton
) -> Partial | None:
    """All elements in order, the literal `first` at `at` of the skeleton."""
    found = Partial(cut=True)
    slips, position = 0, at
    pending: Slot | Gap | None = None
    for element, part in zip(elements[first:], folded[first:], strict=True):
        if not isinstance(element, Literal):
            pending = element
            continue
        if not part:
            continue
        reach = 0 if pending is None else WIDEST_GAP if isinstance(pending, Gap) else pending.type.reach
        begin = skeleton.text.find(part, position, position + reach + len(part))
        if begin < 0:
            return None
        start, end = skeleton.offset(begin), skeleton.offset(begin + len(part) - 1) + 1
        if pending and not _take(pending, skeleton.offset(position), start, prepared, found):
            return None
        if not _edges(element, prepared.flat, start, end):
            return None
        slips += _slips(element.lower.strip(" "), prepared.lower[start:end])
        found.pieces.append((start, end))
        found.literals.append((element, 0, len(element.text)))
        position, pending = begin + len(part), None
    if pending and not _take_last(pending, skeleton.offset(position - 1) + 1, prepared, found):
        return None
    return found if slips <= max(1, found.length // _PER_SLIP) else None


def _edges(literal: Literal, flat: str, start: int, end: int) -> bool:
    if literal.edge_before and start and flat[start - 1] in WORD:
        return False
    return not (literal.edge_after and end < len(flat) and flat[end] in WORD)


def _slips(literal: str, text: str) -> int:
    """In how many places a text differs from the literal whose skeleton it has."""
    slips = i = j = 0
    while i < len(literal) and j < len(text):
        if literal[i] == text[j]:
            i, j = i + 1, j + 1
        elif text[j] == " ":
            slips, j = slips + 1, j + 1
        elif literal[i] == " ":
            slips, i = slips + 1, i + 1
        else:
            slips, i, j = slips + 1, i + 1, j + 1
    return slips


def _take(slot: Slot | Gap, start: int, end: int, prepared: Prepared, found: Partial) -> bool:
    """Keep the value between two fragments; whether it can be one."""
    start, end = strip(prepared.flat, start, end)
    text = prepared.flat[start:end]
    if isinstance(slot, Slot):
        if not text:
            return slot.optional
        if not slot.type.forward.fullmatch(text):
            # a slip inside a number is a number still, but not one to reckon with
            return (
                slot.type.name in _NUMBERS
                and slot.type.forward.match(text.translate(_DIGITS).replace(" ", "")) is not None
            )
    if slot.name and text:
        found.values.append((slot.name, start, end))
    return True


def _take_last(slot: Slot | Gap, start: int, prepared: Prepared, found: Partial) -> bool:
    """Keep the value after the last fragment where it is one as it stands."""
    while prepared.flat.startswith(" ", start):
        start += 1
    if isinstance(slot, Slot):
        match = slot.type.forward.match(prepared.flat, start, start + slot.type.reach)
        if match and slot.name:
            found.values.append((slot.name, start, match.end()))
        if match is None and slot.type.name in _NUMBERS:
            return slot.optional or prepared.flat[start : start + 1].translate(_DIGITS).isdigit()
    return True
