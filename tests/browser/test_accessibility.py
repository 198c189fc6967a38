"""axe finds nothing against WCAG 2.2 AA on any page template: both colours, and a phone's width."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from kb.site.generate import ROOT
from tests.browser.asking import RANK, diagnose, example

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PATHS = [
    "",
    "errors/",
    f"errors/{RANK}/",
    "errors/cuda-out-of-memory/",
    "overviews/setting/",
    "overviews/map/",
    "statistics/",
    "guides/serving-many-lora-adapters/",
    "http-api/",
    "404.html",
]
VIEWS = {"light": ("light", 1280), "dark": ("dark", 1280), "phone": ("light", 390)}
LOST = "starting\nFrobnicatorError: the flux of gate 7 is inverted\n"
RANKS = "match-mismatch-different-operations.txt"
EXCUSED = [
    # The theme's script wraps each copy button in a landmark without a name, after our scripts have run.
    ("landmark-unique", ".md-code__nav"),
    # On a phone the theme's drawer names a folder's list after the link above it, as another list is.
    ("landmark-unique", "__nav_"),
]
FINDINGS = """async (tags) => {
    for (const each of document.querySelectorAll("details")) each.open = true;
    const ending = (each) => Number.isFinite(each.effect.getComputedTiming().endTime);
    await Promise.allSettled(document.getAnimations().filter(ending).map((each) => each.finished));
    const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
    const told = ({ id, nodes }) => nodes.map((node) => [id, `${node.target}`, node.failureSummary]);
    return violations.flatMap(told);
}"""


@pytest.fixture(params=VIEWS)
def view(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page in one of the colours and widths."""
    scheme, width = VIEWS[request.param]
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light", viewport={"width": width, "height": 900}
    )
    yield context.new_page()
    context.close()


def findings(page: Page) -> list[tuple[str, str, str]]:
    """What axe has against a page as it is shown now: rule, element, and what would mend it."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(FINDINGS, TAGS)
    return [
        (rule, place, why)
        for rule, place, why in found
        if not any(rule == excused and part in place for excused, part in EXCUSED)
    ]


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_on_a_page(view: Page, static_site: str, path: str) -> None:
    view.goto(static_site + path, wait_until="networkidle")
    assert findings(view) == []


def test_axe_finds_nothing_in_an_answer(view: Page, static_site: str) -> None:
    view.goto(static_site)
    for paste, verdict in [
        (example("nccl-collective-timeout", RANKS), "ambiguous"),
        (LOST, "no_match"),
        (example(RANK, "match-start-up-lora-modules.txt"), "match"),
    ]:
        answer = diagnose(view, paste)
        expect(answer.locator(".fb-verdict")).to_have_class(f"fb-verdict fb-verdict--{verdict}")
        assert findings(view) == [], verdict


def test_axe_finds_nothing_while_words_are_searched(view: Page, static_site: str) -> None:
    view.goto(f"{static_site}errors/", wait_until="networkidle")
    view.keyboard.press("/")
    view.locator('[data-md-component="search-query"]').press_sequentially("--max-loras")
    expect(view.locator(".md-search-result__item").first).to_be_visible()
    assert findings(view) == []


@pytest.mark.parametrize(
    ("spoil", "rule"),
    [
        ("document.querySelector('.md-content p').style.color = '#ddd'", "color-contrast"),
        ("document.querySelector('.md-search').removeAttribute('aria-label')", "aria-dialog-name"),
    ],
)
def test_axe_finds_what_is_spoilt(quiet: Page, static_site: str, spoil: str, rule: str) -> None:
    quiet.goto(f"{static_site}guides/", wait_until="networkidle")
    quiet.evaluate(spoil)
    assert {found for found, _, _ in findings(quiet)} == {rule}
