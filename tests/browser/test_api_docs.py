"""The API's own page runs under its policy, from this server alone, and its requests work."""

import re

from playwright.sync_api import Page, expect

from tests.browser.asking import RANK


def test_a_request_can_be_tried_on_the_page_of_the_api(quiet: Page, served_site: str) -> None:
    elsewhere: list[str] = []
    quiet.on("request", lambda request: elsewhere.append(request.url))
    answer = quiet.goto(f"{served_site}api/docs")
    assert answer
    assert answer.status == 200
    assert "script-src 'self';" in answer.headers["content-security-policy"]
    expect(quiet.get_by_role("heading", name=re.compile("^Faultbook"))).to_be_visible()
    expect(quiet.locator(".opblock")).to_have_count(13)
    match = quiet.locator(".opblock", has=quiet.locator('[data-path="/api/match"]'))
    match.locator(".opblock-summary-control").click()
    match.get_by_role("button", name="Execute").click()
    shown = match.locator(".live-responses-table")
    expect(shown).to_contain_text("200")
    expect(shown).to_contain_text(RANK)
    assert any(url == f"{served_site}api/match" for url in elsewhere)
    assert all(url.startswith((served_site, "data:", "blob:")) for url in elsewhere)
    assert quiet.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
