"""What a person does on the diagnosis page, in the words of a test."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from kb.site.generate import ROOT

ENTRIES = ROOT / "entries"
RANK = "vllm-lora-rank-exceeds-max"
CLEAR = '[data-part="clear"]'
PATIENCE = 30_000  # ms; the first answer waits for Python to start, on a machine that may be busy


def example(entry: str, name: str) -> str:
    """A paste that stands beside an entry."""
    return Path(ENTRIES / entry / name).read_text(encoding="utf-8")


def diagnose(page: Page, text: str) -> Locator:
    """Paste a text, press the keys, wait for the verdict. Returns the answer."""
    expect(page.get_by_role("button", name="Diagnose")).to_be_enabled()
    page.locator("#fb-paste").fill(text)
    page.locator("#fb-paste").press("Control+Enter")
    return verdict(page)


def verdict(page: Page) -> Locator:
    """The answer, once it is there."""
    expect(page.locator(".fb-answer:not([aria-busy]) .fb-verdict")).to_be_visible(timeout=PATIENCE)
    return page.locator(".fb-answer")
