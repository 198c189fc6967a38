"""Words by which templates are looked up: which must be in a text, and what a template's text says.

A word is a stretch of ASCII letters, digits and underscores, in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kb.diagnose.template.parts import Literal, Template, Variant
from kb.diagnose.template.weigh import weight

_WORD = re.compile(r"[a-z0-9_]+")
# Octets of ASCII: letters in lower case, what is in no word a blank.
_FOLDED = bytes(
    ord(c.lower()) if (c := chr(octet)).isalnum() or c == "_" else 32 for octet in range(128)
).ljust(256)


def words(text: str) -> set[str]:
    """The words of a text. Linear, some 100 MB a second."""
    return set(text.encode("ascii", "replace").translate(_FOLDED).decode("ascii").split())


def literal_words(template: Template) -> list[str]:
    """The words of a template's literal text in order, optional parts included, each once."""
    elements = (element for run in template.variants[0].runs for element in run.elements)
    texts = (element.lower for element in elements if isinstance(element, Literal))
    return list(dict.fromkeys(word for text in texts for word in _WORD.findall(text)))


Rarity = Callable[[str], tuple[float, int, str]]
"""How good a word is to look up by: the greater, the better."""


def by_weight(word: str) -> tuple[float, int, str]:
    """The rarity of a word where nothing is known of other templates."""
    return weight(word), len(word), word


def anchors(template: Template, rarity: Rarity = by_weight) -> frozenset[str]:
    """The rarest words of which a text must have at least one, or the template cannot match it.

    One for the whole template where its required text has one, else one for each way of taking its
    optional parts. Empty when some way has no whole word: then every text must be tried.
    """
    choices = [set(_whole_words(variant)) for variant in template.variants]
    if not all(choices):
        return frozenset()
    shared = set.intersection(*choices)
    if shared:
        return frozenset({max(shared, key=rarity)})
    return frozenset(max(choice, key=rarity) for choice in choices)


def required_words(template: Template) -> frozenset[str]:
    """Words that a text must have, all of them, or the template cannot match it: a quick test."""
    return frozenset(set.intersection(*(set(_whole_words(variant)) for variant in template.variants)))


def specificity(template: Template) -> float:
    """What the least that must be found of a template says, in nats (the scale: see `weigh`)."""
    return min(variant.nats for variant in template.variants)


def _whole_words(variant: Variant) -> list[str]:
    """The words of literal text that nothing can be glued to in a text: `rank` of `rank{n:int}` is none."""
    found = []
    for literal in variant.literals:
        for match in _WORD.finditer(literal.lower):
            begins = match.start() > 0 or literal.edge_before
            ends = match.end() < len(literal.lower) or literal.edge_after
            if begins and ends:
                found.append(match.group())
    return found
