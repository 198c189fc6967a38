"""Pastes that come packed: gzip, and files of forms."""

import gzip
import json

import httpx
import pytest

PASTE = b"INFO start\nValueError: LoRA rank 64 is greater than max_lora_rank 16.\r\n"
PLAIN = {"Content-Type": "text/plain"}
PACKED = PLAIN | {"Content-Encoding": "gzip"}
ENTRY = "vllm-lora-rank-exceeds-max"


def entry(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    return str(answer.json()["best"]["entry"])


def test_gzip_is_unpacked_also_in_several_members(client: httpx.Client) -> None:
    whole = gzip.compress(PASTE)
    parts = gzip.compress(PASTE[:20]) + gzip.compress(PASTE[20:])
    for body in (whole, parts):
        answer = client.post("/api/match", content=body, headers=PACKED)
        assert entry(answer) == ENTRY
        assert answer.json()["failures"][0]["initiating"]["line"] == 2


def test_json_may_be_packed_too(client: httpx.Client) -> None:
    body = gzip.compress(b'{"text": "ValueError: LoRA rank 64 is greater than max_lora_rank 16."}')
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    assert entry(client.post("/api/match", content=body, headers=headers)) == ENTRY


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (gzip.compress(b"a" * 60_000_000), 413, "unpacked"),
        (gzip.compress(PASTE)[:-9], 400, "too early"),
        (PASTE, 400, "not gzip"),
        (b"", 400, "empty"),
    ],
    ids=["bomb", "cut", "plain", "nothing"],
)
def test_what_does_not_unpack_is_refused(client: httpx.Client, body: bytes, status: int, says: str) -> None:
    answer = client.post("/api/match", content=body, headers=PACKED)
    assert answer.status_code == status
    assert says in answer.json()["detail"]


def test_the_file_of_a_form_is_the_paste(client: httpx.Client) -> None:
    note, log = ("note", (None, b"not this")), ("file", ("server.log", PASTE, "text/plain"))
    answer = client.post("/api/match", files=[note, log])
    assert entry(answer) == ENTRY
    assert answer.json()["input"]["lines"] == 2


def test_a_form_without_a_file_may_have_the_text(client: httpx.Client) -> None:
    assert entry(client.post("/api/match", files={"text": (None, PASTE.decode())})) == ENTRY
    answer = client.post("/api/match", files={"other": (None, "x")})
    assert answer.status_code == 400
    assert "-F file=@server.log" in answer.json()["detail"]


def test_a_form_may_have_what_is_known_beside_its_file(client: httpx.Client) -> None:
    known = {"versions": {"vllm": "0.11.0"}, "components": ["vllm"]}
    given, log = {"given": (None, json.dumps(known))}, {"file": ("server.log", b"\xef\xbb\xbf" + PASTE)}
    text = {"text": (None, PASTE.decode())}
    for parts in (log | given, given | log, text | given):
        answer = client.post("/api/match", files=parts)
        assert entry(answer) == ENTRY
        assert answer.json()["given"]["versions"] == {"vllm": "0.11.0"}
        assert answer.json()["input"]["characters"] == len(PASTE.decode())


@pytest.mark.parametrize(
    ("given", "status", "says"),
    [
        ("{", 400, "The field `given` is not JSON"),
        ("[" * 99 + "]" * 99, 400, "nested more than 16 deep"),
        ('{"versions": 5}', 422, "`given.versions`"),
        ('{}, "text": "x"', 400, "not JSON"),
    ],
)
def test_what_is_given_in_a_form_is_held_to_the_same(
    client: httpx.Client, given: str, status: int, says: str
) -> None:
    answer = client.post("/api/match", files=[("file", ("a", PASTE)), ("given", (None, given))])
    assert answer.status_code == status
    assert says in answer.json()["detail"]


@pytest.mark.parametrize(
    "content_type", ["multipart/form-data", "multipart/form-data; boundary=" + "x" * 500]
)
def test_a_broken_form_is_refused(client: httpx.Client, content_type: str) -> None:
    answer = client.post("/api/match", content=PASTE, headers={"Content-Type": content_type})
    assert answer.status_code == 400
