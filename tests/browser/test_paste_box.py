"""The box takes pastes and files one after the other, and the newest counts."""

import gzip
import re

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from tests.browser.asking import CLEAR, PATIENCE, RANK, diagnose, example, verdict

START_UP = example(RANK, "match-start-up-lora-modules.txt")
HEALTHY = "INFO 11-19 12:54:26 [loggers.py:123] Engine 000: all is well, cache usage 1.2%\n"
PASTE = """text => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    return document.querySelector("#fb-paste").dispatchEvent(event);
}"""
# Many seconds of work, and no line twice.
BUSY = "".join(f"ValueError: LoRA rank {n} is greater than max_lora_rank 16.\n" for n in range(17, 40_017))


def open_file(page: Page, content: bytes, name: str = "server.log") -> None:
    paste = FilePayload(name=name, mimeType="application/octet-stream", buffer=content)
    page.locator("#fb-file").set_input_files([paste])


def test_a_paste_replaces_one_too_large_to_edit(warm: Page) -> None:
    assert warm.evaluate(PASTE, HEALTHY * 6000) is False
    expect(warm.locator('[data-part="size"]')).to_contain_text("too many to edit here")
    assert warm.evaluate(PASTE, START_UP) is False
    expect(warm.locator("#fb-paste")).to_have_value(START_UP)
    expect(warm.locator("#fb-paste")).to_be_editable()
    warm.get_by_role("button", name="Diagnose").click()
    expect(verdict(warm).locator(".fb-set")).to_have_text("--max-lora-rank64")


def test_a_small_paste_into_the_field_is_the_browsers_own(warm: Page) -> None:
    assert warm.evaluate(PASTE, START_UP) is True


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"  \r\n\t\n", "is empty"),
        (gzip.compress(START_UP.encode()), "is no text"),
        (b"\x7fELF\x02\x01\x01" + bytes(range(32)) * 50, "is no text"),
        (b"x" * (20 * 1024 * 1024 + 1), "is too large for a page"),
    ],
    ids=["empty", "blank", "gzip", "program", "too large"],
)
def test_a_file_that_is_no_log_is_refused_and_the_answer_before_it_goes(
    warm: Page, content: bytes, said: str
) -> None:
    answer = diagnose(warm, START_UP)
    open_file(warm, content)
    expect(answer.get_by_role("alert")).to_contain_text(f"server.log {said}")
    expect(answer.locator(".fb-verdict")).to_have_count(0)
    expect(warm.locator("#fb-paste")).to_have_value("")
    expect(answer).to_be_in_viewport()
    open_file(warm, START_UP.encode())
    expect(verdict(warm).locator(".fb-set")).to_have_text("--max-lora-rank64")
    expect(answer.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_a_file_is_read_in_the_encoding_in_which_it_was_saved(warm: Page, encoding: str) -> None:
    text = f"Größe ± 5 %\n{START_UP}"
    open_file(warm, text.encode(encoding))
    expect(verdict(warm).locator(".fb-set")).to_have_text("--max-lora-rank64")
    expect(warm.locator("#fb-paste")).to_have_value(text)


def test_the_newest_paste_is_answered_while_an_older_one_is_still_read(warm: Page) -> None:
    warm.evaluate(PASTE, BUSY)
    warm.get_by_role("button", name="Diagnose").click()
    expect(warm.locator('[data-part="progress"]')).to_contain_text("Reading 40,000 lines")
    warm.wait_for_timeout(500)
    assert warm.locator(".fb-answer:not([aria-busy]) .fb-verdict").count() == 0
    warm.evaluate(PASTE, START_UP)
    warm.get_by_role("button", name="Diagnose").click()
    expect(warm.locator(".fb-verdict h2")).to_have_text(re.compile("LoRA rank"), timeout=PATIENCE)
    expect(warm.locator(".fb-set")).to_have_text("--max-lora-rank64")
    warm.wait_for_timeout(300)
    expect(warm.locator(".fb-verdict")).to_have_count(1)


def test_what_is_cleared_while_it_is_read_stays_away(warm: Page) -> None:
    warm.evaluate(PASTE, BUSY)
    warm.get_by_role("button", name="Diagnose").click()
    expect(warm.locator('[data-part="progress"]')).to_contain_text("Reading")
    warm.locator(CLEAR).click()
    expect(warm.locator('[data-part="progress"]')).to_have_text("")
    diagnose(warm, "INFO all is well\n")
    expect(warm.locator(".fb-verdict h2")).to_have_text("Nothing failed in this paste")


def test_of_pastes_in_quick_succession_the_last_is_answered(warm: Page) -> None:
    pastes = ["INFO 1\n", "INFO 2\n", START_UP, "INFO 3\n", START_UP]
    answers = warm.evaluate(
        """async (pastes) => {
            const { PageMatcher } = await import("./assets/js/matchers.js");
            const matcher = new PageMatcher(() => {});
            const ask = (text) => matcher.match(text, {}).then((found) => found.verdict, (no) => no.stage);
            return Promise.all(pastes.map(ask));
        }""",
        pastes,
    )
    assert answers == ["superseded"] * 4 + ["match"]


def test_keys_pressed_before_the_script_is_there_are_not_lost(page: Page, any_site: str) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/home*.js", hold)
    page.goto(any_site, wait_until="commit")
    page.locator("#fb-paste").fill(START_UP)
    page.locator("#fb-paste").press("Control+Enter")
    expect(page.get_by_role("button", name="Diagnose")).to_be_disabled()
    page.wait_for_timeout(300)
    for route in held:
        route.continue_()
    expect(verdict(page).locator(".fb-set")).to_have_text("--max-lora-rank64")
