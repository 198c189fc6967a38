"""A server over the real entries and a small site, and clients that ask it."""

import gzip
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.api.server_process import Running, serve

PAGE = "<!doctype html><title>{title}</title><script>document.title += '!'</script><p>{title}</p>"


@pytest.fixture(scope="session")
def site_build(build_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The build folder with a small site in it, and a secret beside the site."""
    build = tmp_path_factory.mktemp("served") / "build"
    shutil.copytree(build_dir, build)
    site = build / "site"
    (site / "errors" / "some-error").mkdir(parents=True)
    (site / "index.html").write_text(PAGE.format(title="Home"))
    (site / "404.html").write_text(PAGE.format(title="No such page"))
    (site / "errors" / "some-error" / "index.html").write_text(PAGE.format(title="Some error"))
    (site / "app.js").write_text("export const answer = 42\n")
    (site / "app.57a0d79d.min.js").write_text("export const answer = 43\n")
    (site / "packed.js").write_text("plain")
    (site / "packed.js.br").write_bytes(b"by brotli")
    (site / "packed.js.gz").write_bytes(gzip.compress(b"by gzip"))
    (site / "zipped.css").write_text("plain")
    (site / "zipped.css.gz").write_bytes(gzip.compress(b"by gzip"))
    (build / "secret.txt").write_text("not for the public")
    return build


@pytest.fixture(scope="session")
def running(site_build: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The server that most tests ask."""
    with serve(site_build, tmp_path_factory.mktemp("log") / "server.log") as server:
        yield server


@pytest.fixture
def client(running: Running) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=running.url, timeout=60) as client:
        yield client


@pytest.fixture
def start(site_build: Path, tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Starts a server of the test's own, with settings of the test's own."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(serve(site_build, tmp_path / "server.log", **settings))
