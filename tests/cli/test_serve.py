"""`kb serve`: built first, answering, and rebuilt when an entry changes."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

GOOD = Path(__file__).parent.parent / "catalog" / "good" / "entries"
PASTE = "RuntimeError: toyengine: all 4 adapter slots are taken, 2 more wanted\n"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ask(url: str, body: dict[str, Any] | None = None) -> Any:
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(url, data=data, headers={"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def wait_for(what: Any, seconds: float = 90) -> None:
    """Ask until the answer is true; a server that is not up yet is no answer."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if what():
                return
        except (urllib.error.URLError, ConnectionError):
            pass
        time.sleep(0.2)
    pytest.fail("not so in time")


class Served:
    """A running `kb serve` on a copy of the made-up catalogue."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.entries, self.build = folder / "entries", folder / "build"
        if not self.entries.exists():
            shutil.copytree(GOOD, self.entries)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        places = {"FAULTBOOK_ENTRIES": str(self.entries), "FAULTBOOK_BUILD_DIR": str(self.build)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kb", "serve", "--port", str(self.port), *arguments],
            env={**os.environ, **places},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def stop(self) -> str:
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=30)
        return said.decode()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    running = Served(tmp_path)
    yield running
    if running.process.poll() is None:
        running.process.kill()
        running.process.communicate()


def test_a_changed_entry_is_served_without_a_restart(served: Served) -> None:
    wait_for(lambda: ask(f"{served.url}/healthz")["entries"] == 3)
    answer = ask(f"{served.url}/api/match", {"text": PASTE})
    assert answer["best"]["entry"] == "engine-slots-full"
    with urllib.request.urlopen(f"{served.url}/errors/engine-slots-full/", timeout=10) as page:
        assert "all slots are taken" in page.read().decode()

    path = served.entries / "engine-slots-full" / "entry.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("all slots are taken", "every slot is taken"), encoding="utf-8")
    entry = f"{served.url}/api/entries/engine-slots-full"
    wait_for(lambda: ask(entry)["title"] == "Engine refuses an adapter because every slot is taken")

    path.write_text("id: [", encoding="utf-8")  # a half-written entry leaves the others served
    wait_for(lambda: ask(f"{served.url}/healthz")["entries"] == 2)
    said = served.stop()
    assert f"Faultbook: {served.url}/" in said
    assert "engine-slots-full/entry.yaml" in said
    assert "Traceback" not in said


def test_a_build_that_fails_is_told_and_the_one_before_is_served(served: Served, tmp_path: Path) -> None:
    wait_for(lambda: ask(f"{served.url}/healthz")["entries"] == 3)
    shutil.rmtree(served.build / "pages")
    (served.build / "pages").write_text("in the way", encoding="utf-8")
    path = served.entries / "engine-worker-lost" / "entry.yaml"
    with path.open("a", encoding="utf-8") as entry:
        entry.write("warnings: [Another one.]\n")
    wait_for(lambda: ask(f"{served.url}/api/entries/engine-worker-lost")["warnings"])
    page = f"{served.url}/errors/engine-worker-lost/"
    with urllib.request.urlopen(page, timeout=10) as answer:
        assert answer.status == 200
    time.sleep(1)  # told right after the new index has been taken
    said = served.stop()
    assert "The build failed (above); the pages of the build before are served." in said
    again = Served(tmp_path)
    try:
        wait_for(lambda: ask(f"{again.url}/healthz")["entries"] == 3)
    finally:
        said = again.stop()
    assert "kb: the build failed (above); the pages of the build before are served\n" in said


def test_a_taken_port_is_told_before_anything_is_built(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "kb", "serve", "--port", str(port)],
            env={
                **os.environ,
                "FAULTBOOK_ENTRIES": str(GOOD),
                "FAULTBOOK_BUILD_DIR": str(tmp_path / "build"),
            },
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert f"port {port}: address already in use; choose another --port" in done.stderr.decode()
    assert not (tmp_path / "build").exists()


def test_a_second_start_builds_nothing(served: Served, tmp_path: Path) -> None:
    wait_for(lambda: ask(f"{served.url}/healthz")["entries"] == 3)
    assert "Building" in served.stop()
    again = Served(tmp_path, "--no-watch")
    try:
        wait_for(lambda: ask(f"{again.url}/healthz")["entries"] == 3)
    finally:
        said = again.stop()
    assert "Building" not in said
    assert again.process.returncode in (0, 130)
