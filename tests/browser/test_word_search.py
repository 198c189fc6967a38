"""Words typed into the search field find on any host what the API finds."""

import json
import re
from math import isclose
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Locator, Page, expect

from kb.search import open_search
from kb.search.find import TAIL
from tests.search.test_real_queries import QUERIES, right

FIELD = '[data-md-component="search-query"]'
FOUND = ".md-search-result__link"
IN_PAGE = """async ([table, queries]) => {
    const { WordSearch } = await import("./assets/js/search/find.js");
    const search = new WordSearch(table);
    return queries.map((query) => search.search(query, 999).map(({ entry, score }) => [entry.id, score]));
}"""


def find(page: Page, words: str) -> Locator:
    """Put words into the search field. Returns the links that are found."""
    field, said = page.locator(FIELD), page.locator(".md-search-result__meta")
    field.click()
    for text, expected in (("", "Type to start searching"), (words, "matching document")):
        field.fill(text)
        field.press("End")  # the theme looks at the field when a key goes up
        expect(said).to_contain_text(expected)
    return page.locator(FOUND)


@pytest.fixture(scope="module")
def typed(built: Path) -> list[str]:
    """What people type, and words of the index with letters left out and endings put on, three at a time."""
    table = json.loads((built / "site" / "search" / "words.json").read_text(encoding="utf-8"))
    random = Random(20260303)
    made = []
    for _ in range(400):
        words = " ".join(random.choices(list(table["words"]), k=random.randint(1, 3)))
        at = random.randrange(len(words))
        made.append(
            words[:at] + words[at + random.randint(0, 1) :] + random.choice(["", "", "s", "ing", "ed"])
        )
    return [*QUERIES, *made, "", "-", "a" * 300, "\0", "()", "🧨", "ＧＰＵ ﬁle"]


def test_the_page_ranks_as_the_api_does(quiet: Page, static_site: str, built: Path, typed: list[str]) -> None:
    search = open_search(built / "search")
    table = json.loads((built / "site" / "search" / "words.json").read_text(encoding="utf-8"))
    quiet.goto(static_site)
    in_page = quiet.evaluate(IN_PAGE, [table, typed])
    differing = [
        query
        for query, found in zip(typed, in_page, strict=True)
        if not agree({each.id: each.score for each in search.search(query, 999)}, dict(found))
    ]
    assert differing == []


def agree(api: dict[str, float], page: dict[str, float]) -> bool:
    """Whether two results are one, but for what the table rounds and for the last ones, cut off as noise."""
    noise = max([*api.values(), 0]) * TAIL * 1.05
    names = {name for found in (api, page) for name, score in found.items() if score > noise}
    return all(isclose(api.get(name, 0), page.get(name, 0), rel_tol=0.02, abs_tol=0.05) for name in names)


def test_what_people_type_finds_the_entry_among_the_first_three(quiet: Page, static_site: str) -> None:
    quiet.goto(f"{static_site}errors/", wait_until="networkidle")
    missed = {}
    for query, meant in QUERIES.items():
        links = find(quiet, query)
        hrefs = links.evaluate_all("links => links.slice(0, 3).map(link => link.pathname)")
        if not any(href.endswith(f"/errors/{entry}/") for href in hrefs for entry in right(meant)):
            missed[query] = hrefs
    assert missed == {}


def test_pages_that_are_no_entries_are_found_by_their_title(quiet: Page, static_site: str) -> None:
    quiet.goto(f"{static_site}errors/", wait_until="networkidle")
    expect(find(quiet, "all fail").first).to_have_attribute("href", f"{static_site}errors/?h=")


def test_what_was_found_is_marked_and_what_was_not_is_named(quiet: Page, static_site: str) -> None:
    quiet.goto(f"{static_site}errors/", wait_until="networkidle")
    first = find(quiet, "OOMKilled qqqqqq").first
    expect(first.locator("mark").first).to_have_text(re.compile("OOMKilled"))
    expect(first.locator(".md-search-result__terms")).to_have_text("Missing: qqqqqq")


def test_where_the_words_cannot_be_loaded_the_field_says_so_and_tries_again(
    page: Page, static_site: str
) -> None:
    page.route("**/search/words.json", lambda route: route.abort())
    page.goto(f"{static_site}errors/", wait_until="networkidle")
    expect(find(page, "max_lora_rank").first).to_contain_text("could not be loaded")
    page.unroute("**/search/words.json")
    expect(find(page, "max_lora_rank").first).not_to_contain_text("could not be loaded")


def test_texts_of_entries_are_shown_as_text(quiet: Page, static_site: str) -> None:
    quiet.goto(static_site)
    item = quiet.evaluate(
        """async (text) => {
            const { entryItem } = await import("./assets/js/search/items.js");
            const entry = { path: "errors/a/", title: text, summary: text };
            return entryItem({ entry, score: 1, words: ["img"], typed: ["img"] }, "img");
        }""",
        """<img src=x onerror="hit()"> & 'quotes'""",
    )
    for html in (item["title"], item["text"].removeprefix("<p>").removesuffix("</p>")):
        bare = html.replace("<mark data-md-highlight>", "").replace("</mark>", "")
        assert not set(bare) & set("<>\"'")
        assert "&amp; &#39;quotes&#39;" in html
        assert "<mark data-md-highlight>img</mark>" in html
