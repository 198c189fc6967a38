"""Every page template at every size and in both colours: nothing sticks out, no script complains."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.asking import RANK, diagnose, example

PATHS = [
    "",
    "errors/",
    f"errors/{RANK}/",
    "errors/cuda-out-of-memory/",
    "overviews/map/",
    "guides/out-of-memory/",
    "guides/serving-many-lora-adapters/",
]
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


SIZES = (390, 768, 1280)


@pytest.fixture(params=SIZES)
def sized(request: pytest.FixtureRequest, quiet: Page) -> Page:
    quiet.set_viewport_size({"width": request.param, "height": 844})
    return quiet


@pytest.mark.parametrize("path", PATHS)
def test_no_page_is_wider_than_the_screen(sized: Page, static_site: str, path: str) -> None:
    sized.goto(static_site + path, wait_until="networkidle")
    assert sized.evaluate(OVERFLOW) == 0


def test_no_answer_is_wider_than_the_screen(warm: Page) -> None:
    diagnose(warm, example(RANK, "match-start-up-lora-modules.txt") + "x" * 5000)
    for width in SIZES:
        warm.set_viewport_size({"width": width, "height": 844})
        assert warm.evaluate(OVERFLOW) == 0


def test_the_frame_of_the_page_does_not_move_while_it_loads(quiet: Page, static_site: str) -> None:
    quiet.add_init_script(
        """globalThis.shift = 0;
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) globalThis.shift += entry.value;
        }).observe({ type: "layout-shift", buffered: true });"""
    )
    for path in PATHS:
        quiet.goto(static_site + path, wait_until="networkidle")
        assert quiet.evaluate("globalThis.shift") < 0.02, path


def test_the_page_follows_the_colours_of_the_device(browser: Browser, static_site: str) -> None:
    found = set()
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto(static_site)
        found.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        context.close()
    assert len(found) == 2


def test_without_scripts_pages_are_whole_and_the_box_is_off(browser: Browser, static_site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(static_site)
    expect(page.get_by_role("button", name="Diagnose")).to_be_disabled()
    assert "The paste box needs JavaScript" in page.locator("noscript").inner_html()
    page.goto(f"{static_site}errors/{RANK}/")
    expect(page.get_by_text("LoRA rank {rank:int} is greater than").first).to_be_visible()
    context.close()


def test_a_line_of_the_map_shows_its_bows_and_leads_to_its_page(quiet: Page, static_site: str) -> None:
    quiet.set_viewport_size({"width": 390, "height": 844})
    quiet.goto(f"{static_site}overviews/map/")
    line = quiet.locator(f'.fb-map a[href$="/{RANK}/"]')
    bows = line.locator(".fb-map__own")
    expect(bows).to_have_css("visibility", "hidden")
    line.focus()
    quiet.keyboard.press("Shift+Tab")
    quiet.keyboard.press("Tab")
    expect(bows).to_have_css("visibility", "visible")
    quiet.keyboard.press("Enter")
    expect(quiet).to_have_url(f"{static_site}errors/{RANK}/")
