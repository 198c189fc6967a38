"""Word search over the entries, for words that people type (never for pastes).

The only package that imports Whoosh. `build_search` writes an index of the entries' JSON, `open_search` reads
it back and answers queries; neither reads an entry's YAML.
"""

from kb.search.build import build_search
from kb.search.find import Found, WordSearch
from kb.search.store import BrokenSearch, open_search

__all__ = ["BrokenSearch", "Found", "WordSearch", "build_search", "open_search"]
