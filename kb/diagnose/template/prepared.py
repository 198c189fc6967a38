"""One text, normalised once, so that many templates can be searched for in it.

Every run of white space becomes one blank, every shape of quote one quote (also `\\"`, as JSON and reprs
write it), and every character keeps the way back to the text as it was handed in. Nothing else changes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

QUOTES = "'\"`´‘’‚‛“”„‟′″‵‶«»‹›＂＇"
_ONE_SHAPE = {ord(quote): "'" for quote in QUOTES} | {ord(hyphen): "-" for hyphen in "‐‑"}
# What changes its length: white space that is not one blank, and backslashes before a quote. The second half
# takes a whole run of backslashes, quote or not, so that a million of them cost one match.
_CHANGES = re.compile(rf"\s{{2,}}|[^\S ]|\\+[{QUOTES}]?")


_ALIKE = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A text without blanks, in which letters that look alike are one; `shifts` lead back to `flat`."""

    text: str
    shifts: tuple[int, ...]

    def offset(self, at: int) -> int:
        """The place in `flat` of the character `at` of the skeleton."""
        return at + bisect_right(self.shifts, at)


@dataclass(frozen=True)
class Prepared:
    """A text made ready by `prepare`.

    `flat` is the normalised text and `lower` its lower case, character for character. Each character of
    `flat` stands for a slice of `original`: from `flat_starts[i]` on, it is `origins[i]` plus the distance.
    `breaks` are the places in `flat` where a blank stands for white space with a line end in it.
    """

    original: str
    flat: str
    lower: str
    flat_starts: tuple[int, ...]
    origins: tuple[int, ...]
    breaks: tuple[int, ...]

    @cached_property
    def skeleton(self) -> Skeleton:
        """The text as a program that reads pictures cannot get it wrong. Made when first asked for."""
        blanks = (match.start() for match in re.finditer(" ", self.flat))
        return Skeleton(bare(self.lower), tuple(at - i for i, at in enumerate(blanks)))

    def origin(self, offset: int) -> int:
        """Where the slice of the original text begins that `flat[offset]` stands for."""
        at = bisect_right(self.flat_starts, offset) - 1
        return self.origins[at] + offset - self.flat_starts[at]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text that `flat[start:end]` stands for."""
        return self.origin(start), self.origin(end)

    def offset(self, origin: int) -> int:
        """The first place in `flat` that stands for nothing before `origin` of the original text."""
        at = bisect_right(self.origins, origin) - 1
        offset = self.flat_starts[at] + origin - self.origins[at]
        if at + 1 < len(self.flat_starts):
            return min(offset, self.flat_starts[at + 1])
        return min(offset, len(self.flat))

    def line(self, offset: int) -> tuple[int, int]:
        """Start and end in `flat` of the line that `offset` lies in."""
        at = bisect_right(self.breaks, offset)
        start = self.breaks[at - 1] + 1 if at else 0
        end = self.breaks[at] if at < len(self.breaks) else len(self.flat)
        return min(start, end), end


def prepare(text: str) -> Prepared:
    """Make `text` ready for `find` and `find_partial`. Takes time linear in the text."""
    parts: list[str] = []
    flat_starts, origins, breaks = [0], [0], []
    done = size = 0  # how far `text` is read, and how long `flat` is by now
    for change in _CHANGES.finditer(text):
        found = change.group()
        blank = not found.startswith("\\")
        if not blank and found[-1] == "\\":
            continue
        parts.append(text[done : change.start()])
        size += change.start() - done
        if blank and ("\n" in found or "\r" in found):
            breaks.append(size)
        parts.append(" " if blank else "'")
        done = change.end()
        size += 1
        if change.end() - change.start() > 1:
            flat_starts.append(size)
            origins.append(done)
    parts.append(text[done:])
    flat = "".join(parts).translate(_ONE_SHAPE)
    return Prepared(text, flat, lower_case(flat), tuple(flat_starts), tuple(origins), tuple(breaks))


def bare(lower: str) -> str:
    """Text in lower case without blanks, letters that look alike made one (l, i and 1; o and 0)."""
    return lower.translate(_ALIKE).replace(" ", "")


def lower_case(text: str) -> str:
    """`text` in lower case, of the same length (one letter, the Turkish dotted I, would become two)."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.replace("İ", "I").lower()


def flatten(text: str) -> str:
    """The literal text of a template, normalised as `prepare` normalises what it is searched in."""
    return prepare(text).flat


def strip(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without blanks at its ends; an empty one stays where it is."""
    while start < end and text[start] == " ":
        start += 1
    while end > start and text[end - 1] == " ":
        end -= 1
    return start, max(start, end)
