"""The API process: start-up, memory, and what a request costs beside the matcher's own work.

Costs are CPU time of the server's process (the client's share of the machine does not count), as ratios to
servers measured in the same run: a bare ASGI echo, and a FastAPI route that answers the body. Linux only,
because the figures come from /proc.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx

from bench.server_process import high_water, processor_time, resident, server
from kb.catalog.build import write_catalog
from kb.catalog.loader import load_catalog
from kb.diagnose import diagnose
from kb.diagnose.index import load_index
from kb.diagnose.wire import to_wire
from kb.search import build_search

ENTRIES = Path(__file__).resolve().parent.parent / "entries"
ECHOES = Path(__file__).resolve().parent / "echo_servers.py"
REQUESTS = 400
ROUNDS = 5
PLAIN = {"Content-Type": "text/plain"}
# A client in a process of its own, so that it shares no interpreter with the one that measures.
POSTER = """
import sys, httpx
url, plain = sys.argv[1] + "/api/match", {"Content-Type": "text/plain"}
httpx.post(url, content=sys.stdin.buffer.read(), headers=plain, timeout=300).raise_for_status()
"""


def main() -> None:
    with TemporaryDirectory() as folder:
        build = Path(folder)
        write_catalog(load_catalog(ENTRIES), build)
        build_search(build / "entries", build / "search")
        paste = max(
            (path.read_bytes() for path in ENTRIES.glob("*/match-*.txt")),
            key=lambda text: len(text.splitlines()),
        )
        lines = len(paste.splitlines())
        print(f"paste: {lines} lines, {len(paste):,} bytes; {REQUESTS} requests, median of {ROUNDS}")
        start_up(build)
        costs(build, paste)
        large(build, paste)


def start_up(build: Path) -> None:
    """Seconds from starting the process to its first answer, and memory then."""
    seconds, memory = [], []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        with server(["-m", "api"], build) as (url, pid):
            httpx.get(f"{url}/healthz").raise_for_status()
            seconds.append(time.perf_counter() - begin)
            memory.append(resident(pid))
    print(f"start-up to the first answer: {median(seconds):.2f} s; memory then: {median(memory):.0f} MB")


def costs(build: Path, paste: bytes) -> None:
    """CPU time of a request to each server, and of the matcher without any server, in turns."""
    index = load_index(build / "index.json")
    text = paste.decode()
    echo = [str(ECHOES)]
    with (
        server([*echo, "asgi"], build) as bare,
        server([*echo, "fastapi"], build) as framework,
        server(["-m", "api"], build) as ours,
        server(["-m", "api"], build, inline_body=0) as threaded,
    ):
        works: dict[str, Callable[[], float]] = {
            "the matcher alone": lambda: per_call(lambda: to_wire(diagnose(text, index))),
            "bare ASGI echo": lambda: per_request(bare, "/", paste),
            "FastAPI echo": lambda: per_request(framework, "/", paste),
            "POST /api/match": lambda: per_request(ours, "/api/match", paste),
            "the same in a thread": lambda: per_request(threaded, "/api/match", paste),
            "GET /healthz": lambda: per_request(ours, "/healthz"),
            "GET /api/search": lambda: per_request(ours, "/api/search?q=max_lora_rank"),
        }
        rounds = [{name: work() for name, work in works.items()} for _ in range(ROUNDS)]
        memory = resident(ours[1])
    for name in works:
        print(f"{name:<20}  {median(each[name] for each in rounds) * 1000:7.3f} ms CPU")
    for other in ("the matcher alone", "bare ASGI echo", "the same in a thread"):
        ratio = median(each["POST /api/match"] / each[other] for each in rounds)
        print(f"POST /api/match costs {ratio:.2f} times {other}")
    print(f"memory after {REQUESTS * ROUNDS:,} matches: {memory:.0f} MB")


def large(build: Path, paste: bytes) -> None:
    """Memory after the largest paste, and how long health checks took meanwhile."""
    line = b"INFO 11-19 12:54:26 [loggers.py:118] Engine 000: prompt throughput 1.0 tokens/s, 3 running\n"
    body = line * ((5_200_000 - len(paste)) // len(line)) + paste
    waits = []
    with server(["-m", "api"], build) as (url, pid), httpx.Client(base_url=url, timeout=300) as client:
        client.get("/healthz")
        begin = time.perf_counter()
        command = [sys.executable, "-c", POSTER, url]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as poster:
            assert poster.stdin
            poster.stdin.write(body)
            poster.stdin.close()
            while poster.poll() is None:
                before = time.perf_counter()
                client.get("/healthz").raise_for_status()
                waits.append(time.perf_counter() - before)
                time.sleep(0.005)
        took = time.perf_counter() - begin
        peak, after = high_water(pid), resident(pid)
    waits.sort()
    print(f"a paste of {len(body):,} bytes: {took:.2f} s with the client's own start;")
    longest, middle = waits[-1] * 1000, median(waits) * 1000
    print(f"       health checks meanwhile: median {middle:.1f} ms, longest {longest:.0f} ms")
    print(f"       memory at most {peak:.0f} MB, afterwards {after:.0f} MB")


def per_call(work: Callable[[], object]) -> float:
    """CPU seconds of one call in this process."""
    begin = time.process_time()
    for _ in range(REQUESTS):
        work()
    return (time.process_time() - begin) / REQUESTS


def per_request(server: tuple[str, int], path: str, body: bytes | None = None) -> float:
    """CPU seconds of a server's process for one request."""
    url, pid = server
    with httpx.Client(base_url=url) as client:

        def ask() -> None:
            answer = client.post(path, content=body, headers=PLAIN) if body else client.get(path)
            answer.raise_for_status()

        ask()
        begin = processor_time(pid)
        for _ in range(REQUESTS):
            ask()
        return (processor_time(pid) - begin) / REQUESTS


if __name__ == "__main__":
    main()
