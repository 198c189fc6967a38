"""The index as one plain table, for readers without Whoosh: the pages search with it on any host.

    {"entries": [{"id", "title", "summary", "status", "path"}, ...],
     "words": {"max_lora_rank": [3, 8125, 7, 450], ...}}

A word has the numbers of the entries that hold it, each followed by a hundred times the word's whole score
there. What a typed word may mean and how the entries are ranked is `kb.search.find` again, in the page's
JavaScript; a test holds the two together.
"""

from __future__ import annotations

import json

from kb.search.find import WordSearch

FINE = 100  # ranks hang on less only where scores are alike


def table(search: WordSearch) -> bytes:
    """The table of an opened index, as JSON."""
    words = {
        word: [part for number, score in sorted(scores.items()) for part in (number, round(score * FINE))]
        for word, scores in search.scores()
    }
    whole = {"entries": search.entries(), "words": words}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
