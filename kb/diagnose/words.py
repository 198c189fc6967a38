"""Which lines of a paste have a word: made once while reading, asked again by recall and by the tells.

A word is what `template.words` takes for one, in lower case. Lines are kept in small runs: a run that lacks a
word is passed over at once, and only in the others are single lines looked at. So a large healthy log costs
one pass over its text, and memory grows with its different words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from kb.diagnose.template import words

RUN = 4_000  # characters of a run; longer runs share more words, shorter ones pass over more lines
MOST_BEHIND = 3  # runs behind one that are looked at together with it
MOST_KEPT = 64  # runs whose single lines are kept after they were looked at once


class WordMap:
    """Words -> lines. Made of the texts of the clean lines; answers with indexes into them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._bounds = bounds(texts)
        self._joined = ["\n".join(texts[start:end]) for start, end in pairwise(self._bounds)]
        self._runs = [words(joined) for joined in self._joined]
        self._kept: dict[int, list[set[str]]] = {}

    def has(self, word: str) -> bool:
        """Whether the word stands anywhere."""
        return any(word in run for run in self._runs)

    def lines(self, wanted: AbstractSet[str], required: AbstractSet[str] = frozenset()) -> Iterator[int]:
        """The lines that have at least one of the words and all that are required, in order."""
        for number, run in enumerate(self._runs):
            if required <= run and not run.isdisjoint(wanted):
                yield from (at for at, own in self._find(number, wanted) if required <= own)

    def has_any(self, word: str, signs: Sequence[str]) -> bool:
        """Whether one of some texts that have the word in them stands anywhere, as written."""
        return any(
            word in run and any(sign in joined for sign in signs)
            for run, joined in zip(self._runs, self._joined, strict=True)
        )

    def near(self, wanted: AbstractSet[str]) -> Iterator[tuple[int, list[str]]]:
        """These lines, and a few more in which a word is only part of one; quicker, for who looks closer.

        Each with the words that were found.
        """
        for number, run in enumerate(self._runs):
            here = run & wanted
            if here:
                for at in range(self._bounds[number], self._bounds[number + 1]):
                    lower = self._texts[at].lower()
                    found = [word for word in here if word in lower]
                    if found:
                        yield at, found

    def holding(self, signs: Sequence[str]) -> Iterator[int]:
        """The lines in which one of some texts stands, as written, in order."""
        for number, joined in enumerate(self._joined):
            here = [sign for sign in signs if sign in joined]
            for at in range(self._bounds[number], self._bounds[number + 1]) if here else ():
                text = self._texts[at]
                for sign in here:
                    if sign in text:
                        yield at
                        break

    def find(
        self, wanted: AbstractSet[str], worth: Callable[[set[str]], object], reach: int
    ) -> Iterator[tuple[int, set[str]]]:
        """The lines that have at least one of the words, in order, each with all its words.

        Without those of runs that `worth` turns down: it is asked with the words of the run and of, at least,
        `reach` lines behind it.
        """
        for number, run in enumerate(self._runs):
            if run.isdisjoint(wanted):
                continue
            around = self._around(number, reach)
            if around is None or worth(around):
                yield from self._find(number, wanted)

    def _around(self, number: int, reach: int) -> set[str] | None:
        """The words of a run and of so many lines behind it; None when those are long and in many runs."""
        end = self._bounds[number + 1] + reach
        behind = [
            run
            for at, run in enumerate(self._runs[number + 1 : number + 2 + MOST_BEHIND], number + 1)
            if self._bounds[at] < end
        ]
        return self._runs[number].union(*behind) if len(behind) <= MOST_BEHIND else None

    def _find(self, number: int, wanted: AbstractSet[str]) -> Iterator[tuple[int, set[str]]]:
        for at, own in enumerate(self._single(number), self._bounds[number]):
            if not own.isdisjoint(wanted):
                yield at, own

    def _single(self, number: int) -> list[set[str]]:
        """The words of each line of a run."""
        if number in self._kept:
            return self._kept[number]
        found = [words(text) for text in self._texts[self._bounds[number] : self._bounds[number + 1]]]
        if len(self._kept) < MOST_KEPT:
            self._kept[number] = found
        return found


def bounds(texts: Sequence[str]) -> list[int]:
    """Where each run of lines begins, and the end of the last."""
    found, size = [0], 0
    for behind, text in enumerate(texts, 1):
        size += len(text) + 1
        if size >= RUN:
            found.append(behind)
            size = 0
    if found[-1] < len(texts):
        found.append(len(texts))
    return found
