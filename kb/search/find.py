"""Words that a person typed -> entries, best first.

No query language: whatever is typed is words, so nothing can be odd syntax and no query can be made
expensive. Each word is looked up as it stands, as the beginning of longer words, and, where nothing begins
with it, with small typing errors. A word scores by BM25 in each field, times the field's weight, and an
entry's score is the sum over the words, times the share of the words (by rarity) that it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log1p
from threading import Lock

from whoosh.index import FileIndex
from whoosh.scoring import BM25F

from kb.search.words import root, words

FIELDS = {
    "title": 6.0,
    "aliases": 5.0,
    "signatures": 4.0,
    "names": 4.0,
    "causes": 3.0,
    "summary": 2.0,
    "components": 2.0,
    "everything": 1.0,
}
LONGEST_QUERY = 200  # characters; the rest is ignored
MOST_WORDS = 24
MOST_VARIANTS = 24  # of one word
TAIL = 0.01  # results below this share of the best are noise

EXACT, BEGINNING, ROOT, TYPING_ERROR = 1.0, 0.6, 0.5, 0.4


@dataclass(frozen=True, slots=True)
class Found:
    """One entry that a query found. `words` are the words of the entry that were found, for marking them."""

    id: str
    title: str
    summary: str
    status: str
    path: str
    score: float
    words: tuple[str, ...]


class WordSearch:
    """An opened index. Answers one query at a time, whichever thread asks."""

    def __init__(self, index: FileIndex) -> None:
        self._searcher = index.searcher(weighting=BM25F())
        self._reader = self._searcher.reader()
        self._lock = Lock()

    def __len__(self) -> int:
        return int(self._searcher.doc_count())

    def search(self, query: str, limit: int = 10) -> list[Found]:
        """At most `limit` entries for the words of a query, best first. Any text is a query; none raises."""
        with self._lock:
            return self._search(list(dict.fromkeys(words(query[:LONGEST_QUERY])))[:MOST_WORDS], limit)

    def entries(self) -> list[dict[str, str]]:
        """What results show of each entry, by its number."""
        return [self._searcher.stored_fields(number)["shown"] for number in self._reader.all_doc_ids()]

    def scores(self) -> Iterator[tuple[str, dict[int, float]]]:
        """Every indexed word with the numbers of the entries that have it, and its score there."""
        for term in self._reader.lexicon("everything"):
            word = term.decode()
            yield word, {number: score for number, (score, *_) in self._score({word: EXACT}).items()}

    def _search(self, asked: list[str], limit: int) -> list[Found]:
        scores: dict[int, float] = {}
        covered: dict[int, float] = {}
        found: dict[int, list[str]] = {}
        total = 0.0
        for word in asked:
            variants = self._variants(word)
            rarity = min((self._rarity(variant) for variant in variants), default=self._rarity(word))
            total += rarity
            for number, (score, variant, sureness) in self._score(variants).items():
                scores[number] = scores.get(number, 0.0) + score
                covered[number] = covered.get(number, 0.0) + rarity * sureness
                found.setdefault(number, []).append(variant)
        shares = [(score * covered[number] / total, number) for number, score in scores.items()]
        ranked = sorted(shares, key=lambda share: (-share[0], share[1]))[:limit]
        return [
            Found(
                **self._searcher.stored_fields(number)["shown"],
                score=round(score, 3),
                words=tuple(found[number]),
            )
            for score, number in ranked
            if score >= ranked[0][0] * TAIL
        ]

    def _rarity(self, word: str) -> float:
        """How much it says that an entry has a word: 0.7 when all have it, several when one or none has."""
        having = max(int(self._reader.doc_frequency("everything", word)), 1)
        return log1p(max(len(self), 1) / having)

    def _variants(self, word: str) -> dict[str, float]:
        """Indexed words that a typed word may mean -> how surely."""
        variants = {word: EXACT} if ("everything", word) in self._reader else {}
        if len(word) > 2:
            variants |= {longer: BEGINNING for longer in self._beginning(word) if longer not in variants}
            start = root(word)
            if len(start) > 3 and start != word:
                variants |= {other: ROOT for other in self._beginning(start) if other not in variants}
        return variants or dict.fromkeys(self._misspelt(word), TYPING_ERROR)

    def _beginning(self, start: str) -> list[str]:
        longer = (term.decode() for term in self._reader.expand_prefix("everything", start))
        return sorted(longer, key=lambda term: (len(term), term))[:MOST_VARIANTS]

    def _misspelt(self, word: str) -> list[str]:
        """Words that one slip of the fingers away, two for long words, is what was typed."""
        if len(word) < 3 or word.isdigit():
            return []
        for slips in range(1, 3 if len(word) > 6 else 2):
            within = self._reader.terms_within("everything", word, slips, prefix=1)
            near = sorted(term for term in within if len(term) > 2)
            if near:
                return near[:MOST_VARIANTS]
        return []

    def _score(self, variants: dict[str, float]) -> dict[int, tuple[float, str, float]]:
        """Document -> score of the best variant it has, that variant, and how sure the surest one is.

        The variants come with the surest first. That sureness does not hang on which of two variants scores
        a hair better, so that a reader of rounded scores (the pages) finds the same.
        """
        best: dict[int, tuple[float, str, float]] = {}
        for variant, sureness in variants.items():
            sums: dict[int, float] = {}
            for field, weight in FIELDS.items():
                for number, score in self._postings(field, variant):
                    sums[number] = sums.get(number, 0.0) + score * weight * sureness
            for number, score in sums.items():
                if number not in best:
                    best[number] = (score, variant, sureness)
                elif best[number][0] < score:
                    best[number] = (score, variant, best[number][2])
        return best

    def _postings(self, field: str, word: str) -> Iterator[tuple[int, float]]:
        """The documents that have a word in a field, with the word's score there."""
        if (field, word) not in self._reader:
            return
        matcher = self._searcher.postings(field, word)
        while matcher.is_active():
            yield matcher.id(), matcher.score()
            matcher.next()
