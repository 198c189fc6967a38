"""After the first answer the page needs no network, and with one it never shows what is old."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.asking import RANK, diagnose, example

PASTE = example(RANK, "match-start-up-lora-modules.txt")
KEPT = "async (path) => Boolean(await caches.match(new URL(path, location.href), { ignoreSearch: true }))"


@pytest.fixture
def used(browser: Browser, any_site: str) -> Iterator[Page]:
    """The home page after an answer, once what it took is kept."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(any_site)
    diagnose(page, PASTE)
    page.wait_for_function(f"({KEPT})('assets/matcher/manifest.json')", timeout=30_000)
    page.wait_for_function("navigator.serviceWorker.ready.then((kept) => kept.active.state === 'activated')")
    page.wait_for_timeout(1_000)  # the largest files are put away last
    yield page
    context.close()


def test_without_a_network_the_page_comes_up_and_answers(used: Page) -> None:
    used.context.set_offline(True)
    used.reload()
    answer = diagnose(used, PASTE)
    expect(answer.locator("h2").first).to_contain_text("LoRA rank is greater than max_lora_rank")


def test_a_page_that_was_read_can_be_read_again_without_a_network(used: Page, any_site: str) -> None:
    used.goto(f"{any_site}errors/{RANK}/")
    expect(used.locator("h1")).to_be_visible()
    used.goto(any_site)
    used.context.set_offline(True)
    used.goto(f"{any_site}errors/{RANK}/")
    expect(used.locator("h1")).to_contain_text("LoRA rank is greater than max_lora_rank")


@pytest.mark.parametrize("any_site", ["static_site"], indirect=True)  # the other sends what it compressed
def test_with_a_network_a_kept_page_is_asked_for_anew(used: Page, any_site: str, built: Path) -> None:
    used.goto(f"{any_site}statistics/")
    file = built / "site" / "statistics" / "index.html"
    before = file.read_text(encoding="utf-8")
    file.write_text(before.replace("<h1", "<h1 data-new", 1), encoding="utf-8")
    try:
        used.goto(f"{any_site}statistics/")
        expect(used.locator("h1[data-new]")).to_be_visible()
    finally:
        file.write_text(before, encoding="utf-8")


def test_nothing_is_kept_before_an_answer(quiet: Page, static_site: str) -> None:
    quiet.goto(static_site, wait_until="networkidle")
    assert quiet.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    assert quiet.evaluate("caches.keys()") == []


def test_what_a_server_works_out_is_never_kept(browser: Browser, served_site: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(served_site)
    diagnose(page, PASTE)
    page.wait_for_function(f"({KEPT})('assets/matcher/manifest.json')", timeout=30_000)
    page.reload()
    assert page.evaluate("navigator.serviceWorker.controller !== null")
    assert page.evaluate("fetch('healthz').then((response) => response.ok)")
    assert not page.evaluate(f"({KEPT})('healthz')")
    context.close()
