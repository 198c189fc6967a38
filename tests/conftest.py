"""What tests of every part share: a real chromium, its pages, and the order in which tests run."""

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, Route, sync_playwright

# As root there is no sandbox to be had; the rest keeps chromium from talking to its maker.
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
OWN_HOSTS = {"127.0.0.1", "localhost"}
ENTRIES = Path(__file__).resolve().parent.parent / "entries"


# A shell starts what runs in the background with Ctrl-C ignored, and what the tests start would inherit it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="write real output over golden files and documentation"
    )


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether a test should write what it got over what it expected, to be read in review."""
    return bool(request.config.getoption("--update"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a browser and run them after all others.

    Playwright's synchronous API keeps an event loop running in the main thread until the browser
    is closed; a test that starts a loop of its own would fail meanwhile. The shuffle of
    pytest-randomly comes first, so the order stays random inside both groups.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def build_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real entries, compiled: index, entries, checks and word search. No pages. Never written to."""
    # Here, so that a package that cannot be imported fails the tests that need it and no others.
    from kb.catalog.build import write_catalog
    from kb.catalog.loader import load_catalog
    from kb.search import build_search

    build = tmp_path_factory.mktemp("build")
    write_catalog(load_catalog(ENTRIES), build)
    build_search(build / "entries", build / "search")
    return build


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's chromium, started once for all tests."""
    path = shutil.which("chromium")
    if path is None:
        pytest.fail(
            "chromium is not on PATH: `make test` installs it where it may, "
            "otherwise run `apt-get update && apt-get install chromium` as root",
            pytrace=False,
        )
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a fresh profile that may ask only this machine, and whose scripts may not fail."""
    foreign: list[str] = []
    errors: list[str] = []

    def guard(route: Route, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in {"http", "https"} and parts.hostname not in OWN_HOSTS:
            foreign.append(request.url)
            route.abort()
        else:
            route.continue_()

    context = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        context.route("**/*", guard)
        opened = context.new_page()
        opened.on("pageerror", lambda error: errors.append(str(error)))
        yield opened
    finally:
        context.close()
    assert not foreign, f"the page asked other hosts: {foreign}"
    assert not errors, f"scripts of the page failed: {errors}"
