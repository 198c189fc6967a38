"""The API under full load, with wrk as the load: what a request costs, health checks meanwhile, two workers.

Costs are CPU time of the server's process in one run, so that other work on the machine counts little:

    POST /api/match   against   a bare FastAPI echo of the same body   plus   the matcher alone

Beside them stands a bare FastAPI route that matches and answers what it was sent. It has nothing of ours, and
still costs more than the sum: between two requests the kernel's and the framework's work drives the matcher
out of the processor's caches. What is above it is ours.

Throughput and waits are by the clock; on a busy machine they say more about the machine.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx

from bench.server_process import children, processor_time, resident, server
from kb.catalog.build import write_catalog
from kb.catalog.loader import load_catalog
from kb.diagnose import diagnose
from kb.diagnose.index import load_index
from kb.diagnose.wire import to_wire
from kb.search import build_search

HERE = Path(__file__).resolve().parent
ENTRIES = HERE.parent / "entries"
SECONDS = 4
ROUNDS = 5
POST = """
local file = io.open(os.getenv("BODY"), "rb")
wrk.method, wrk.body = "POST", file:read("*a")
wrk.headers["Content-Type"] = "text/plain"
"""
LINE = b"INFO 11-19 12:54:26 [loggers.py:118] Engine 000: prompt throughput %d.0 tokens/s, 3 running\n"


def main() -> None:
    if not shutil.which("wrk"):
        print("bench_load: wrk is not on PATH (on Debian: apt-get install wrk); nothing measured")
        return
    with TemporaryDirectory() as folder:
        build = Path(folder)
        write_catalog(load_catalog(ENTRIES), build)
        build_search(build / "entries", build / "search")
        pastes = sorted((path.read_bytes() for path in ENTRIES.glob("*/match-*.txt")), key=len)
        for name, paste in (("middle", pastes[len(pastes) // 2]), ("largest", pastes[-1])):
            costs(build, name, paste)
        for mixed in (False, True):
            health(build, pastes[-1], with_large=mixed)
        workers(build, pastes[-1])


def costs(build: Path, name: str, paste: bytes) -> None:
    """CPU time of a request to an echo and to ours, in turns, and of the matcher alone."""
    body, index, text = stored(build, paste), load_index(build / "index.json"), paste.decode()
    own, echo = ["-m", "api"], [str(HERE / "echo_servers.py")]
    rows = []
    with (
        server([*echo, "fastapi"], build) as plain,
        server([*echo, "matcher"], build) as least,
        server(own, build) as ours,
    ):
        for _ in range(ROUNDS):
            echoed = per_request(plain, "/", body)
            begin, count = time.process_time(), 0
            while time.process_time() - begin < SECONDS / 2:
                to_wire(diagnose(text, index))
                count += 1
            matched = (time.process_time() - begin) / count
            answered = per_request(ours, "/api/match", body)
            rows.append((echoed, matched, per_request(least, "/", body), answered))
        memory = resident(ours[1])
    echoed, matched, both, answered = (median(column) * 1000 for column in zip(*rows, strict=True))
    ratios = sorted(answered / (echoed + matched) for echoed, matched, _, answered in rows)
    print(f"the {name} example, {len(paste):,} bytes; CPU time, median of {ROUNDS} rounds of {SECONDS} s:")
    print(f"    FastAPI echo {echoed:.3f} ms, matcher {matched:.3f} ms, POST /api/match {answered:.3f} ms")
    print(f"    {median(ratios):.2f} times their sum ({ratios[0]:.2f} to {ratios[-1]:.2f}); {memory:.0f} MB")
    print(
        f"    both in one bare FastAPI route {both:.3f} ms, {both / (echoed + matched):.2f} times their sum;"
    )
    print(f"    POST /api/match costs {median(row[3] / row[2] for row in rows):.2f} times that")


def health(build: Path, paste: bytes, *, with_large: bool) -> None:
    """How long health checks take while all connections are busy; with large pastes in threads, or none."""
    small, large = stored(build, paste), stored(build, b"".join(LINE % n for n in range(3000)) + paste)
    waits = []
    with server(["-m", "api"], build) as (url, pid), httpx.Client(base_url=url, timeout=30) as client:
        client.get("/healthz")
        with loading(url, small, 16), loading(url, large if with_large else small, 4):
            end = time.monotonic() + 2 * SECONDS
            while time.monotonic() < end:
                begin = time.perf_counter()
                client.get("/healthz").raise_for_status()
                waits.append((time.perf_counter() - begin) * 1000)
                time.sleep(0.02)
        memory = resident(pid)
    waits.sort()
    what = "16 connections, and 4 with 280 KB each" if with_large else "20 connections"
    print(f"health checks under full load ({what}): {len(waits)} asked, median {median(waits):.1f} ms,")
    late = sum(wait > 50 for wait in waits)
    print(
        f"    99 % within {waits[int(len(waits) * 0.99)]:.1f} ms, longest {waits[-1]:.1f} ms, {late} above 50"
    )
    print(f"    memory then {memory:.0f} MB")


def workers(build: Path, paste: bytes) -> None:
    """Requests a second of one worker and of two, in turns."""
    body = stored(build, paste)
    with server(["-m", "api"], build) as one, server(["-m", "api"], build, workers=2) as two:
        time.sleep(2)  # the workers start after the port is open
        rounds = [
            (load(one[0], "/api/match", body, 16), load(two[0], "/api/match", body, 16))
            for _ in range(ROUNDS)
        ]
        memory = [resident(pid) for pid in children(two[1])]
    ratios = sorted(second / first for first, second in rounds)
    single, double = (median(column) for column in zip(*rounds, strict=True))
    print(f"one worker {single:.0f} requests a second, two {double:.0f}: {median(ratios):.2f} times")
    shown = ", ".join(f"{each:.0f}" for each in memory if each > 30)
    print(f"    ({ratios[0]:.2f} to {ratios[-1]:.2f}); memory of each {shown} MB")


def stored(build: Path, body: bytes) -> Path:
    """A body as a file that wrk reads."""
    path = build / f"body-{len(body)}"
    path.write_bytes(body)
    return path


def per_request(server: tuple[str, int], path: str, body: Path) -> float:
    """CPU seconds of a server's process for one request, of many at a time."""
    url, pid = server
    load(url, path, body, 8, seconds=1)
    begin = processor_time(pid)
    count = load(url, path, body, 8) * SECONDS
    return (processor_time(pid) - begin) / count


def load(url: str, path: str, body: Path, connections: int, seconds: int = SECONDS) -> float:
    """Requests a second that were answered 200, for some seconds."""
    done = subprocess.run(
        wrk(url, path, body, connections, seconds), capture_output=True, text=True, check=True,
        env={"BODY": str(body)},
    )  # fmt: skip
    wrong = re.search(r"(Non-2xx[^\n]*|Socket errors:[^\n]*)", done.stdout)
    if wrong:
        raise SystemExit(f"{path}: {wrong[1]}")
    found = re.search(r"(\d+) requests in ([\d.]+)s", done.stdout)
    assert found, done.stdout
    return int(found[1]) / float(found[2])


@contextmanager
def loading(url: str, body: Path, connections: int) -> Iterator[None]:
    """Load on /api/match while the block runs. What is refused counts as load, too."""
    command = wrk(url, "/api/match", body, connections, 60)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env={"BODY": str(body)}) as process:
        yield
        process.terminate()


def wrk(url: str, path: str, body: Path, connections: int, seconds: int) -> list[str]:
    script = body.with_suffix(".lua")
    script.write_text(POST)
    command = [shutil.which("wrk") or "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s"]
    return [*command, "-s", str(script), f"{url}{path}"]


if __name__ == "__main__":
    main()
