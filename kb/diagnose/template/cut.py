"""Templates in a text that was cut: it begins or ends in the middle of the message.

What is there must be the message without a hole: literal fragments in order, values between them, up to the
place of the cut. A cut lies at the ends of the text, or where a line has an ellipsis for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import fsum

from kb.diagnose.template.find import WIDEST_GAP
from kb.diagnose.template.parts import Gap, Literal, Slot, Variant
from kb.diagnose.template.prepared import Prepared
from kb.diagnose.template.runs import View, Work, literal_at, value_at

Element = Literal | Slot | Gap
_ELLIPSIS_END = re.compile(r"(?:\.{3}|…)['\s)\]}]*$")
_ELLIPSIS_START = re.compile(r"[\s'(\[{]*(?:\.{3}|…)\s*")
_LIST_REST = re.compile(r"[^\[\](){}]*[\])}]\Z")
_NUMBER_REST = re.compile(r"[0-9.,]+")
_SIZE_REST = re.compile(r"[0-9.,]* ?[A-Za-z]{1,5}")
_OPENS, _CLOSES = "([{", ")]}"
_STARTS = 8  # places at which a first fragment is tried
_WINDOWS = 16  # stretches of a text that may have a cut at one end
_PROBE = 3  # characters of a cut literal that must be there
_VALUE_REST = 80  # characters of a value whose beginning or end is cut away


@dataclass(slots=True)
class Partial:
    """What was found of a variant. `literals` are the literal and the part of it that is there.

    `cut`: the end of the text cuts it.
    """

    pieces: list[tuple[int, int]] = field(default_factory=list)
    literals: list[tuple[Literal, int, int]] = field(default_factory=list)
    values: list[tuple[str, int, int]] = field(default_factory=list)
    cut: bool = False

    def add(self, literal: Literal, at: int, begin: int, end: int) -> None:
        """Literal text from `begin` to `end`, which stands at `at`."""
        self.pieces.append((at, at + end - begin))
        self.literals.append((literal, begin, end))

    @property
    def nats(self) -> float:
        """What the literal text that is there says; a word that is cut says its share."""
        return fsum(
            weight * max(0, min(end, b) - max(begin, a)) / (b - a)
            for literal, begin, end in self.literals
            for a, b, weight in literal.words
        )

    @property
    def length(self) -> int:
        return sum(end - begin for _, begin, end in self.literals)


def elements_of(variant: Variant) -> list[Element]:
    """Literals, slots and the gaps between runs, in order."""
    elements: list[Element] = []
    for i, run in enumerate(variant.runs):
        elements += run.elements
        if i < len(variant.gaps):
            elements.append(variant.gaps[i])
    return elements


def windows(prepared: Prepared) -> list[tuple[int, int, bool, bool]]:
    """Stretches of `flat` that may be cut: start, end, whether the start and whether the end may be a cut."""
    flat = prepared.flat
    result = [(_begin(flat, 0, len(flat)), _stop(flat, 0, len(flat)), True, True)]
    for mark in ("...", "…"):
        at = flat.find(mark)
        while at >= 0 and len(result) < _WINDOWS:
            start, end = prepared.line(at)
            begin, stop = _begin(flat, start, end), _stop(flat, start, end)
            if begin > start or stop < end:
                result.append((begin, stop, begin > start, stop < end))
            at = flat.find(mark, max(end, at + 1))
    return list(dict.fromkeys(result))


def _begin(flat: str, start: int, end: int) -> int:
    match = _ELLIPSIS_START.match(flat, start, end)
    if match:
        return match.end()
    while start < end and flat[start] == " ":
        start += 1
    return start


def _stop(flat: str, start: int, end: int) -> int:
    tail = max(start, end - 20)
    match = _ELLIPSIS_END.search(flat, tail, end)
    if match:
        end = match.start()
    while end > start and flat[end - 1] == " ":
        end -= 1
    return end


def find_cut(variant: Variant, view: View, *, head: bool, tail: bool, work: Work) -> Iterator[Partial]:
    """What there is of the variant in the view, cut at its start (`head`), its end (`tail`) or both."""
    elements = elements_of(variant)
    if tail:
        for at in (view.start,) if isinstance(elements[0], Slot) else _starts(elements[0], view):
            found = forward(elements, 0, at, view, work, Partial())
            if found and found.cut:
                yield found
    if head:
        for i, element in enumerate(elements):
            if isinstance(element, Literal):
                for begun, position in _entries(elements, i, view):
                    found = forward(elements, i + 1, position, view, work, begun)
                    if found and (tail or not found.cut):
                        yield found


def _starts(element: Element, view: View) -> Iterator[int]:
    """Places where the first element may be, whole or up to the end of the text."""
    if not isinstance(element, Literal):
        return
    needle = view.literal(element)
    at = view.text.find(needle, view.start, view.end)
    for _ in range(_STARTS):
        if at < 0:
            break
        yield at
        at = view.text.find(needle, at + 1, view.end)
    begun = _begun_at_end(needle, view.start, view)
    if begun is not None:
        yield begun


def _entries(elements: list[Element], index: int, view: View) -> Iterator[tuple[Partial, int]]:
    """Ways to begin in the middle, at the literal `index`: what was found, and where it goes on."""
    literal = elements[index]
    assert isinstance(literal, Literal)
    needle = view.literal(literal)
    begin = _ended_at_start(needle, view)
    if begin is not None:
        begun = Partial()
        begun.add(literal, view.start, begin, len(needle))
        yield begun, view.start + len(needle) - begin
    if index == 0:
        return
    before = elements[index - 1]
    reach = 300 if _is_list(before) else _VALUE_REST
    at = view.text.find(needle, view.start, min(view.end, view.start + reach + len(needle)))
    length = len(needle)
    if at < 0:
        at = _begun_at_end(needle, view.start, view) or -1
        length = view.end - at
    elif not literal_at(literal, view, at):
        return
    if at >= 0 and _rest_of_value(before, view.flat[view.start : at]):
        begun = Partial(cut=length < len(needle))
        begun.add(literal, at, 0, length)
        yield begun, at + length


def _is_list(element: Element) -> bool:
    return isinstance(element, Slot) and element.type.name == "list"


def _rest_of_value(element: Element, text: str) -> bool:
    """Whether the text can be the end of a value whose beginning is cut away."""
    if _is_list(element) and _LIST_REST.match(text):
        return True
    if isinstance(element, Slot) and element.type.edge and text:
        rest = _SIZE_REST if element.type.name == "size" else _NUMBER_REST
        return rest.fullmatch(text) is not None
    return " " not in text


def forward(
    elements: list[Element], index: int, at: int, view: View, work: Work, found: Partial
) -> Partial | None:
    """The elements from `index` on, the first of them at `at`, to the last one or the end of the view."""
    position = at
    for i in range(index, len(elements)):
        element = elements[i]
        if position >= view.end:
            found.cut = True
            return found
        if isinstance(element, Gap):
            step = _over_gap(element, elements[i + 1], position, view, found)
        elif isinstance(element, Literal):
            step = _over_literal(element, position, view, found)
        else:
            step = _over_slot(element, position, view, work, found)
        if step is None:
            return None
        position = step
    return found


def _over_literal(literal: Literal, at: int, view: View, found: Partial) -> int | None:
    """Past a literal, or to the end of the view when it is cut there."""
    if literal_at(literal, view, at):
        found.add(literal, at, 0, len(literal.text))
        return at + len(literal.text)
    rest = view.text[at : view.end]
    if len(rest) < len(literal.text) and view.literal(literal).startswith(rest):
        found.add(literal, at, 0, len(rest))
        found.cut = True
        return view.end
    return None


def _over_slot(slot: Slot, at: int, view: View, work: Work, found: Partial) -> int | None:
    """Past a value, or to the end of the view when value or what follows is cut there."""
    value = value_at(slot, view, at, work)
    ended = value is not None and (value[1] < view.end or slot.follow is None)
    if value and ended and not (slot.optional and value[0] == value[1]):
        if slot.name:
            found.values.append((slot.name, value[0], value[1]))
        return value[2]
    start = at + 1 if slot.blank_before and view.text.startswith(" ", at) else at
    match = slot.type.forward.match(view.flat, start, min(view.end, start + slot.type.reach))
    if match and match.end() == view.end:
        return view.end  # the value may go on behind the cut: it is not kept
    if match and slot.follow and view.literal(slot.follow).startswith(view.text[match.end() : view.end]):
        if slot.name:
            found.values.append((slot.name, start, match.end()))
        return match.end() + slot.blank_after
    begun = (
        _begun_at_end(view.literal(slot.follow), start, view)
        if slot.follow and not slot.blank_after
        else None
    )
    if begun is not None and slot.type.forward.fullmatch(view.flat, start, begun):
        if slot.name:
            found.values.append((slot.name, start, begun))
        return begun  # `awq. Supp` of `{method:word}. Supported`: a word takes the full stop, too
    if _is_list(slot) and view.flat[start : start + 1] in ("[", "{", "("):
        return view.end if view.end - start <= slot.type.reach else None
    return value[2] if value else None


def _over_gap(gap: Gap, following: Element, at: int, view: View, found: Partial) -> int | None:
    """To the literal after a gap, or to the end of the view when the cut is in the gap or in that literal."""
    if not isinstance(following, Literal):
        return None
    needle = view.literal(following)
    begin = view.text.find(needle, at, min(view.end, at + WIDEST_GAP + len(needle)))
    whole = begin >= 0 and literal_at(following, view, begin)
    end = begin if whole else _begun_at_end(needle, at, view)
    if end is not None:
        if gap.name:
            found.values.append((gap.name, at, end))
        return end
    rest = view.text[at : min(view.end, at + WIDEST_GAP)].strip(" ")
    begun = (" " not in rest and len(rest) <= _VALUE_REST) or _is_open(rest)
    return view.end if begun else None


def _is_open(rest: str) -> bool:
    """Whether a list begins here, and the cut comes before its end."""
    if rest[:1] not in _OPENS:
        return False
    return sum(rest.count(c) for c in _OPENS) > sum(rest.count(c) for c in _CLOSES)


def _begun_at_end(needle: str, at: int, view: View) -> int | None:
    """Where a literal begins that the end of the view cuts, with its last characters there as a probe."""
    at = max(at, view.end - len(needle) + 1)
    probe = view.text[view.end - _PROBE : view.end]
    end = needle.rfind(probe) if view.end - at >= _PROBE else -1
    while end >= 0:
        length = end + _PROBE
        if view.end - length >= at and view.text.startswith(needle[:length], view.end - length):
            return view.end - length
        end = needle.rfind(probe, 0, end + _PROBE - 1)
    return None


def _ended_at_start(needle: str, view: View) -> int | None:
    """From which of its characters on the literal is there that the start of the view cuts."""
    probe = view.text[view.start : view.start + _PROBE]
    begin = needle.find(probe, 1) if len(probe) == _PROBE else -1
    while begin >= 0:
        if view.text.startswith(needle[begin:], view.start):
            return begin
        begin = needle.find(probe, begin + 1)
    return None
