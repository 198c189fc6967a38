"""Where the values of a JSON object stand in its text.

A parser would give values without their places, and would refuse a line that is cut off. This one walks over
the tokens, keeps the places, and takes what there is. Linear in the text, bounded in depth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

DEEPEST = 24
MOST_MEMBERS = 2_000
_TOKEN = re.compile(
    r'[ \t]*(?:"(?P<string>[^"\\]*(?:\\.[^"\\]*)*)(?:"|\\?$)'
    r'|(?P<mark>[{}\[\],:])|(?P<word>[^ \t"{}\[\],:]+))'
)


_PAIR = re.compile(
    r'[{,][ \t]*"(?P<key>[^"\\]{1,200})"[ \t]*:[ \t]*'
    r'(?:"(?P<string>[^"\\]*(?:\\.[^"\\]*)*)"|(?P<word>[^ \t"{}\[\],:]+))[ \t]*'
)
_END = re.compile(r"\}")


@dataclass(frozen=True, slots=True)
class Member:
    """A value that is no object or list: the keys that lead to it, its place without quotes, and its kind."""

    path: tuple[str, ...]
    start: int
    end: int
    string: bool


@dataclass(frozen=True, slots=True)
class Found:
    """An object: its values, its keys that hold objects, and where it ends."""

    members: tuple[Member, ...]
    objects: frozenset[tuple[str, ...]]
    end: int


def read_object(text: str, start: int) -> Found | None:
    """The object whose brace stands at `start`, or None when the text is no JSON there."""
    return _read_flat(text, start) or _read_nested(text, start)


def _read_flat(text: str, start: int) -> Found | None:
    """An object without objects and lists in it, which most records are: several times as fast."""
    members: list[Member] = []
    at = start
    while (match := _PAIR.match(text, at)) is not None and len(members) < MOST_MEMBERS:
        name = "string" if match["string"] is not None else "word"
        members.append(Member((match["key"],), *match.span(name), name == "string"))
        at = match.end()
    end = _END.match(text, at)
    return Found(tuple(members), frozenset(), end.end()) if members and end is not None else None


def _read_nested(text: str, start: int) -> Found | None:
    walker = _Walker()
    at = start
    for match in _tokens(text, start):
        at = match.end()
        if not walker.take(match):
            return None
        if not walker.open:
            break
    return Found(tuple(walker.members), frozenset(walker.objects), at) if walker.members else None


def _tokens(text: str, start: int) -> Iterator[re.Match[str]]:
    at = start
    while (match := _TOKEN.match(text, at)) is not None and match.end() > at:
        yield match
        at = match.end()


class _Walker:
    """Takes tokens one by one and keeps the way of keys that leads to the current place."""

    def __init__(self) -> None:
        self.open: list[str] = []  # the braces and brackets around the current place
        self.keys: list[str | None] = []  # of each, the key being filled; None before it is read
        self.members: list[Member] = []
        self.objects: list[tuple[str, ...]] = []

    def take(self, match: re.Match[str]) -> bool:
        """Whether the text is still JSON with this token."""
        mark = match["mark"]
        if mark is None:
            return self._value(match)
        if mark in "{[":
            if len(self.open) >= DEEPEST:
                return False
            if mark == "{" and self.open:
                self.objects.append(self._path())
            self.open.append(mark)
            self.keys.append(None if mark == "{" else "")
        elif mark in "}]":
            if not self.open or self.open.pop() != ("{" if mark == "}" else "["):
                return False
            self.keys.pop()
        elif mark == "," and self.open and self.open[-1] == "{":
            self.keys[-1] = None
        return bool(self.open) or mark in "}]"

    def _value(self, match: re.Match[str]) -> bool:
        if not self.open or len(self.members) >= MOST_MEMBERS:
            return False
        string = match["string"] is not None
        if self.open[-1] == "{" and self.keys[-1] is None:
            self.keys[-1] = match["string"]
            return string
        name = "string" if string else "word"
        self.members.append(Member(self._path(), match.start(name), match.end(name), string))
        return True

    def _path(self) -> tuple[str, ...]:
        return tuple(key for key in self.keys if key)
