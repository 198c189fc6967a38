"""A new build is served while requests go on, and a stop lets them end."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.api.server_process import Running, serve

PASTE = b"ValueError: LoRA rank 64 is greater than max_lora_rank 16."
PLAIN = {"Content-Type": "text/plain"}
ENTRY = "vllm-lora-rank-exceeds-max"


@pytest.fixture
def build(build_dir: Path, tmp_path: Path) -> Path:
    """A build folder of the test's own, reached by a link, as a deployment may have it."""
    shutil.copytree(build_dir, tmp_path / "first")
    (tmp_path / "current").symlink_to("first")
    return tmp_path / "current"


def renamed(build: Path, title: str) -> Path:
    """The same build with another title of one entry: as a folder beside it."""
    other = build.parent / title
    shutil.copytree(build.resolve(), other)
    path = other / "entries" / f"{ENTRY}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"title": title}))
    return other


def point(link: Path, target: Path) -> None:
    """Exchange what a link leads to, in one step."""
    fresh = link.with_name("fresh")
    fresh.symlink_to(target.name)
    fresh.replace(link)


def title(running: Running) -> str:
    found: str = httpx.get(f"{running.url}/api/entries/{ENTRY}").json()["title"]
    return found


def wait_for(what: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "not so in time"
        time.sleep(0.05)


@contextmanager
def asking(running: Running) -> Iterator[list[tuple[int, str]]]:
    """Requests of all kinds from several clients while the block runs; their answers."""
    answers: list[tuple[int, str]] = []
    stop = threading.Event()

    def ask() -> None:
        with httpx.Client(base_url=running.url, timeout=60) as client:
            while not stop.is_set():
                match = client.post("/api/match", content=PASTE, headers=PLAIN)
                answers.append((match.status_code, match.json()["best"]["entry"]))
                entry = client.get(f"/api/entries/{ENTRY}")
                answers.append((entry.status_code, entry.json()["id"]))
                search = client.get("/api/search", params={"q": "max_lora_rank"})
                answers.append((search.status_code, search.json()["results"][0]["id"]))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for each in threads:
        each.start()
    try:
        yield answers
    finally:
        stop.set()
        for each in threads:
            each.join()


def test_a_new_build_is_served_under_load_and_no_request_is_dropped(build: Path, tmp_path: Path) -> None:
    with (
        serve(build, tmp_path / "log", reload_seconds=0.1) as running,
        asking(running) as answers,
    ):
        for name in ("second", "third"):
            point(build, renamed(build, name))
            wait_for(lambda name=name: title(running) == name)  # type: ignore[misc]
        path = build.resolve() / "entries" / f"{ENTRY}.json"  # as `kb build` does it: file by file
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(json.loads(path.read_text()) | {"title": "fourth"}))
        fresh.replace(path)
        wait_for(lambda: title(running) == "fourth")
    assert len(answers) > 20
    assert set(answers) == {(200, ENTRY)}
    assert running.logged().count("the new build is served") == 3
    assert "bug:" not in running.logged()


def test_sighup_reloads_at_once_and_a_broken_build_is_told_and_not_served(
    build: Path, tmp_path: Path
) -> None:
    with serve(build, tmp_path / "log", reload_seconds=0) as running:
        before = title(running)
        point(build, renamed(build, "second"))
        time.sleep(0.3)
        assert title(running) == before  # nobody looks by itself
        os.kill(running.pid, signal.SIGHUP)
        wait_for(lambda: title(running) == "second")
        (build.resolve() / "index.json").write_text("{}")
        os.kill(running.pid, signal.SIGHUP)
        running.wait_for_log("ERROR still serving the build before: ")
        assert title(running) == "second"
        assert 'faultbook_reloads_total{outcome="failed"} 1.0' in httpx.get(f"{running.url}/metrics").text


def test_a_stop_lets_the_request_end_and_takes_no_new_one(build: Path, tmp_path: Path) -> None:
    head = "POST /api/match HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
    with (
        serve(build, tmp_path / "log") as running,
        socket.create_connection(("127.0.0.1", running.port), timeout=30) as slow,
    ):
        slow.sendall(f"{head}Content-Length: {len(PASTE)}\r\n\r\n".encode())
        httpx.get(f"{running.url}/healthz")
        os.kill(running.pid, signal.SIGTERM)
        wait_for(lambda: not accepts(running.port))
        slow.sendall(PASTE)
        answer = b"".join(iter(lambda: slow.recv(65536), b"")).decode()
    assert answer.startswith("HTTP/1.1 200")
    assert ENTRY in answer


def test_before_it_stops_it_says_so_where_load_balancers_look(build: Path, tmp_path: Path) -> None:
    with serve(build, tmp_path / "log", drain_seconds=1.5) as running:
        assert httpx.get(f"{running.url}/readyz").json()["status"] == "ready"
        os.kill(running.pid, signal.SIGTERM)
        wait_for(lambda: httpx.get(f"{running.url}/readyz").status_code == 503)
        assert httpx.get(f"{running.url}/healthz").status_code == 200
        assert httpx.post(f"{running.url}/api/match", content=PASTE, headers=PLAIN).status_code == 200
        wait_for(lambda: not accepts(running.port))


def accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True


def test_two_workers_share_a_port_and_count_together(build: Path, tmp_path: Path) -> None:
    with serve(build, tmp_path / "log", workers=2, reload_seconds=0.1) as running:
        wait_for(lambda: running.logged().count("Application startup complete") == 2)
        for _ in range(20):  # each on a connection of its own
            assert httpx.post(f"{running.url}/api/match", content=PASTE, headers=PLAIN).status_code == 200
        counted = httpx.get(f"{running.url}/metrics").text
        assert f'faultbook_matches_total{{entry="{ENTRY}",verdict="match"}} 20.0' in counted
        os.kill(running.pid, signal.SIGHUP)
        wait_for(lambda: running.logged().count("Finished server process") == 2)  # both have made room
        wait_for(lambda: running.logged().count("Application startup complete") == 4)
        assert httpx.post(f"{running.url}/api/match", content=PASTE, headers=PLAIN).status_code == 200


def test_workers_that_cannot_start_end_the_server_with_the_reason(tmp_path: Path) -> None:
    given = {"FAULTBOOK_WORKERS": "2", "FAULTBOOK_PORT": "0", "FAULTBOOK_BUILD_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "api"]
    done = subprocess.run(
        command, env={**os.environ, **given}, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 3
    assert "run `kb build`" in done.stderr
    assert "Traceback" not in done.stderr
