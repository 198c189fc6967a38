"""The pages that people wrote, as they go to the site: guides and all else under docs/ but the home page."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

ENTRY = re.compile(r"\[([^\[\]]*)\]\((?:\.\./)+errors/([a-z0-9-]+)/index\.md(?:#[\w-]+)?\)")


def pages_by_hand(docs: Path, entries: Collection[str]) -> dict[str, str]:
    """Path -> Markdown of each page below a folder. `entries` are the ids that have a page.

    A link to any other entry becomes its words: an entry that does not compile takes its own page away,
    and not all of them.
    """
    files = (path for path in sorted(docs.rglob("*.md")) if path.relative_to(docs).parts[0] != "overrides")
    return {
        path.relative_to(docs).as_posix(): without_lost_links(path.read_text(encoding="utf-8"), entries)
        for path in files
        if path != docs / "index.md"
    }


def without_lost_links(text: str, entries: Collection[str]) -> str:
    """The text, with the links to entries that have a page."""
    return ENTRY.sub(lambda found: found[0] if found[2] in entries else found[1], text)
