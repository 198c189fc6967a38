"""What an answer says about other parts of an entry leads there."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.asking import RANK, diagnose, example
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


def test_steps_lead_to_the_place_that_they_name(warm: Page, static_site: str) -> None:
    answer = diagnose(warm, example(RANK, "match-start-up-lora-modules.txt"))
    for name, anchor in (("Prevention", "prevention"), ("the table", "tables")):
        link = answer.locator(".fb-part--fix li").get_by_role("link", name=name, exact=True)
        expect(link).to_have_attribute("href", f"{static_site}errors/{RANK}/#{anchor}")


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
    assert named >= 2


def test_a_place_above_is_above_on_the_page_alone(quiet: Page, static_site: str) -> None:
    quiet.goto(static_site)
    links = quiet.evaluate(
        LINKS, ["errors/a/", ["Look it up in the table above.", "A table of Preventions", "see Prevention"]]
    )
    assert links == [["the table", "#tables"], ["Prevention", "#prevention"]]
