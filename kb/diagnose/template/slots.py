"""The types of placeholders: what each looks like, and how far it may reach.

All patterns are ours, and each takes time linear in the characters it reads: repetitions are possessive, and
no two neighbours can read the same character. A type says what a value looks like; the value stays a string.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})++(?![0-9])|[0-9]++)"
_ODD = r"[+-]?(?:\.[0-9]++|(?:nan|NaN|inf|Inf)(?![A-Za-z]))"
_DECIMAL = rf"(?:{_NUMBER}(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|{_ODD})"
_UNIT = r"(?:[Bb]ytes?|[KMGTPEkmgtpe]i?[Bb]?|[Bb])(?![A-Za-z0-9_])"
_WORD = r"[^\s'(){}\[\],;<>]"
_PATH = r"[^\s'<>|]"
_ID = r"[\w.:#@+-]"
_FLAT = r"[^\[\](){}]"
_INNER = rf"[\[({{](?>{_FLAT}++|[\[({{]{_FLAT}*+[\])}}])*+[\])}}]"
_BRACKETS = rf"[A-Za-z_.]{{0,30}}+[\[({{](?>{_FLAT}++|{_INNER})*+[\])}}]"
_ITEM = rf"(?:'[^']{{0,200}}'|{_WORD}++)"
_BARE = rf"{_ITEM}(?:, ?{_ITEM})*+(?:,? (?:and|or) {_ITEM})?"


@dataclass(frozen=True, slots=True)
class SlotType:
    """One type of placeholder.

    `forward` reads the longest value from a place on; `backward` searches for the value that ends at a place.
    `reach` is the most characters a value may have. `closing` is punctuation that ends a sentence,
    not a value; it is cut off when no literal text follows. `edge`: the value may not go on beyond its end.
    """

    name: str
    forward: re.Pattern[str]
    backward: re.Pattern[str]
    reach: int
    closing: str = ""
    edge: bool = False


def _type(name: str, value: str, before: str, reach: int, closing: str = "", edge: bool = False) -> SlotType:
    backward = re.compile(rf"(?<!{before})(?:{value})\Z")
    return SlotType(name, re.compile(value), backward, reach, closing, edge)


_CLOSING = ".,:;!?"
TYPES: dict[str, SlotType] = {
    kind.name: kind
    for kind in (
        _type("int", _NUMBER, r"[\w.,]", 64, edge=True),
        _type("num", _DECIMAL, r"[\w.,]", 64, edge=True),
        _type("size", rf"{_DECIMAL} ?{_UNIT}", r"[\w.,]", 64, edge=True),
        _type("word", rf"{_WORD}++", _WORD, 500, _CLOSING),
        _type("path", rf"{_PATH}++", _PATH, 1000, _CLOSING + ")]}"),
        _type("id", rf"\w{_ID}*+", _ID, 200, ".:#@+-"),
        _type("list", rf"{_BRACKETS}|{_BARE}", r"[\w.]", 4000, _CLOSING),
    )
}
# A path between quotes may hold blanks: 'C:\Program Files\adapters'.
QUOTED_PATH = SlotType("path", re.compile(r"[^']++"), re.compile(r"(?<=')[^']++\Z"), 1000)

_GLUED = re.compile(r"[A-Za-z0-9_]|\.[0-9]|,[0-9]{3}")
_OPENERS = {")": "(", "]": "[", "}": "{"}


def loose_end(kind: SlotType, text: str, start: int, end: int) -> int | None:
    """Where the value `text[start:end]` ends when no literal text follows it; None when it is no such value.

    A number must stand alone (`16.5` is no `int`); a word, path, id or list gives back the punctuation that
    closes the sentence or an opening bracket outside it.
    """
    if kind.edge:
        return None if _GLUED.match(text, end) else end
    value = text[start:end]
    spare = {closer: value.count(closer) - value.count(opener) for closer, opener in _OPENERS.items()}
    while end > start and text[end - 1] in kind.closing:
        last = text[end - 1]
        if last in spare:
            if spare[last] <= 0:
                break  # the bracket was opened inside the value: a_(b)
            spare[last] -= 1
        end -= 1
    return end if end > start else None
