"""For a failure that no entry knows: entries that share telling words with it, perhaps related."""

from __future__ import annotations

from collections.abc import Sequence

from kb.diagnose import template
from kb.diagnose.diagnosis import Failure, Related
from kb.diagnose.index import Index, read_place
from kb.diagnose.template.weigh import weight

MOST = 3  # entries named at the most
MOST_SHARING = 500  # signatures that are looked at
TELLING = 2.5  # nats from which a word says anything about the failure
ENOUGH = 6.0  # nats that the shared telling words must sum to


def related(failures: Sequence[Failure], index: Index) -> tuple[Related, ...]:
    """The entries whose signatures share the most telling words with the initiating line, and which words."""
    if not failures or failures[0].handled:
        return ()
    telling = [word for word in template.words(failures[0].initiating.text) if weight(word) >= TELLING]
    knowing = {
        word: {read_place(place).entry for place in places}
        for word, places in index.sharing(telling, MOST_SHARING).items()
    }
    scores: dict[int, float] = {}
    for word, entries in sorted(knowing.items()):
        says = weight(word)
        for entry in entries:
            scores[entry] = scores.get(entry, 0.0) + says
    best = sorted((e for e in scores if scores[e] >= ENOUGH), key=lambda e: (-scores[e], e))[:MOST]
    return tuple(
        make_related(index, entry, {word for word in knowing if entry in knowing[word]}) for entry in best
    )


def make_related(index: Index, number: int, words: set[str]) -> Related:
    entry = index.entry(number)
    named = ", ".join(sorted(words, key=lambda word: (-weight(word), word))[:4])
    return Related(entry.id, entry.title, entry.path, f"shares the words {named}")
