"""An address that is not there leads on, at whatever depth and under whatever path the site lies."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.asking import RANK

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize(
    "path", ["nowhere", "nowhere/", "errors/nowhere/", "a/b/c/d.html", "errors/%3Cimg%20src=x%3E/"]
)
def test_a_lost_page_finds_its_site(page: Page, any_site: str, path: str) -> None:
    answer = page.goto(any_site + path)
    assert answer
    assert answer.status == 404
    expect(page.get_by_role("heading", name="No such page")).to_be_visible()
    expect(page.get_by_role("link", name="All failures")).to_have_attribute("href", f"{any_site}errors/")
    page.get_by_role("link", name="Diagnose a log").click()
    expect(page.locator("#fb-paste")).to_be_visible()
    assert page.url == any_site


def test_what_the_address_seems_to_name_is_found(page: Page, static_site: str) -> None:
    page.goto(f"{static_site}errors/vllm-lora-rank-exceeds/index.html")
    found = page.locator("#found a")
    expect(found.first).to_have_attribute("href", f"{static_site}errors/{RANK}/")
    expect(page.locator("#said")).to_contain_text("failures found")


def test_words_can_be_searched_there_with_the_keyboard_alone(page: Page, static_site: str) -> None:
    page.goto(f"{static_site}nowhere")
    field = page.get_by_role("searchbox", name="Search the failures")
    field.fill("max_lora_rank")
    expect(page.locator("#found a").first).to_have_attribute("href", f"{static_site}errors/{RANK}/")
    field.press("Enter")
    expect(page.locator("h1")).to_contain_text("LoRA rank is greater")
    page.go_back()
    field.fill("qqqqqqqq")
    expect(page.locator("#said")).to_have_text("0 failures found")


def test_it_fits_a_phone_in_both_colours(browser: Browser, static_site: str) -> None:
    colours = set()
    for scheme in ("light", "dark"):
        context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
        page = context.new_page()
        page.goto(f"{static_site}errors/vllm-lora-rank/")
        expect(page.locator("#found a").first).to_be_visible()
        assert page.evaluate(OVERFLOW) == 0
        colours.add(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
        context.close()
    assert len(colours) == 2


def test_without_scripts_the_page_says_what_can_be_done(browser: Browser, static_site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{static_site}errors/nowhere/")
    assert "cut the address back" in page.locator("noscript").inner_html()
    expect(page.get_by_role("link")).to_have_count(0)
    context.close()
