"""The switch "Only on this device": on, only files of the page are asked for; off, the server answers."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.asking import RANK, diagnose, example

PASTE = example(RANK, "match-start-up-lora-modules.txt")
TITLE = "LoRA rank is greater than max_lora_rank"
ASKED = ("/api/", "/healthz")


@pytest.fixture
def asked(page: Page) -> list[str]:
    """What the page asks of the server's programs, as method and path; files are GET of anything else."""
    seen: list[str] = []

    def note(request: Request) -> None:
        path = urlsplit(request.url).path
        if request.method != "GET" or any(part in path for part in ASKED):
            seen.append(f"{request.method} {path}")

    page.on("request", note)
    return seen


def switch(page: Page) -> Locator:
    return page.get_by_role("checkbox", name="Only on this device")


def turn_off(page: Page) -> None:
    expect(switch(page)).to_be_enabled()
    switch(page).uncheck()


def test_it_is_on_at_first_and_then_only_files_are_asked_for(
    page: Page, any_site: str, asked: list[str]
) -> None:
    page.goto(any_site)
    expect(switch(page)).to_be_checked()
    expect(page.locator("#fb-privacy")).to_contain_text("stays in this tab")
    expect(diagnose(page, PASTE).locator("h2").first).to_contain_text(TITLE)
    assert asked == []


def test_turned_off_the_server_answers_and_the_matcher_is_not_loaded(
    page: Page, served_site: str, asked: list[str]
) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(served_site)
    turn_off(page)
    expect(page.locator("#fb-privacy")).to_have_text(
        f"Your paste is sent to {urlsplit(served_site).netloc}, which answers and does not keep it."
    )
    assert asked == ["GET /healthz"]
    page.reload()
    expect(switch(page)).not_to_be_checked()
    expect(page.locator("#fb-privacy")).to_contain_text("is sent to")
    loaded.clear()
    expect(diagnose(page, PASTE).locator("h2").first).to_contain_text(TITLE)
    assert asked == ["GET /healthz", "POST /api/match"]
    assert not [url for url in loaded if "/matcher/" in url or "matcher-worker" in url]


def test_turned_on_again_the_page_answers(page: Page, served_site: str, asked: list[str]) -> None:
    page.goto(served_site)
    turn_off(page)
    expect(page.locator("#fb-privacy")).to_contain_text("is sent to")
    switch(page).check()
    expect(page.locator("#fb-privacy")).to_contain_text("stays in this tab")
    asked.clear()
    expect(diagnose(page, PASTE).locator("h2").first).to_contain_text(TITLE)
    page.reload()
    expect(switch(page)).to_be_checked()
    assert asked == []


def test_where_no_server_answers_it_goes_back_on_and_says_so(page: Page, static_site: str) -> None:
    page.goto(static_site)
    expect(switch(page)).to_be_enabled()
    switch(page).click()
    expect(page.locator("#fb-privacy")).to_have_text(
        "No server answers at this address, so your paste stays in this tab."
    )
    expect(switch(page)).to_be_checked()
    page.reload()
    expect(switch(page)).to_be_checked()
    expect(diagnose(page, PASTE).locator("h2").first).to_contain_text(TITLE)


def test_the_keyboard_turns_it(page: Page, served_site: str) -> None:
    page.goto(served_site)
    expect(switch(page)).to_be_enabled()
    switch(page).focus()
    page.keyboard.press("Space")
    expect(page.locator("#fb-privacy")).to_contain_text("is sent to")
    expect(page.get_by_role("status").filter(has_text="is sent to")).to_be_visible()
