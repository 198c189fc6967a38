"""Ten thousand hostile requests to one server: `make soak`. Tells what must not be; so does the exit status.

Every answer is 2xx, a redirect or 304 where one is documented, or 4xx. Never 5xx: there are fewer requests
at a time than the server takes, so not even 503. The log has no bug and nothing of a paste, memory comes to
rest, and the server is well afterwards.
"""

from __future__ import annotations

import argparse
import os
import re
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import quantiles

from bench.server_process import high_water, resident, server
from bench.soak_requests import EVIL, MARK, Sent, requests

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = 6
PATIENCE = 30.0  # seconds; an answer that takes longer counts as none
REDIRECTS = {301, 304, 308}
CHATS: dict[str, int | str] = {
    "slack_signing_secret": "soak", "discord_public_key": "ab" * 32, "slash_tokens": "soak", "rate_limit": 0,
}  # fmt: skip


@dataclass(frozen=True)
class Answer:
    sent: Sent
    status: int  # 0: the connection was closed without one
    seconds: float
    wrong: str  # what must not be; empty when all is well


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.soak")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    given = parser.parse_args()
    return soak(given.build, given.count, given.seed)


def soak(build: Path, count: int, seed: int) -> int:
    """Run it, print what came of it; how many answers and findings were wrong."""
    with server(["-m", "api"], build, **CHATS) as (url, pid):
        port = int(url.rpartition(":")[2])
        begin, memory = time.monotonic(), [resident(pid)]
        answers: list[Answer] = []
        stream = iter(requests(count, seed))
        for _ in range(2):
            answers += ask_all(port, islice(stream, count // 2))
            memory.append(resident(pid))
        took, peak = time.monotonic() - begin, high_water(pid)
        wrong = [
            f"{each.sent.kind}: {each.wrong}: {each.sent.data[:200]!r}" for each in answers if each.wrong
        ]
        if (
            ask(port, Sent("last", b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).status
            != 200
        ):
            wrong.append("the server was not well afterwards")
        log = max(build.glob("server-*.log"), key=os.path.getmtime)
        wrong += in_log(log)
        log.unlink()
    if memory[2] > memory[1] * 1.1 + 5:
        wrong.append(f"memory grew: {memory}")
    tell(answers, took, memory, peak)
    for each in wrong[:20]:
        print(f"WRONG {each}", file=sys.stderr)
    return len(wrong)


def ask_all(port: int, sent: Iterator[Sent]) -> list[Answer]:
    with ThreadPoolExecutor(CLIENTS) as clients:
        return list(clients.map(lambda each: ask(port, each), sent))


def ask(port: int, sent: Sent) -> Answer:
    """Send it, read all that comes back, and say what is wrong with it."""
    begin = time.monotonic()
    received = b""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            try:
                connection.sendall(sent.data)
                if not sent.is_http:
                    connection.shutdown(socket.SHUT_WR)  # else the server waits for the rest
            except OSError:
                pass  # refused before all was sent; the answer is there to be read
            while part := connection.recv(1 << 16):
                received += part
    except ConnectionResetError:
        pass
    except TimeoutError:
        return Answer(sent, 0, time.monotonic() - begin, "no answer in time")
    seconds = time.monotonic() - begin
    found = re.match(rb"(?:HTTP/1\.1 100 [^\r]*\r\n\r\n)?HTTP/1\.1 (\d{3})", received)
    status = int(found[1]) if found else 0
    return Answer(sent, status, seconds, judge(sent, status, received))


def judge(sent: Sent, status: int, received: bytes) -> str:
    """What is wrong with an answer; empty when nothing is."""
    head, _, body = received.partition(b"\r\n\r\n")
    if not status:
        return "no answer" if sent.is_http else ""
    if status >= 500 or (300 <= status < 400 and status not in REDIRECTS):
        return f"status {status}"
    if b"set-cookie" in head.lower() or b"\nx-evil" in head.lower():
        return "a header was smuggled in"
    if b"text/html" in head and EVIL.encode() in body:
        return "markup of the paste came back"
    if (
        status >= 400
        and b"application/problem+json" in head
        and b'"detail"' not in body
        and not is_head(sent)
    ):
        return "a refusal without a sentence"
    return ""


def is_head(sent: Sent) -> bool:
    return sent.data.startswith(b"HEAD ")


def in_log(log: Path) -> list[str]:
    """What must not be in the log of the server."""
    text = log.read_text(encoding="utf-8", errors="replace")
    odd = ("bug:", "Traceback (most", "\x1b", MARK)
    return [f"logged: {line[:200]}" for line in text.splitlines() if any(each in line for each in odd)]


def tell(answers: list[Answer], took: float, memory: list[float], peak: float) -> None:
    statuses = Counter(each.status for each in answers)
    kinds = Counter(each.sent.kind for each in answers)
    shown = ", ".join(f"{status or 'closed'} {count:,}" for status, count in sorted(statuses.items()))
    seconds = quantiles([each.seconds for each in answers], n=100)
    slowest = max(each.seconds for each in answers)
    print(
        f"{len(answers):,} hostile requests in {took:.0f} s, {CLIENTS} at a time: {', '.join(sorted(kinds))}"
    )
    print(f"    answers: {shown}")
    middle, late, longest = (each * 1000 for each in (seconds[49], seconds[98], slowest))
    print(f"    median {middle:.0f} ms, 99 % within {late:.0f} ms, longest {longest:.0f} ms")
    held = ", ".join(f"{each:.0f}" for each in memory)
    print(f"    memory {held} MB before, after half, after all; at most {peak:.0f} MB")


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
