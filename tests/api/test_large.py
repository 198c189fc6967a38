"""Large and slow bodies: the limit holds while they come in, and nobody waits for somebody else's."""

import socket
import threading
import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.api.server_process import Running

LIMIT = 5 * 1024 * 1024
PLAIN = {"Content-Type": "text/plain"}


def chunks(size: int) -> Iterator[bytes]:
    """A body without a Content-Length, in pieces."""
    piece = b"INFO step 1 loss 0.5\n" * 500
    for _ in range(size // len(piece) + 1):
        yield piece


def test_a_declared_length_above_the_limit_is_413_with_a_sentence_that_helps(client: httpx.Client) -> None:
    answer = client.post("/api/match", content=b"x" * (LIMIT + 1), headers=PLAIN)
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["title"] == "Content Too Large"
    assert "5,242,880 bytes" in answer.json()["detail"]
    assert "around the first error" in answer.json()["detail"]


def test_a_chunked_body_above_the_limit_is_413_too(client: httpx.Client) -> None:
    answer = client.post("/api/match", content=chunks(LIMIT + 1), headers=PLAIN)
    assert answer.status_code == 413
    assert client.get("/healthz").status_code == 200  # on the same connection


def to_the_end(connection: socket.socket) -> str:
    """What comes until the server closes the connection."""
    return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


HEAD = "POST /api/match HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"


def test_a_length_far_above_the_limit_is_refused_before_the_body(running: Running) -> None:
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as connection:
        connection.sendall(f"{HEAD}Content-Length: 99000000000\r\n\r\n".encode())
        answer = to_the_end(connection)
    assert answer.startswith("HTTP/1.1 413")
    assert "connection: close" in answer.lower()
    assert "around the first error" in answer


def endless() -> Iterator[bytes]:
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    for _ in range(2000):  # 125 MiB
        yield piece


def test_an_endless_chunked_body_is_cut_off(running: Running) -> None:
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as connection:
        connection.sendall(f"{HEAD}Transfer-Encoding: chunked\r\n\r\n".encode())
        sent = 0
        for piece in endless():
            try:
                connection.sendall(piece)
            except OSError:  # broken pipe or reset, by platform
                break
            sent += len(piece)
        else:
            pytest.fail("the server let all of it in")
    assert sent < 40 * 1024 * 1024


def test_a_body_that_never_ends_is_408_and_others_are_served_meanwhile(start: Callable[..., Running]) -> None:
    running = start(body_seconds=1.5)
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as slow:
        slow.sendall(f"{HEAD}Content-Length: 1000\r\n\r\nValueError".encode())
        begin = time.monotonic()
        assert httpx.get(f"{running.url}/healthz").status_code == 200
        assert time.monotonic() - begin < 1
        slow.sendall(b": a few more bytes")
        answer = to_the_end(slow)
    assert answer.startswith("HTTP/1.1 408")
    assert "within 1.5 seconds" in answer


def test_a_client_that_leaves_in_the_middle_is_no_bug(running: Running) -> None:
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as leaving:
        leaving.sendall(f"{HEAD}Content-Length: 777\r\n\r\nValueError".encode())
    running.wait_for_log(r" 499 in=10 ")
    assert "bug:" not in running.logged()


def large_paste(size: int) -> bytes:
    """A log of some size with one real failure at its end."""
    line = b"INFO 11-19 12:54:26 [loggers.py:118] Engine 000: prompt throughput %d.0 tokens/s, 3 running\n"
    lines = [line % number for number in range(size // (len(line) + 5))]
    return b"".join(lines) + b"ValueError: LoRA rank 64 is greater than max_lora_rank 16.\n"


def test_health_checks_do_not_wait_for_a_large_paste(running: Running) -> None:
    paste = large_paste(LIMIT - 4096)
    answers: list[httpx.Response] = []
    matching = threading.Thread(
        target=lambda: answers.append(
            httpx.post(f"{running.url}/api/match", content=paste, headers=PLAIN, timeout=200)
        )
    )
    waits: list[float] = []
    begin = time.monotonic()
    with httpx.Client(base_url=running.url, timeout=60) as client:
        client.get("/healthz")
        matching.start()
        while matching.is_alive():
            before = time.monotonic()
            assert client.get("/healthz").json()["status"] == "ok"
            waits.append(time.monotonic() - before)
            time.sleep(0.01)
    took = time.monotonic() - begin
    matching.join()
    assert answers[0].json()["best"]["entry"] == "vllm-lora-rank-exceeds-max"
    assert answers[0].json()["failures"][0]["initiating"]["line"] == paste.count(b"\n")
    # Many checks were answered while the one paste was read; none waited for it as a whole.
    assert len(waits) > 5
    assert max(waits) < took / 2


def test_when_too_many_large_pastes_wait_the_next_is_told_to_come_back(start: Callable[..., Running]) -> None:
    running = start(concurrency=1, queue=1, inline_body=1000)
    paste = large_paste(1_500_000)
    answers: list[httpx.Response] = []

    def post() -> None:
        answers.append(httpx.post(f"{running.url}/api/match", content=paste, headers=PLAIN, timeout=200))

    clients = [threading.Thread(target=post) for _ in range(6)]
    for each in clients:
        each.start()
    for each in clients:
        each.join()
    statuses = sorted(answer.status_code for answer in answers)
    assert set(statuses) == {200, 503}
    refused = next(answer for answer in answers if answer.status_code == 503)
    assert refused.headers["retry-after"] == "5"
    assert "Try again" in refused.json()["detail"]
    small = httpx.post(f"{running.url}/api/match", content=b"ValueError: x", headers=PLAIN)
    assert small.status_code == 200


def test_small_and_large_pastes_take_different_ways_to_the_same_answer(start: Callable[..., Running]) -> None:
    paste = large_paste(20_000).decode()
    in_loop, in_thread = start(inline_body=5_000_000), start(inline_body=0)
    first, second = (
        httpx.post(f"{server.url}/api/match", json={"text": paste}) for server in (in_loop, in_thread)
    )
    assert first.json() == second.json()
