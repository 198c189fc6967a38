"""What search engines and link previews read in the head of an entry's page."""

from __future__ import annotations

from typing import Any

from kb.catalog.entry import Entry


def structured_data(entry: Entry) -> dict[str, Any]:
    """The entry as a schema.org article; only what the page itself shows."""
    classes = (signature.exception for signature in entry.signatures if signature.exception)
    return {
        "@context": "https://schema.org",
        "@type": "TechArticle",
        "headline": entry.title,
        "description": entry.summary,
        "datePublished": entry.published,
        "dateModified": entry.modified,
        "keywords": list(dict.fromkeys([*entry.components, *classes])),
        "isPartOf": {"@type": "WebSite", "name": "Faultbook"},
    }
