"""POST /api/match/batch: lines in, lines out, and one bad line does not end it."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests.api.server_process import Running

RANK = "ValueError: LoRA rank 64 is greater than max_lora_rank 16."
NDJSON = {"Content-Type": "application/x-ndjson"}


def ask(client: httpx.Client, *lines: str) -> list[dict[str, Any]]:
    answer = client.post("/api/match/batch", content="\n".join(lines), headers=NDJSON)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def test_each_line_gets_its_answer_in_order(client: httpx.Client) -> None:
    first = json.dumps({"id": "a", "text": RANK, "given": {"versions": {"vllm": "0.11.0"}}})
    answers = ask(client, first, "", json.dumps({"id": 7, "text": "INFO all is well"}))
    assert [each["id"] for each in answers] == ["a", 7]
    assert answers[0]["diagnosis"]["best"]["entry"] == "vllm-lora-rank-exceeds-max"
    assert answers[0]["diagnosis"]["given"]["versions"] == {"vllm": "0.11.0"}
    assert answers[1]["diagnosis"]["verdict"] == "no_match"


@pytest.mark.parametrize(
    ("line", "status", "says"),
    [
        ("not json", 400, "Line 2 is not JSON"),
        ("[1, 2]", 400, "no object"),
        ('{"id": "x"}', 422, "text"),
        ('{"id": "x", "text": "  "}', 400, "empty"),
        ('{"id": "x", "text": "a", "surprise": 1}', 422, "surprise"),
        ("[" * 100_000, 400, "Line 2"),
        ('{"id": NaN, "text": "a"}', 400, "Line 2 is not JSON"),
        ('{"id": 1e999, "text": "a"}', 400, "Line 2 is not JSON"),
    ],
    ids=["prose", "list", "no text", "blank text", "unknown field", "deep", "no number", "no finite number"],
)
def test_a_bad_line_is_told_in_its_place(client: httpx.Client, line: str, status: int, says: str) -> None:
    good = json.dumps({"id": "good", "text": RANK})
    answers = ask(client, good, line, good)
    assert [each["id"] for each in (answers[0], answers[2])] == ["good", "good"]
    assert answers[1]["error"]["status"] == status
    assert says in answers[1]["error"]["detail"]


def test_a_mark_of_byte_order_before_the_first_line_is_no_text(client: httpx.Client) -> None:
    (answer,) = ask(client, "\ufeff" + json.dumps({"id": 1, "text": RANK}))
    assert answer["diagnosis"]["verdict"] == "match"


def test_a_line_that_is_too_long_does_not_end_it(start: Callable[..., Running]) -> None:
    running = start(max_body=2000)
    long = json.dumps({"id": "long", "text": "x" * 5000})
    good = json.dumps({"id": "good", "text": RANK})
    with httpx.Client(base_url=running.url, timeout=60) as client:
        answers = ask(client, long, good, long)
    assert [each["id"] for each in answers] == [None, "good", None]
    assert answers[0]["error"]["status"] == answers[2]["error"]["status"] == 413


def test_a_batch_has_an_end(start: Callable[..., Running]) -> None:
    running = start(batch_lines=3)
    good = json.dumps({"id": "good", "text": RANK})
    with httpx.Client(base_url=running.url, timeout=60) as client:
        answers = ask(client, *[good] * 9)
    assert len(answers) == 4
    assert "at most 3 lines" in answers[3]["error"]["detail"]


@contextmanager
def one_line_sent(running: Running) -> Iterator[socket.socket]:
    """A batch of which one line has been sent, and its end has not."""
    line = json.dumps({"id": 1, "text": RANK}).encode() + b"\n"
    head = "POST /api/match/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as talk:
        talk.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        talk.sendall(f"{len(line):x}\r\n".encode() + line + b"\r\n")
        yield talk


def test_answers_come_while_lines_still_come(running: Running) -> None:
    with one_line_sent(running) as talk:
        got = b""
        while b"diagnosis" not in got:
            got += talk.recv(65536)
        talk.sendall(b"0\r\n\r\n")
    assert b"200 OK" in got


def test_a_batch_ends_when_no_line_comes_any_more(start: Callable[..., Running]) -> None:
    with one_line_sent(start(body_seconds=0.5)) as talk:
        got = b""
        while not got.endswith(b"\r\n0\r\n\r\n"):  # the answer is whole
            got += talk.recv(65536)
    assert b'"diagnosis"' in got
    assert b'"status": 408' in got


def test_only_lines_of_json_are_a_batch(client: httpx.Client) -> None:
    answer = client.post("/api/match/batch", content=RANK, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415
