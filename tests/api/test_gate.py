"""Limits on how often and how much at a time: refused at once, told when to come back, and nobody else's
word is taken for who asks."""

import json
import socket
import threading
from collections.abc import Callable, Iterator

import httpx
import pytest

from api.client import Clients, name_of
from api.gate import MOST_CLIENTS, Rate
from tests.api.server_process import Running

PLAIN = {"Content-Type": "text/plain"}
PASTE = b"ValueError: LoRA rank 64 is greater than max_lora_rank 16."


def post(running: Running, **headers: str) -> httpx.Response:
    return httpx.post(f"{running.url}/api/match", content=PASTE, headers=PLAIN | headers, timeout=60)


def problem(answer: httpx.Response, status: int) -> str:
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert int(answer.headers["retry-after"]) >= 1
    detail: str = answer.json()["detail"]
    return detail


def test_a_client_that_asks_too_often_is_told_when_to_come_back(start: Callable[..., Running]) -> None:
    running = start(rate_limit=6, rate_burst=3, rate_exempt="")
    answers = [post(running) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    detail = problem(answers[3], 429)
    assert "6 requests in a minute" in detail
    assert "/api/match/batch" in detail
    assert 1 <= int(answers[3].headers["retry-after"]) <= 10
    for path in ("/healthz", "/readyz", "/", "/metrics"):  # probes and pages are not limited
        assert httpx.get(f"{running.url}{path}").status_code == 200


def test_this_machine_is_not_limited_unless_told_so(start: Callable[..., Running]) -> None:
    running = start(rate_limit=1, rate_burst=1)
    assert [post(running).status_code for _ in range(3)] == [200] * 3


def test_behind_a_trusted_proxy_each_client_has_its_own_limit(start: Callable[..., Running]) -> None:
    running = start(rate_limit=1, rate_burst=1, trusted_proxies="127.0.0.1, 10.0.0.0/8")
    first = [post(running, **{"X-Forwarded-For": "203.0.113.7"}).status_code for _ in range(2)]
    assert first == [200, 429]
    assert post(running, **{"X-Forwarded-For": "203.0.113.8, 10.1.2.3"}).status_code == 200
    claimed = post(running, **{"X-Forwarded-For": "198.51.100.1, 203.0.113.8"})
    assert claimed.status_code == 429  # what a client wrote before the proxy's own word counts for nothing


def test_a_forwarded_address_is_not_believed_of_anyone_else(start: Callable[..., Running]) -> None:
    running = start(rate_limit=1, rate_burst=1, rate_exempt="", trusted_proxies="10.0.0.0/8")
    codes = [post(running, **{"X-Forwarded-For": f"203.0.113.{n}"}).status_code for n in range(3)]
    assert codes == [200, 429, 429]


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.7", ["198.51.100.1"], "203.0.113.7"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
        ("10.0.0.1", ["6.6.6.6", "198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["198.51.100.1, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1" + ", 10.0.0.2" * 5000], "10.0.0.2"),
        ("::ffff:10.0.0.1", ["[2001:db8::1:2:3:4]:443"], "2001:db8::/64"),
        ("10.0.0.1", ['"[2001:db8::9]"'], "2001:db8::/64"),
    ],
)
def test_the_client_is_the_last_one_before_the_trusted_proxies(
    peer: str, forwarded: list[str], client: str
) -> None:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    found = Clients(["10.0.0.0/8"])({"type": "http", "client": (peer, 1), "headers": headers})
    assert name_of(found) == client


def test_the_rate_is_steady_after_a_burst_and_forgets_the_oldest_clients() -> None:
    now = [0.0]
    rate = Rate(60, 3, clock=lambda: now[0])
    assert [rate.wait("a") for _ in range(4)] == [0, 0, 0, 1]
    now[0] = 1
    assert [rate.wait("a"), rate.wait("a"), rate.wait("b")] == [0, 1, 0]
    now[0] = 100
    assert [rate.wait("a") for _ in range(4)] == [0, 0, 0, 1]
    for number in range(MOST_CLIENTS):
        rate.wait(str(number))
    assert rate.wait("a") == 0
    assert len(rate._paid_off) == MOST_CLIENTS


HEAD = "POST /api/match HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n"


def test_above_the_limit_of_requests_at_a_time_the_next_is_refused_at_once(
    start: Callable[..., Running],
) -> None:
    running = start(in_flight=2)
    held = [socket.create_connection(("127.0.0.1", running.port), timeout=30) for _ in range(2)]
    for each in held:
        each.sendall(HEAD.encode())  # two bodies that do not come
    refused = post(running)
    while refused.status_code == 200:  # the server has not read both heads yet
        refused = post(running)
    assert "Try again" in problem(refused, 503)
    assert httpx.get(f"{running.url}/healthz").status_code == 200
    assert httpx.get(f"{running.url}/readyz").status_code == 200
    for each in held:
        each.sendall(b"Error: x\n")
        assert each.recv(4096).startswith(b"HTTP/1.1 200")
        each.close()
    assert post(running).status_code == 200


def test_one_client_cannot_take_all_places_with_bodies_that_do_not_come(
    start: Callable[..., Running],
) -> None:
    running = start(client_in_flight=2, rate_limit=0, rate_exempt="", trusted_proxies="127.0.0.1")
    held = [socket.create_connection(("127.0.0.1", running.port), timeout=30) for _ in range(2)]
    for each in held:
        each.sendall(HEAD.encode())
    refused = post(running)
    while refused.status_code == 200:  # the server has not read both heads yet
        refused = post(running)
    assert "of one address" in problem(refused, 429)
    assert int(refused.headers["retry-after"]) == 1
    assert post(running, **{"X-Forwarded-For": "192.0.2.7"}).status_code == 200
    for each in held:
        each.close()
    while post(running).status_code == 429:
        pass  # the server has not seen yet that they are gone
    assert post(running).status_code == 200


def test_a_request_that_takes_too_long_is_broken_off(start: Callable[..., Running]) -> None:
    running = start(request_seconds=0.7)
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as slow:
        slow.sendall(HEAD.encode())
        answer = b"".join(iter(lambda: slow.recv(65536), b"")).decode()
    assert answer.startswith("HTTP/1.1 503")
    assert "within 0.7 seconds" in answer


def test_a_batch_whose_lines_do_not_come_is_broken_off_and_gives_its_place_back(
    start: Callable[..., Running],
) -> None:
    running = start(request_seconds=0.7, in_flight=1)
    head = "POST /api/match/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as slow:
        slow.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        assert slow.recv(65536).startswith(b"HTTP/1.1 200")
        while slow.recv(65536):
            pass
    assert post(running).status_code == 200
    assert "bug:" not in running.logged()


def drip(connection: socket.socket, piece: bytes, times: int) -> Iterator[bytes]:
    for _ in range(times):
        try:
            connection.sendall(piece)
        except OSError:
            return
        yield piece


def test_a_head_without_end_is_cut_off(running: Running) -> None:
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n")
        sent = sum(len(piece) for piece in drip(connection, b"X-Filler: " + b"y" * 8000 + b"\r\n", 2000))
    assert sent < 16_000_000
    assert httpx.get(f"{running.url}/healthz").status_code == 200


def test_json_deeper_or_wider_than_any_paste_is_refused_before_it_is_read(client: httpx.Client) -> None:
    deep = '{"text": "a", "given": ' + '{"a":' * 40 + "1" + "}" * 41
    wide = json.dumps({"text": "a", "given": {"components": [1] * 20_000}})
    for body, words in ((deep, "nested more than 16 deep"), (wide, "more than 10,000 values")):
        answer = client.post("/api/match", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400
        assert words in answer.json()["detail"]
    brackets = "".join(f"[rank{n}]: {{'a': [1, 2, \\\"3\\\"]}},\\n" for n in range(3000))
    log = client.post(
        "/api/match",
        content=f'{{"text": "{brackets}"}}',
        headers=PLAIN | {"Content-Type": "application/json"},
    )
    assert log.status_code == 200  # what stands in the paste itself does not count


def test_at_most_twenty_wrong_fields_are_told(client: httpx.Client) -> None:
    body = {"text": "a", **{f"field-{n}" + "x" * 200: n for n in range(500)}}
    answer = client.post("/api/match", json=body)
    assert answer.status_code == 422
    assert len(answer.json()["errors"]) == 20
    assert "499 more" in answer.json()["detail"]
    assert len(answer.content) < 10_000


def test_other_origins_may_ask_only_where_they_are_named(
    client: httpx.Client, start: Callable[..., Running]
) -> None:
    asked = {"Origin": "https://wiki.example", "Access-Control-Request-Method": "POST"}
    assert client.options("/api/match", headers=asked).status_code == 405
    running = start(cors_origins="https://wiki.example")
    preflight = httpx.options(f"{running.url}/api/match", headers=asked)
    assert preflight.status_code == 200
    assert preflight.headers["access-control-allow-origin"] == "https://wiki.example"
    answer = post(running, Origin="https://wiki.example")
    assert answer.headers["access-control-allow-origin"] == "https://wiki.example"
    assert "access-control-allow-credentials" not in answer.headers
    other = post(running, Origin="https://elsewhere.example")
    assert "access-control-allow-origin" not in other.headers


def test_many_small_pastes_at_a_time_are_all_answered(running: Running) -> None:
    answers: list[int] = []

    def several() -> None:
        with httpx.Client(base_url=running.url, timeout=60) as client:
            answers.extend(
                client.post("/api/match", content=PASTE, headers=PLAIN).status_code for _ in range(20)
            )

    threads = [threading.Thread(target=several) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert answers == [200] * 160
