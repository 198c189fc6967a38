"""The matcher in a page: what is sent, and how long from the paste to the answer, in the system's chromium.

"Cold" is the first visit of a fresh profile; for the second the browser was closed and started anew. The
clock is the page's own and runs from the paste to the frame in which the answer is drawn. Site and API come
from one server on this machine, so the network costs nothing; seconds hang on the machine and what else it
does, so its load is printed too.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, Playwright, Request, sync_playwright

from kb.catalog.build import write_catalog
from kb.catalog.loader import load_catalog
from kb.search import build_search
from kb.site.build import build_site

ENTRIES = Path(__file__).resolve().parent.parent / "entries"
ROUNDS = 5
READ_FIRST = 500  # ms between the page and the paste
FLAGS = ["--no-sandbox", "--disable-gpu"]
CLEAR = '[data-part="clear"]'
# Tells the seconds from the paste in the box to the frame behind the answer.
STOPWATCH = """
() => {
  const box = document.querySelector("#fb-paste");
  const answered = () => document.querySelector(".fb-answer:not([aria-busy]) .fb-verdict") !== null;
  window.answered = new Promise((resolve) => {
    let begin = 0;
    const watch = new MutationObserver(() => {
      if (begin && answered()) {
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve((performance.now() - begin) / 1000)));
      }
    });
    box.addEventListener("input", () => { begin = performance.now(); }, { once: true });
    watch.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}
"""


def main() -> None:
    with TemporaryDirectory() as folder:
        build = Path(folder, "build")
        catalog = load_catalog(ENTRIES)
        write_catalog(catalog, build)
        build_search(build / "entries", build / "search")
        build_site(catalog, build, progress=lambda _: None)
        pastes = sorted(ENTRIES.glob("*/match-*.txt"), key=lambda path: abs(lines(path) - 60))
        paste = pastes[0].read_text(encoding="utf-8")
        with server(build) as url, sync_playwright() as playwright:
            measure(playwright, url, paste, Path(folder, "profile"))


def measure(playwright: Playwright, url: str, paste: str, profile: Path) -> None:
    """First and second visits, and what an answer takes in a page that has given one."""
    cold: list[float] = []
    second: list[float] = []
    for _ in range(ROUNDS):
        shutil.rmtree(profile, ignore_errors=True)
        for taken in (cold, second):
            with opened(playwright, profile) as page:
                taken.append(first_answer(page, url, paste))
    with opened(playwright, profile) as page:
        first_answer(page, url, paste)
        then = [answer(page, paste) for _ in range(ROUNDS)]
    shutil.rmtree(profile)
    with opened(playwright, profile) as page:
        sent = weigh(page, url, paste)
    load = " ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"a paste of {len(paste.splitlines())} lines; median of {ROUNDS} (all); load of the machine {load}")
    print(f"sent for the matcher: {sent:,} bytes")
    for name, taken in (("first visit, cold", cold), ("second visit", second), ("once it runs", then)):
        print(f"{name}: {median(taken):.2f} s ({', '.join(f'{each:.2f}' for each in sorted(taken))})")


def first_answer(page: Page, url: str, paste: str) -> float:
    """Seconds from the first touch of the box on a page just opened."""
    page.goto(url, wait_until="networkidle")
    page.wait_for_timeout(READ_FIRST)
    return answer(page, paste)


def answer(page: Page, paste: str) -> float:
    """Seconds from the paste to the answer."""
    if page.locator(CLEAR).is_visible():
        page.locator(CLEAR).click()
    page.evaluate(STOPWATCH)
    page.locator("#fb-paste").fill(paste)
    page.locator("#fb-paste").press("Control+Enter")
    return float(page.evaluate("window.answered"))


def weigh(page: Page, url: str, paste: str) -> int:
    """Bytes of all bodies that the matcher's start brings, as they come over the wire."""
    asked: list[Request] = []

    def note(request: Request) -> None:
        asked.append(request)

    page.context.on("requestfinished", note)
    first_answer(page, url, paste)
    of_matcher = [each for each in asked if re.search("/assets/matcher/|/matcher-", each.url)]
    return sum(each.sizes()["responseBodySize"] for each in of_matcher)


@contextmanager
def opened(playwright: Playwright, profile: Path) -> Iterator[Page]:
    """A page of a browser whose profile outlives it."""
    context = playwright.chromium.launch_persistent_context(
        profile, executable_path=shutil.which("chromium"), args=FLAGS
    )
    try:
        yield context.new_page()
    finally:
        context.close()


@contextmanager
def server(build: Path) -> Iterator[str]:
    """The address of `python -m api` over a build folder."""
    log = build / "server.log"
    environment = {**os.environ, "FAULTBOOK_BUILD_DIR": str(build), "FAULTBOOK_PORT": "0"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "api"], env=environment, stdout=output, stderr=output
        )
    try:
        while not (found := re.search(r"running on (http://\S+)", log.read_text())):
            if process.poll() is not None:
                raise SystemExit(f"the server did not start:\n{log.read_text()}")
            time.sleep(0.02)
        yield found[1]
    finally:
        process.terminate()
        process.wait()


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    main()
