"""The API's own page: under its policy, from this server alone; requests work, and axe finds nothing."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.asking import RANK
from tests.browser.test_accessibility import VIEWS, findings


def operation(page: Page, path: str) -> Locator:
    """A request of the page, opened."""
    found = page.locator(f'[data-path="{path}"]')
    found.locator("summary").click()
    return found


def test_a_request_can_be_tried_on_the_page_of_the_api(quiet: Page, served_site: str) -> None:
    asked: list[str] = []
    quiet.on("request", lambda request: asked.append(request.url))
    answer = quiet.goto(f"{served_site}api/docs")
    assert answer
    assert answer.status == 200
    assert "script-src 'self';" in answer.headers["content-security-policy"]
    expect(quiet.get_by_role("heading", name="Faultbook API")).to_be_visible()
    expect(quiet.locator(".api-operation")).to_have_count(13)
    match = operation(quiet, "/api/match")
    match.get_by_role("button", name="Send").click()
    expect(match.get_by_role("status")).to_contain_text("200 OK")
    expect(match.locator(".api-answer pre")).to_contain_text(RANK)
    assert f"{served_site}api/match" in asked
    assert all(url.startswith(served_site) for url in asked)


def test_each_media_type_and_each_parameter_is_sent(quiet: Page, served_site: str) -> None:
    quiet.goto(f"{served_site}api/docs")
    match = operation(quiet, "/api/match")
    match.get_by_label("Media type").select_option("application/json")
    match.get_by_label("Body").fill(
        json.dumps({"text": 'it\'s "LoRA rank 64 is greater than max_lora_rank 16."'})
    )
    match.get_by_label("format").select_option("markdown")
    command = match.locator(".api-command code")
    expect(command).to_contain_text("?format=markdown' -H 'Content-Type: application/json' --data-binary '")
    expect(command).to_contain_text(r"it'\''s")
    match.get_by_role("button", name="Send").click()
    expect(match.get_by_role("status")).to_contain_text("text/markdown")
    match.get_by_label("Media type").select_option("multipart/form-data")
    paste = {"name": "job.log", "mimeType": "text/plain", "buffer": b"CUDA out of memory"}
    match.get_by_label("File").set_input_files(paste)  # type: ignore[arg-type]
    match.get_by_label("format").select_option("json")
    match.get_by_role("button", name="Send").click()
    expect(match.locator(".api-answer pre")).to_contain_text('"characters": 18')


def test_a_path_is_filled_in_and_a_refusal_is_shown(quiet: Page, served_site: str) -> None:
    quiet.goto(f"{served_site}api/docs")
    entry = operation(quiet, "/api/entries/{id}")
    expect(entry.get_by_label("id")).to_have_value(RANK)
    entry.get_by_role("button", name="Send").click()
    expect(entry.locator(".api-answer pre")).to_contain_text('"title"')
    entry.get_by_label("id").press("ControlOrMeta+A")
    with_slash = "no/such entry"
    entry.get_by_label("id").fill(with_slash)
    expect(entry.locator(".api-command code")).to_contain_text("no%2Fsuch%20entry")


def test_a_schema_is_reached_by_its_name(quiet: Page, served_site: str) -> None:
    quiet.goto(f"{served_site}api/docs#schema-FailureModel")
    fields = quiet.get_by_role("region", name="Fields of FailureModel")
    expect(fields).to_be_visible()
    fields.get_by_role("link", name="CheckModel").click()
    expect(quiet.get_by_role("region", name="Fields of CheckModel")).to_be_visible()


@pytest.fixture(params=VIEWS)
def view(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """The page in one of the colours and widths; its policy gives way to axe."""
    scheme, width = VIEWS[request.param]
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 900},
        bypass_csp=True,
    )
    yield context.new_page()
    context.close()


def test_axe_finds_nothing_and_nothing_is_cut_off(view: Page, served_site: str) -> None:
    view.goto(f"{served_site}api/docs")
    expect(view.locator(".api-operation")).to_have_count(13)
    assert findings(view) == []  # with everything opened
    view.locator(".api-operation").first.get_by_role("button", name="Send").click()
    expect(view.locator(".api-answer pre")).to_contain_text(RANK)
    assert findings(view) == []
    assert view.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
