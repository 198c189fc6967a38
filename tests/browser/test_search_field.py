"""The search field takes pastes too: a traceback in it opens the diagnosis, words stay a word search."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.asking import RANK, example, verdict

TRACEBACK = example(RANK, "match-start-up-lora-modules.txt")
PASTE = """text => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const field = document.querySelector('[data-md-component="search-query"]');
    field.focus();
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    return field.dispatchEvent(event);
}"""


@pytest.mark.parametrize("path", ["", "errors/", f"errors/{RANK}/"])
def test_a_pasted_traceback_opens_the_diagnosis_from_any_page(
    quiet: Page, static_site: str, path: str
) -> None:
    quiet.goto(static_site + path, wait_until="networkidle")
    assert quiet.evaluate(PASTE, TRACEBACK) is False
    expect(verdict(quiet).locator(".fb-set")).to_have_text("--max-lora-rank64")
    assert quiet.url == static_site
    assert quiet.evaluate("sessionStorage.length") == 0


def test_one_pasted_error_line_is_a_paste_too(quiet: Page, static_site: str) -> None:
    quiet.goto(f"{static_site}errors/", wait_until="networkidle")
    assert quiet.evaluate(PASTE, "ValueError: LoRA rank 64 is greater than max_lora_rank 16.") is False
    expect(verdict(quiet).locator(".fb-set")).to_have_text("--max-lora-rank64")


@pytest.mark.parametrize(
    "words", ["c10::DistBackendError", "exit code 137", "max_lora_rank", "--max-loras", "Xid 79"]
)
def test_pasted_words_stay_in_the_word_search(quiet: Page, static_site: str, words: str) -> None:
    quiet.goto(f"{static_site}errors/", wait_until="networkidle")
    assert quiet.evaluate(PASTE, words) is True
    assert quiet.url == f"{static_site}errors/"


FILL_STORAGE = """() => {
    for (let size = 2 ** 20, at = 0; size >= 1; at += 1) {
        try { sessionStorage.setItem(`other-${at}`, "x".repeat(size)); }
        catch { size = Math.floor(size / 2); }
    }
}"""
ERROR_LINE = "ValueError: LoRA rank 64 is greater than max_lora_rank 16."


def test_a_paste_that_cannot_travel_stays_in_the_field_and_the_person_is_told(
    quiet: Page, static_site: str
) -> None:
    quiet.goto(f"{static_site}errors/", wait_until="networkidle")
    quiet.evaluate(FILL_STORAGE)
    field = quiet.locator('[data-md-component="search-query"]')
    field.click()
    field.fill(ERROR_LINE)
    field.press("Enter")
    told = quiet.get_by_role("alert")
    expect(told).to_contain_text("no room in this tab")
    expect(field).to_have_value(ERROR_LINE)
    assert quiet.evaluate(PASTE, TRACEBACK) is False
    expect(told).to_have_count(1)
    told.get_by_role("link", name="Open the diagnosis page").click()
    expect(quiet.locator("#fb-paste")).to_be_visible()


def test_the_word_of_no_room_goes_when_the_person_types_on(quiet: Page, static_site: str) -> None:
    quiet.goto(f"{static_site}errors/", wait_until="networkidle")
    quiet.evaluate(FILL_STORAGE)
    assert quiet.evaluate(PASTE, TRACEBACK) is False
    expect(quiet.get_by_role("alert")).to_be_visible()
    quiet.locator('[data-md-component="search-query"]').press_sequentially("lora")
    expect(quiet.get_by_role("alert")).to_have_count(0)


def test_one_typed_error_line_and_enter_open_the_diagnosis(quiet: Page, static_site: str) -> None:
    quiet.goto(f"{static_site}errors/", wait_until="networkidle")
    field = quiet.locator('[data-md-component="search-query"]')
    field.click()
    field.fill(ERROR_LINE)
    field.press("Enter")
    expect(verdict(quiet).locator(".fb-set")).to_have_text("--max-lora-rank64")
