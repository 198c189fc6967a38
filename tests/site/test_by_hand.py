"""Pages written by hand: every one goes to the site, and only links to pages that are there stay links."""

import re
from pathlib import Path

from kb.catalog.loader import Catalog, load_catalog
from kb.site.by_hand import pages_by_hand, without_lost_links
from kb.site.generate import ROOT

DOCS = ROOT / "docs"


def test_a_link_to_an_entry_without_a_page_becomes_its_words() -> None:
    text = (
        "see [the `rank`](../errors/a/index.md), [b](../errors/b/index.md#fix) and [all](../errors/index.md)"
    )
    assert without_lost_links(text, {"b"}) == (
        "see the `rank`, [b](../errors/b/index.md#fix) and [all](../errors/index.md)"
    )
    assert without_lost_links(text, {"a", "b"}) == text


def test_every_page_but_home_and_the_theme_is_there(tmp_path: Path) -> None:
    for name in ("index.md", "one.md", "guides/index.md", "guides/two.md", "overrides/no.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    assert pages_by_hand(tmp_path, []) == {
        name: name for name in ("guides/index.md", "guides/two.md", "one.md")
    }


def test_the_pages_name_entries_that_exist() -> None:
    real: Catalog = load_catalog(ROOT / "entries")
    named = {
        (path, entry)
        for path, text in pages_by_hand(DOCS, real.by_id).items()
        for entry in re.findall(r"errors/([a-z0-9-]+)/", (DOCS / path).read_text(encoding="utf-8"))
        if text
    }
    assert len(named) > 40
    assert {(path, entry) for path, entry in named if entry not in real.by_id} == set()
