"""For a failure that no entry knows: entries that share telling words with it, perhaps related."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from kb.diagnose import template
from kb.diagnose.diagnosis import Failure, Related
from kb.diagnose.index import Index, read_place
from kb.diagnose.template.weigh import weight

MOST = 3  # entries named at the most
MOST_SHARING = 2_000  # signatures that are looked at
TELLING = 2.5  # nats from which a word says anything about the failure
ENOUGH = 6.0  # nats that the shared telling words must sum to


def related(failures: Sequence[Failure], index: Index) -> tuple[Related, ...]:
    """The entries whose signatures share the most telling words with the initiating line, and which words."""
    if not failures or failures[0].handled:
        return ()
    shared: dict[int, set[str]] = {}
    telling = (word for word in template.words(failures[0].initiating.text) if weight(word) >= TELLING)
    for word, places in index.sharing(telling, MOST_SHARING).items():
        for place in places:
            shared.setdefault(read_place(place).entry, set()).add(word)
    scores = {entry: fsum(weight(word) for word in words) for entry, words in shared.items()}
    best = sorted((e for e in scores if scores[e] >= ENOUGH), key=lambda e: (-scores[e], e))[:MOST]
    return tuple(make_related(index, entry, shared[entry]) for entry in best)


def make_related(index: Index, number: int, words: set[str]) -> Related:
    entry = index.entry(number)
    named = ", ".join(sorted(words, key=lambda word: (-weight(word), word))[:4])
    return Related(entry.id, entry.title, entry.path, f"shares the words {named}")
