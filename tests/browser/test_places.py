"""What an answer says about other parts of an entry leads there."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kb.diagnose import diagnose as diagnosis_of
from kb.diagnose.index import load_index
from tests.browser.asking import ENTRIES, diagnose
from tests.site.pages import Page as Html

LINKS = """async ([path, texts]) => {
    const { placesOf } = await import("./assets/js/answer/places.js");
    const pieces = texts.flatMap((text) => placesOf(path)(text));
    return pieces.filter((piece) => piece.href).map((piece) => [piece.textContent, piece.hash]);
}"""


def texts(fix: dict[str, Any]) -> list[str]:
    """The prose of a fix that an answer shows."""
    avoid = [f"{each['what']}: {each['why']}" for each in fix["avoid"]]
    parts = [fix["summary"], fix["resume"], fix["risk"], *fix["steps"], *avoid]
    return [part for part in parts if part]


@pytest.fixture(scope="module")
def names_its_table(built: Path) -> tuple[str, str]:
    """A paste whose fix says "the table", and the path of its entry."""
    index = load_index(built / "index.json")
    for path in sorted(ENTRIES.glob("*/match-*.txt")):
        text = path.read_text(encoding="utf-8")
        first = next(
            (each.hypotheses[0] for each in diagnosis_of(text, index).failures if each.hypotheses), None
        )
        if first and first.fix and any("the table" in each for each in first.fix.steps):
            return text, first.path
    pytest.fail("no fix names the table of its entry any more")


def test_steps_lead_to_the_place_that_they_name(
    warm: Page, static_site: str, names_its_table: tuple[str, str]
) -> None:
    text, path = names_its_table
    link = diagnose(warm, text).locator(".fb-part--fix li").get_by_role("link", name="the table", exact=True)
    expect(link).to_have_attribute("href", f"{static_site}{path}#tables")


def test_every_place_that_a_fix_names_is_on_its_page(quiet: Page, static_site: str, built: Path) -> None:
    quiet.goto(static_site)
    named = 0
    for folder in sorted((built / "site" / "errors").glob("*/")):
        entry = json.loads((folder / "entry.json").read_text(encoding="utf-8"))
        fixes = [text for cause in entry["causes"] for text in texts(cause["fix"])]
        links = quiet.evaluate(LINKS, [f"errors/{folder.name}/", fixes])
        anchors = Html.read((folder / "index.html").read_text(encoding="utf-8")).ids
        for words, anchor in links:
            named += 1
            assert anchor.removeprefix("#") in anchors, f"{folder.name}: {words}"
    assert named >= 1


def test_a_place_above_is_above_on_the_page_alone(quiet: Page, static_site: str) -> None:
    quiet.goto(static_site)
    links = quiet.evaluate(
        LINKS, ["errors/a/", ["Look it up in the table above.", "A table of Preventions", "see Prevention"]]
    )
    assert links == [["the table", "#tables"], ["Prevention", "#prevention"]]
