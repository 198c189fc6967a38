"""Pictures of every page template: `python tests/browser/screenshots.py SITE FOLDER` (needs chromium).

Desktop and phone, light and dark. For eyes, not for comparison: nothing is asserted.
"""

import argparse
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ENTRIES = Path(__file__).resolve().parents[2] / "entries"
DEVICES = {"desktop": (1280, 860), "phone": (390, 844)}
SCHEMES = ("light", "dark")
PLACES = {
    "home": "",
    "index": "errors/",
    "entry": "errors/vllm-lora-rank-exceeds-max/",
    "entry-with-causes": "errors/cuda-out-of-memory/",
    "overview": "overviews/setting/",
    "changed": "overviews/changed/",
    "kinds": "overviews/kind/",
    "map": "overviews/map/",
    "guides": "guides/",
    "guide": "guides/serving-many-lora-adapters/",
    "statistics": "statistics/",
    "matching": "how-matching-works/",
    "api": "http-api/",
    "hosting": "self-hosting/",
    "jobs": "jobs/",
    "chats": "bots/",
    "lost": "404.html",
}
WORDS = "--max-loras"
PASTES = {
    "answer": "vllm-lora-rank-exceeds-max/match-start-up-lora-modules.txt",
    "ranks": "nccl-collective-timeout/match-mismatch-different-operations.txt",
    "memory": "cuda-out-of-memory/match-driver-error-only.txt",
    "healthy": "cuda-out-of-memory/other-healthy-memory-log.txt",
    "wrapper": "vllm-engine-core-init-failed/match-api-server-tail.txt",
    "two": "numpy2-abi-mismatch/other-notice-then-out-of-memory.txt",
    "question": "cuda-illegal-memory-access/match-vllm-tolist.txt",
}
UNKNOWN = "loading\nuser jo at 10.3.4.5\nFrobnicatorError: the flux of gate 7 is inverted\n"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextmanager
def host(site: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def take(page: Page, path: Path) -> None:
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(300)
    page.screenshot(path=str(path), full_page=True)
    print(path)


def tour(page: Page, address: str, folder: Path, suffix: str) -> None:
    for name, place in PLACES.items():
        page.goto(address + place, wait_until="networkidle")
        take(page, folder / f"{name}-{suffix}.png")
    page.goto(f"{address}errors/", wait_until="networkidle")
    page.locator('[data-md-component="search-query"]').focus()
    page.locator('[data-md-component="search-query"]').press_sequentially(WORDS)
    page.wait_for_timeout(600)
    page.screenshot(path=str(folder / f"search-{suffix}.png"))
    page.goto(address, wait_until="networkidle")
    for name, paste in PASTES.items():
        diagnose(page, (ENTRIES / paste).read_text(encoding="utf-8"))
        take(page, folder / f"{name}-{suffix}.png")
    page.evaluate(
        "document.getElementById('diagnosis').dataset.repository = 'https://forge.example/owner/name'"
    )
    diagnose(page, UNKNOWN)
    page.get_by_text("Propose an entry").click()
    page.get_by_role("link", name="Open the form").wait_for()
    page.locator(".fb-taken-out").evaluate("(list) => { list.closest('details').open = true; }")
    take(page, folder / f"unknown-{suffix}.png")


def diagnose(page: Page, text: str) -> None:
    page.locator("#fb-paste").fill(text)
    page.locator("#fb-paste").press("Control+Enter")
    page.locator(".fb-answer:not([aria-busy]) .fb-verdict").wait_for(timeout=60_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with host(given.site) as address, sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        for (device, (width, height)), scheme in product(DEVICES.items(), SCHEMES):
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if scheme == "dark" else "light",
                has_touch=device == "phone",
                is_mobile=device == "phone",
            )
            tour(context.new_page(), address, given.folder, f"{device}-{scheme}")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
