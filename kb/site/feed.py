"""The Atom feed of new and changed entries."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from kb.catalog.entry import Entry
from kb.render.markup import visible

LENGTH = 50  # entries in the feed


def newest(entries: Iterable[Entry], limit: int) -> list[Entry]:
    """The entries that changed last, the latest first; of one day in the order of their titles."""
    by_title = sorted(entries, key=lambda entry: entry.title.lower())
    return sorted(by_title, key=lambda entry: entry.modified, reverse=True)[:limit]


def feed(entries: Iterable[Entry], address: str) -> str:
    """An Atom feed. `address` is that of the site, whole and with a slash at its end."""
    chosen = newest(entries, LENGTH)
    updated = chosen[0].modified if chosen else "1970-01-01"
    return "\n".join(
        (
            '<?xml version="1.0" encoding="utf-8"?>',
            '<feed xmlns="http://www.w3.org/2005/Atom">',
            "<title>Faultbook: new and changed failures</title>",
            f"<id>{text(address)}</id>",
            f"<link href={quoteattr(address)}/>",
            f'<link rel="self" href={quoteattr(address + "feed.xml")}/>',
            "<author><name>Faultbook</name></author>",
            f"<updated>{updated}T00:00:00Z</updated>",
            *(item(entry, f"{address}errors/{entry.id}/") for entry in chosen),
            "</feed>\n",
        )
    )


def item(entry: Entry, address: str) -> str:
    """One entry of the feed."""
    return "\n".join(
        (
            "<entry>",
            f"<title>{text(entry.title)}</title>",
            f"<id>{text(address)}</id>",
            f"<link href={quoteattr(address)}/>",
            f"<published>{entry.published}T00:00:00Z</published>",
            f"<updated>{entry.modified}T00:00:00Z</updated>",
            f"<summary>{text(entry.summary)}</summary>",
            "</entry>",
        )
    )


def text(value: str) -> str:
    """Text that XML takes: no markup, no control characters."""
    return escape(visible(value))
