"""Find a template in a text that says the same in slightly other words.

Projects change their messages from release to release: a word is added, a value is named, a sentence is
turned. The template's words must still stand in order, nearly all that identifies must be there, and hardly
anything between them that the template does not have. Every nat that is lost or added takes two away from
what was found, so the closeness of common words is never enough. Numbers must be the same, and so must the
end: the same long beginning with another end (`got error: Socket Timeout`) is another failure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum

from kb.diagnose.template.cut import elements_of
from kb.diagnose.template.find import make_found
from kb.diagnose.template.parts import Found, Gap, Literal, Slot, Template, Variant
from kb.diagnose.template.prepared import Prepared
from kb.diagnose.template.weigh import weight

REWORDED_FLOOR = 5.0
"""What must remain of a template, in nats (see `weigh`), after all that differs was taken off twice."""
_CEILING = 4.5
"""What other words can say at most, in nats, however long the message is."""
_DIFFERS = 0.2  # the part of the template's nats that may differ
_NAME = 5.0
"""Nats from which a word is a name (`embed_tokens`): a message that lacks it is about something else."""
_BRACKETS = "[{<"  # where a template has one, its presence is part of what it says
_WORD = re.compile(r"[a-z0-9_]+")
_SENTENCE_END = re.compile(r"[.!?;)\]}] ")
_VALUE = re.compile(r"[^\s()\[\]{}',;/]+")
_ANY = 0.2  # nats of a word that says nothing, or comes again: it still keeps the order
_MOST_WORDS = 4_000  # of the text
_AROUND = 40  # words on either side of the rarest that are looked at, besides three times the template's
_MOST_PAIRS = 250
# With one of these more or less, a message says the opposite.
_NEGATIONS = frozenset({"not", "no", "cannot", "without", "never", "only", "un", "isn", "doesn", "don", "t"})


@dataclass(frozen=True, slots=True)
class Token:
    """A word of literal text. `after` are the placeholders between it and the word before."""

    word: str
    nats: float
    after: tuple[Slot | Gap, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """A word of the text."""

    word: str
    start: int
    end: int


def find_reworded(template: Template, prepared: Prepared) -> Found | None:
    """The template in other words; the quality is `variant`. For texts in which `find` finds nothing."""
    if any(bracket in template_text(template) and bracket not in prepared.flat for bracket in _BRACKETS):
        return None
    spots = [
        Spot(stem(m.group()), m.start(), m.end()) for m in _WORD.finditer(prepared.lower[: _MOST_WORDS * 8])
    ]
    there = {spot.word for spot in spots}
    best: tuple[float, Found] | None = None
    for variant in (template.variants[0], template.variants[-1])[: len(template.variants)]:
        tokens = tokens_of(variant)
        if not could_stand(tokens, there):
            continue
        for window in windows(tokens, spots):
            remains, found = align(tokens, window, prepared)
            if found is not None and (best is None or remains > best[0]):
                best = remains, found
    return best[1] if best else None


def template_text(template: Template) -> str:
    """The literal text that every choice of a template has."""
    return " ".join(literal.text for literal in template.variants[-1].literals)


def stem(word: str) -> str:
    """A word without the ending by which releases differ: adapter, adapters."""
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word


def tokens_of(variant: Variant) -> list[Token]:
    """The words of a variant's literal text in order."""
    tokens: list[Token] = []
    between: tuple[Slot | Gap, ...] = ()
    for element in elements_of(variant):
        if not isinstance(element, Literal):
            between = (*between, element)
            continue
        for start, end, nats in element.words:
            tokens.append(Token(stem(element.lower[start:end]), max(nats, _ANY), between))
            between = ()
    return tokens


def could_stand(tokens: Sequence[Token], there: set[str]) -> bool:
    """Whether enough of the template's words are in the text at all."""
    total = fsum(token.nats for token in tokens)
    lost = fsum(token.nats for token in tokens if token.word not in there)
    return total - 3 * lost >= REWORDED_FLOOR


def windows(tokens: Sequence[Token], spots: Sequence[Spot]) -> list[Sequence[Spot]]:
    """Stretches of the text around the first and the last place of the rarest word that both have."""
    there = {spot.word for spot in spots}
    rarest = max((token for token in tokens if token.word in there), key=lambda token: token.nats).word
    at = [i for i, spot in enumerate(spots) if spot.word == rarest]
    reach = 3 * len(tokens) + _AROUND
    return [spots[max(0, i - reach) : i + reach] for i in dict.fromkeys((at[0], at[-1]))]


def align(tokens: Sequence[Token], spots: Sequence[Spot], prepared: Prepared) -> tuple[float, Found | None]:
    """What remains of the template in a stretch of text, in nats, and where it stands."""
    pairs = common_order(tokens, spots)
    if len(pairs) < 3 or other_end(tokens, spots, pairs[-1], prepared):
        return 0.0, None
    kept = {i for i, _ in pairs}
    lost = [token for i, token in enumerate(tokens) if i not in kept]
    added = [
        spot.word for before, after in pairwise(pairs) for spot in inserted(tokens, spots, before, after)
    ]
    missing = {token.word for token in lost}
    if _NEGATIONS & (missing ^ set(added)):
        return 0.0, None
    if any(token.word.isdigit() or token.nats >= _NAME for token in lost):
        return 0.0, None
    said = fsum(tokens[i].nats for i in kept)
    differs = fsum(token.nats for token in lost) + fsum(max(weight(word), _ANY) for word in added)
    remains = said - 2 * differs
    if remains < REWORDED_FLOOR or differs > _DIFFERS * said:
        return remains, None
    pieces = [(spots[j].start, spots[j].end) for _, j in pairs]
    span = pieces[0][0], pieces[-1][1]
    taken = values(tokens, spots, pairs, prepared)
    return remains, make_found(prepared, span, taken, pieces, "variant", min(remains, _CEILING))


def other_end(
    tokens: Sequence[Token], spots: Sequence[Spot], last: tuple[int, int], prepared: Prepared
) -> bool:
    """Whether the template ends in words that the text lacks, and the text goes on in words of its own."""
    if last[0] == len(tokens) - 1:
        return False
    behind = spots[last[1] + 1 : last[1] + 2]
    return bool(behind) and not _SENTENCE_END.search(prepared.flat, spots[last[1]].end, behind[0].start)


def common_order(tokens: Sequence[Token], spots: Sequence[Spot]) -> list[tuple[int, int]]:
    """Pairs of equal words, rising in both: those that say the most, and of equal ones the closest."""
    places: dict[str, list[int]] = {}
    for j, spot in enumerate(spots):
        places.setdefault(spot.word, []).append(j)
    pairs = [(i, j) for i, token in enumerate(tokens) for j in places.get(token.word, ())][:_MOST_PAIRS]
    best: list[tuple[float, int]] = []  # what the best chain that ends in a pair says, and its pair before
    for number, (i, j) in enumerate(pairs):
        said, before = 0.0, -1
        for earlier in range(number):
            a, b = pairs[earlier]
            if a < i and b < j:
                joined = best[earlier][0] - 0.01 * (j - b)
                if joined > said:
                    said, before = joined, earlier
        best.append((said + tokens[i].nats, before))
    at = max(range(len(best)), key=lambda number: best[number][0], default=-1)
    chain: list[tuple[int, int]] = []
    while at >= 0:
        chain.append(pairs[at])
        at = best[at][1]
    return chain[::-1]


def inserted(
    tokens: Sequence[Token], spots: Sequence[Spot], before: tuple[int, int], after: tuple[int, int]
) -> Sequence[Spot]:
    """The words of the text between two pairs that no placeholder of the template accounts for."""
    if any(tokens[i].after for i in range(before[0] + 1, after[0] + 1)):
        return ()
    return spots[before[1] + 1 : after[1]]


def values(
    tokens: Sequence[Token], spots: Sequence[Spot], pairs: Sequence[tuple[int, int]], prepared: Prepared
) -> list[tuple[str, int, int]]:
    """What placeholders took where the words on both sides are there and the values are of their types."""
    found: list[tuple[str, int, int]] = []
    for (i, j), (k, m) in pairwise(pairs):
        slots = tokens[k].after
        start, end = spots[j].end, spots[m].start
        if k != i + 1 or not slots:
            continue
        spans = [bare_value(prepared.flat, start, end)]
        if len(slots) > 1:
            spans = [match.span() for match in _VALUE.finditer(prepared.flat, start, end)]
        # A value more than the template has: nobody knows which is which.
        paired = list(zip(slots, spans, strict=False))
        if len(spans) == len(slots) and all(fits(slot, span, prepared.flat) for slot, span in paired):
            found += [(slot.name, *span) for slot, span in paired if slot.name]
    return found


def bare_value(flat: str, start: int, end: int) -> tuple[int, int]:
    """A stretch of text without what stands around a value."""
    while start < end and flat[start] in " '([{:=":
        start += 1
    while end > start and flat[end - 1] in " ')]},.;:([{":
        end -= 1
    return start, end


def fits(slot: Slot | Gap, span: tuple[int, int], flat: str) -> bool:
    """Whether a stretch of text can be the value of a placeholder."""
    start, end = span
    return start < end and (
        isinstance(slot, Gap) or slot.type.forward.fullmatch(flat, start, end) is not None
    )
