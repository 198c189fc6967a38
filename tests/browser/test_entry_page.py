"""The page of an entry in chromium: fields that fill its commands, ticks that stay, what a link fills in."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.asking import RANK, diagnose, example

SLOTS = "mark.fb-slot"
ADAPTER = "Folder of the adapter"


@pytest.fixture
def page_of_rank(quiet: Page, static_site: str) -> Page:
    quiet.goto(f"{static_site}errors/{RANK}/")
    expect(quiet.locator(".fb-field").first).to_be_visible()
    return quiet


def commands(page: Page) -> str:
    return "\n".join(page.locator(".fb-command").all_inner_texts())


def test_a_value_fills_every_command_and_goes_again(page_of_rank: Page) -> None:
    before = commands(page_of_rank)
    assert before.count("@adapter_dir@") >= 2
    field = page_of_rank.get_by_label(ADAPTER)
    field.fill(" /srv/my adapter ")
    after = commands(page_of_rank)
    assert after == before.replace("@adapter_dir@", "/srv/my adapter")
    field.fill("")
    assert commands(page_of_rank) == before


def test_every_placeholder_of_the_entrys_own_commands_has_a_field(page_of_rank: Page) -> None:
    fields = page_of_rank.locator(".fb-field")
    for at in range(fields.count()):
        fields.nth(at).fill("filled-in")
    left = {
        each for each in page_of_rank.locator("#causes ~ * mark.fb-slot").all_inner_texts() if "@" in each
    }
    assert left == set()


def test_a_link_fills_in_words_and_nothing_that_a_shell_would_run(quiet: Page, static_site: str) -> None:
    hostile = "&adapter_dir=/a/b%24(id)&out_dir=x%3Bid&base_model=a%20b&nobody=x"
    quiet.goto(f"{static_site}errors/{RANK}/#cause-adapter-above-limit&rank=50&value=64{hostile}")
    filled = quiet.locator("mark.fb-slot--filled")
    expect(filled.first).to_be_attached()
    assert set(filled.all_text_contents()) == {"50", "64"}
    for label in (ADAPTER, "Base model"):
        expect(quiet.get_by_label(label)).to_have_value("")
    expect(quiet.locator("#cause-adapter-above-limit")).to_be_in_viewport()


def test_the_answer_links_to_the_page_with_what_the_message_said_and_no_more(warm: Page) -> None:
    paste = example(RANK, "match-start-up-lora-modules.txt")
    answer = diagnose(warm, paste)
    href = answer.get_by_role("link", name="Everything on this failure").get_attribute("href") or ""
    path, _, fragment = href.partition("#")
    assert path.endswith(f"errors/{RANK}/")
    names = {pair.partition("=")[0] for pair in fragment.split("&")}
    assert {"rank", "max_rank", "value"} <= names
    assert len(fragment) < 400
    assert "Traceback" not in href


def test_ticks_stay_on_this_device_until_they_are_taken_back(page_of_rank: Page) -> None:
    boxes = page_of_rank.locator(".task-list input")
    reset = page_of_rank.get_by_role("button", name="Untick all")
    expect(reset).to_be_hidden()
    boxes.nth(1).check()
    page_of_rank.reload()
    expect(boxes.nth(1)).to_be_checked()
    expect(boxes.nth(0)).not_to_be_checked()
    reset.click()
    expect(reset).to_be_hidden()
    expect(boxes.first).to_be_focused()
    page_of_rank.reload()
    expect(boxes.nth(1)).not_to_be_checked()


def test_a_box_is_named_by_its_step(page_of_rank: Page) -> None:
    step = page_of_rank.locator(".task-list-item p").first.inner_text().strip()
    expect(page_of_rank.get_by_role("checkbox", name=step)).to_be_visible()


def test_fields_and_boxes_are_reached_by_keyboard(page_of_rank: Page) -> None:
    page_of_rank.get_by_label(ADAPTER).focus()
    page_of_rank.keyboard.type("/x")
    page_of_rank.keyboard.press("Tab")
    assert page_of_rank.evaluate("document.activeElement.classList.contains('fb-field')")
    page_of_rank.locator(".task-list input").first.focus()
    page_of_rank.keyboard.press("Space")
    expect(page_of_rank.locator(".task-list input").first).to_be_checked()


@pytest.fixture
def without_scripts(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_without_scripts_the_values_are_a_table(without_scripts: Page, static_site: str) -> None:
    without_scripts.goto(f"{static_site}errors/{RANK}/")
    row = without_scripts.get_by_role("row", name="@adapter_dir@")
    expect(row).to_contain_text(ADAPTER)
    expect(row).to_contain_text("/adapters/")


def test_the_copy_button_of_a_console_block_takes_the_commands_alone(quiet: Page, static_site: str) -> None:
    quiet.context.grant_permissions(["clipboard-read", "clipboard-write"])
    quiet.goto(f"{static_site}guides/reading-a-distributed-log/")
    block = quiet.locator(".highlight", has_text="tail -n 8 job.log").first
    block.hover()
    block.locator("button").first.click()
    copied = quiet.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == "tail -n 8 job.log"


def test_on_a_phone_the_fields_stand_on_the_screen(page_of_rank: Page) -> None:
    page_of_rank.set_viewport_size({"width": 390, "height": 844})
    field = page_of_rank.get_by_label(ADAPTER)
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["height"] >= 24
