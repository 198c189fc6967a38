"""The real site on a static host under a subpath, and behind the API; both in a real chromium."""

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from kb.catalog.loader import load_catalog
from kb.diagnose import diagnose as diagnosis_of
from kb.diagnose.diagnosis import Diagnosis
from kb.diagnose.index import load_index
from kb.site.build import build_site
from kb.site.generate import ROOT
from tests.api.server_process import serve
from tests.browser.asking import CLEAR, ENTRIES, diagnose

SUBPATH = "/some/folder"


class StaticHost(SimpleHTTPRequestHandler):
    """Files of a folder under a subpath and nothing else, as any plain host would serve them.

    Where nothing lies it sends the site's 404 page, as hosts of static sites do.
    """

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        if code != HTTPStatus.NOT_FOUND:
            super().send_error(code, message, explain)
            return
        page = Path(self.directory, "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(page)

    def translate_path(self, path: str) -> str:
        if not path.startswith(SUBPATH + "/"):
            return str(Path(self.directory) / "no-such-file")
        return super().translate_path(path.removeprefix(SUBPATH))

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def built(build_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The build folder with the whole site in it."""
    build = tmp_path_factory.mktemp("browser") / "build"
    shutil.copytree(build_dir, build)
    build_site(load_catalog(ROOT / "entries"), build, progress=lambda _: None)
    return build


@pytest.fixture(scope="session")
def static_site(built: Path) -> Iterator[str]:
    """Address of the site on a host that knows no API. Ends with a slash."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(StaticHost, directory=str(built / "site")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}{SUBPATH}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def served_site(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of site and API on one port, as `kb serve` offers them. Ends with a slash."""
    with serve(built, tmp_path_factory.mktemp("server") / "server.log") as running:
        yield f"{running.url}/"


@pytest.fixture(params=["static_site", "served_site"])
def any_site(request: pytest.FixtureRequest) -> str:
    """Each of the two in turn."""
    address: str = request.getfixturevalue(request.param)
    return address


@pytest.fixture(scope="module")
def started(browser: Browser, static_site: str) -> Iterator[Page]:
    """The diagnosis page with its matcher running: starting Python takes seconds."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(static_site)
    diagnose(page, "INFO nothing of note\n")
    yield page
    context.close()


@pytest.fixture
def warm(started: Page) -> Iterator[Page]:
    """The running page, cleared. Its console must stay free of errors, and its requests at home."""
    complaints: list[str] = []
    on_console = partial(note_console, complaints)
    on_request = partial(note_request, complaints)
    started.on("console", on_console)
    started.on("request", on_request)
    started.set_viewport_size({"width": 1280, "height": 900})
    if started.locator(CLEAR).is_visible():
        started.locator(CLEAR).click()
    yield started
    started.remove_listener("console", on_console)
    started.remove_listener("request", on_request)
    assert complaints == []


def note_console(complaints: list[str], message: ConsoleMessage) -> None:
    if message.type in {"error", "warning"}:
        complaints.append(message.text)


def note_request(complaints: list[str], request: Request) -> None:
    if urlsplit(request.url).hostname != "127.0.0.1":
        complaints.append(request.url)


@pytest.fixture(scope="session")
def with_check(built: Path) -> str:
    """A paste whose answer asks for a check, and shows its fix in several forms."""
    index = load_index(built / "index.json")
    pastes = (path.read_text(encoding="utf-8") for path in sorted(ENTRIES.glob("*/match-*.txt")))
    return next(text for text in pastes if has_check_and_forms(diagnosis_of(text, index)))


def has_check_and_forms(diagnosis: Diagnosis) -> bool:
    """Whether the one failure of an answer has a next check and a fix with tabs."""
    if len(diagnosis.failures) != 1 or not diagnosis.failures[0].hypotheses:
        return False
    (failure,) = diagnosis.failures
    fix = failure.hypotheses[0].fix
    return failure.next_check is not None and fix is not None and len(fix.forms) > 1


@pytest.fixture
def quiet(page: Page) -> Iterator[Page]:
    """A fresh page whose console must stay free of errors and warnings."""
    complaints: list[str] = []
    page.on("console", partial(note_console, complaints))
    yield page
    assert complaints == []
