"""Is a run at a place, and where is the leftmost one? No choice is ever undone, so the cost is linear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from kb.diagnose.template.build import WORD
from kb.diagnose.template.parts import Literal, Run, Slot
from kb.diagnose.template.slots import loose_end

Named = tuple[str, int, int]  # a name and the span of its value
_TRIES = 8  # ends tried for one value: `v2.1` before ". Please" has one, a path before ":" some


class View(NamedTuple):
    """The text as it is searched: `text` for literals (in lower case when `folded`), `flat` for values."""

    text: str
    flat: str
    folded: bool
    start: int
    end: int

    def literal(self, literal: Literal) -> str:
        """The literal as it stands in `text`."""
        return literal.lower if self.folded else literal.text


class RunHit(NamedTuple):
    """A run in a text: its span, the span of each value that has a name, and the spans of its literals."""

    start: int
    end: int
    values: tuple[Named, ...]
    pieces: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Work:
    """What a search may still spend, in characters read again. Keeps hostile text linear.

    Each try costs a little and each value its length; ordinary text spends less than a hundredth.
    """

    left: int

    @classmethod
    def for_text(cls, length: int) -> Work:
        """As much as a text of this length is allowed."""
        return cls(50_000 + 2 * length)

    def spend(self, characters: int) -> bool:
        """Take it off what is left; whether anything is."""
        self.left -= characters
        return self.left > 0


def find_run(run: Run, view: View, start: int, work: Work) -> RunHit | None:
    """The leftmost place at or after `start` where the run is."""
    needle = view.literal(run.needle)
    read = start
    while (at := view.text.find(needle, read, view.end)) >= 0 and work.spend(8 + (at - read) // 64):
        hit = run_at(run, view, at, start, work)
        if hit:
            return hit
        read = at + 1
    work.spend((view.end - read) // 64)
    return None


def run_at(run: Run, view: View, at: int, least: int, work: Work) -> RunHit | None:
    """The run whose first literal begins at `at`, not beginning before `least`; None when it is not there."""
    values: list[Named] = []
    start = at
    if run.first:
        head = _value_before(run.elements[0], view, at, least, work)
        if head is None:
            return None
        start = _keep(values, run.elements[0], head[0], head[1], at)
    return run_from(run, run.first, view, at, start, values, work)


def run_from(
    run: Run, index: int, view: View, at: int, start: int, values: list[Named], work: Work
) -> RunHit | None:
    """The rest of a run from its element `index` on, which begins at `at`."""
    pieces: list[tuple[int, int]] = []
    position = at
    for element in run.elements[index:]:
        if isinstance(element, Literal):
            if not literal_at(element, view, position):
                return None
            pieces.append((position, position + len(element.text)))
            position += len(element.text)
            continue
        value = value_at(element, view, position, work)
        if value is None:
            return None
        _keep(values, element, value[0], value[1], position)
        position = value[2]
    return RunHit(start, max(position, start), tuple(values), tuple(pieces))


def _keep(values: list[Named], element: Literal | Slot, start: int, end: int, fallback: int) -> int:
    """Keep a value that has a name and is not empty; where the match begins with it."""
    if end <= start:
        return fallback
    if isinstance(element, Slot) and element.name:
        values.append((element.name, start, end))
    return start


def literal_at(literal: Literal, view: View, at: int) -> bool:
    """Whether the literal is there, whole words at its ends."""
    end = at + len(literal.text)
    if end > view.end or not view.text.startswith(view.literal(literal), at):
        return False
    if literal.edge_before and at and view.text[at - 1] in WORD:
        return False
    return not (literal.edge_after and end < len(view.text) and view.text[end] in WORD)


def value_at(slot: Slot, view: View, at: int, work: Work) -> tuple[int, int, int] | None:
    """Start and end of a slot's value that begins at `at`, and where what follows begins.

    An optional slot whose value is not there is empty: its span is empty, and of the blanks around it one
    may be missing (`GPU  has` has one blank left of two after normalising).
    """
    start = at
    blank = view.text.startswith(" ", at)
    if not slot.blank_before or blank:
        start += slot.blank_before
        end = _value_end(slot, view, start, work)
        if end is not None:
            after = end + 1 if slot.blank_after and view.text.startswith(" ", end) else end
            return start, end, after
    if not slot.optional:
        return None
    if blank and (slot.blank_before or slot.blank_after):
        return at, at, at + 1
    both = slot.blank_before and slot.blank_after
    return None if both and at < view.end else (at, at, at)


def _value_end(slot: Slot, view: View, start: int, work: Work) -> int | None:
    """Where the value that begins at `start` ends: as far as it can while what follows still follows.

    Of several such places one is better after which the next value can begin: `{host:word}:{port:int}`.
    """
    match = slot.type.forward.match(view.flat, start, min(view.end, start + slot.type.reach))
    if match is None:
        work.spend(slot.type.reach // 16)
        return None
    longest = match.end()
    work.spend(longest - start)
    if slot.follow is None:
        return loose_end(slot.type, view.flat, start, longest)
    follow = view.literal(slot.follow)
    latest, good = longest, None
    for _ in range(_TRIES):
        end = view.text.rfind(follow, start + 1, min(latest + len(follow), view.end))
        if end < 0:
            break
        whole = end == longest or slot.type.forward.fullmatch(view.flat, start, end) is not None
        if whole and literal_at(slot.follow, view, end):
            if slot.then is None or slot.then.forward.match(view.flat, end + len(follow), view.end):
                return end
            good = end if good is None else good
        latest = end - 1
    return good


def _value_before(
    slot: Literal | Slot, view: View, at: int, least: int, work: Work
) -> tuple[int, int] | None:
    """The value of a slot that begins a run, read backwards from the literal at `at`."""
    assert isinstance(slot, Slot)
    end = at
    if slot.blank_after and at > least and view.text[at - 1] == " ":
        end -= 1
    lowest = max(least, end - min(slot.type.reach, 256))
    work.spend((end - lowest) * (16 if slot.type.name == "list" else 1))
    match = slot.type.backward.search(view.flat, lowest, end)
    if match and match.end() > match.start():
        return match.start(), match.end()
    return (at, at) if slot.optional else None
