"""POST /api/match: pastes in, diagnoses out."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.wire_model import DiagnosisModel
from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Given
from kb.diagnose.index import load_index
from kb.diagnose.wire import to_wire

PASTE = "Traceback (most recent call last):\nValueError: LoRA rank 64 is greater than max_lora_rank 16.\n"
ENTRY = "vllm-lora-rank-exceeds-max"
PLAIN = {"Content-Type": "text/plain"}
JSON = {"Content-Type": "application/json"}


def post(client: httpx.Client, body: bytes | str, headers: dict[str, str]) -> httpx.Response:
    return client.post("/api/match", content=body, headers=headers)


def test_a_plain_paste_is_diagnosed(client: httpx.Client) -> None:
    answer = post(client, PASTE, PLAIN)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json()["best"]["entry"] == ENTRY
    assert answer.json()["failures"][0]["initiating"]["line"] == 2


def test_plain_and_json_give_the_answer_of_the_matcher(client: httpx.Client, build_dir: Path) -> None:
    given = {"versions": {"vllm": "0.11.0"}, "components": ["vllm"], "outcomes": {}, "outputs": {}}
    index = load_index(build_dir / "index.json")
    expected = to_wire(diagnose(PASTE, index))
    assert post(client, PASTE, PLAIN).json() == expected
    assert client.post("/api/match", json={"text": PASTE}).json() == expected
    with_given = to_wire(diagnose(PASTE, index, Given(versions={"vllm": "0.11.0"}, components=("vllm",))))
    assert client.post("/api/match", json={"text": PASTE, "given": given}).json() == with_given
    assert with_given["given"] == given


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain; charset=utf-8",
        'text/plain;charset="UTF-8"',
        "Text/Plain; charset=us-ascii; format=flowed",
    ],
)
def test_content_types_of_plain_text(client: httpx.Client, content_type: str) -> None:
    assert post(client, PASTE, {"Content-Type": content_type}).json()["best"]["entry"] == ENTRY


def test_an_answer_is_never_cached(client: httpx.Client) -> None:
    assert post(client, PASTE, PLAIN).headers["cache-control"] == "no-store"


HOSTILE = {
    "markup": "<script>alert(1)</script> ValueError: <img src=x onerror=alert(1)>",
    "nul and controls": "a\0b\x1b[31mERROR\x07\x7f ValueError: \x9b",
    "surrogate pair halves": "ValueError: \ud800 LoRA rank \udfff",
    "line separators": "a\u2028b\u2029c\x0bd\x0ce\x85f",
    "right to left": "\u202eValueError\u202c: \u2066x",
    "format strings": "{0.__class__} %s %n ${jndi:ldap://x} {{7*7}} `id` $(id)",
    "one long line": "ValueError: " + "x" * 60_000,
    "only brackets": "[" * 20_000,
    "only white space around": "\ufeff \n\n ValueError \n \n",
    "many colons": "a:" * 20_000,
    "many short lines": "E\n" * 20_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_answered(client: httpx.Client, text: str) -> None:
    answer = post(client, json.dumps({"text": text}), JSON)
    assert answer.status_code == 200, answer.text
    DiagnosisModel.model_validate(answer.json())
    assert answer.json()["input"]["characters"] == len(text)


ODD_GIVEN: dict[str, dict[str, Any]] = {
    "a version that is none": {"versions": {"vllm": "not a version", "": "", "\ud800": "1e999"}},
    "unknown names": {
        "components": ["\0", "nothing"],
        "outcomes": {"no-check": "no-outcome"},
        "outputs": {"x": "y"},
    },
    "an unknown outcome of a check": {"outcomes": {"vllm-adapter-largest-rank": "nothing"}},
    "a large output": {"outputs": {"vllm-adapter-largest-rank": "rank 64\n" * 20_000}},
    "markup": {"versions": {"<b>": "<script>"}, "components": ["{0}", "%s"]},
}


@pytest.mark.parametrize("given", ODD_GIVEN.values(), ids=ODD_GIVEN)
def test_odd_things_given_are_answered_echoed_and_reported(
    client: httpx.Client, given: dict[str, Any]
) -> None:
    answer = post(client, json.dumps({"text": PASTE, "given": given}), JSON)
    assert answer.status_code == 200, answer.text
    DiagnosisModel.model_validate(answer.json())
    assert answer.json()["best"]["entry"] == ENTRY
    assert answer.json()["given_problems"]
    assert answer.json()["given"] == {
        "versions": {},
        "components": [],
        "outcomes": {},
        "outputs": {},
        **given,
    }


def test_every_answer_is_ascii_so_that_any_paste_can_stand_in_it(client: httpx.Client) -> None:
    answer = post(
        client,
        json.dumps({"text": "ValueError: LoRA rank 64 is greater than max_lora_rank 16 \ud800 é"}),
        JSON,
    )
    assert answer.content.isascii()
    assert answer.json()["failures"][0]["initiating"]["text"].endswith("\ud800 é")


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    details: dict[str, Any] = answer.json()
    assert set(details) == {"type", "title", "status", "detail", "errors"}
    assert details["status"] == status
    assert details["detail"].endswith((".", "?", "FILE", "utf-8"))
    return details


@pytest.mark.parametrize(
    ("body", "headers", "words"),
    [
        pytest.param(b"", PLAIN, "is empty", id="nothing"),
        pytest.param(b"", JSON, "is empty", id="nothing as JSON"),
        pytest.param(b" \n\t ", PLAIN, "is empty", id="white space"),
        pytest.param(b'{"text": "  "}', JSON, "is empty", id="white space in JSON"),
        pytest.param(b"caf\xe9: broken", PLAIN, "byte 4", id="latin-1"),
        pytest.param("ValueError".encode("utf-16"), PLAIN, "UTF-16", id="UTF-16"),
        pytest.param(b'{"text": "caf\xe9"}', JSON, "byte 14", id="latin-1 in JSON"),
        pytest.param(b'{"text": "a",}', JSON, "line 1, column", id="a comma too many"),
        pytest.param(b'{"text": "a\nb"}', JSON, "text/plain", id="a log put into quotes"),
        pytest.param(PASTE.encode(), JSON, "text/plain", id="plain text called JSON"),
        pytest.param(b"[" * 100_000, JSON, "not JSON", id="nested without end"),
        pytest.param(b'{"text": ' + b"9" * 5000 + b"}", JSON, "not JSON", id="a number without end"),
    ],
)
def test_what_cannot_be_decoded_is_400(
    client: httpx.Client, body: bytes, headers: dict[str, str], words: str
) -> None:
    assert words in problem(post(client, body, headers), 400)["detail"]


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        pytest.param({}, "no Content-Type", id="none"),
        pytest.param({"Content-Type": "application/x-www-form-urlencoded"}, "--data-binary", id="curl -d"),
        pytest.param(
            {"Content-Type": "application/x-www-form-urlencoded"}, "not application/x-www-form", id="a form"
        ),
        pytest.param({"Content-Type": "text/html"}, "not text/html", id="HTML"),
        pytest.param(
            {"Content-Type": "text/plain; charset=latin-1"}, "must be utf-8, not latin-1", id="charset"
        ),
        pytest.param({**PLAIN, "Content-Encoding": "br"}, "as gzip", id="compressed"),
    ],
)
def test_the_wrong_type_is_415(client: httpx.Client, headers: dict[str, str], words: str) -> None:
    assert words in problem(post(client, PASTE, headers), 415)["detail"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        pytest.param("[]", "body", id="a list"),
        pytest.param('"text"', "body", id="a string"),
        pytest.param("{}", "text", id="no text"),
        pytest.param('{"text": 5}', "text", id="a number"),
        pytest.param('{"text": null}', "text", id="null"),
        pytest.param('{"text": "a", "txet": "b"}', "txet", id="an unknown field"),
        pytest.param('{"text": "a", "given": []}', "given", id="given as a list"),
        pytest.param(
            '{"text": "a", "given": {"version": {}}}', "given.version", id="an unknown part of given"
        ),
        pytest.param(
            '{"text": "a", "given": {"versions": {"vllm": 0.11}}}',
            "given.versions.vllm",
            id="a version as number",
        ),
        pytest.param(
            '{"text": "a", "given": {"components": "vllm"}}', "given.components", id="one component"
        ),
    ],
)
def test_wrong_fields_are_422_and_named(client: httpx.Client, body: str, field: str) -> None:
    details = problem(post(client, body, JSON), 422)
    assert [error["field"] for error in details["errors"]] == [field]
    assert f"`{field}`" in details["detail"]


def test_all_wrong_fields_are_told_at_once_and_nothing_sent_is_repeated(client: httpx.Client) -> None:
    details = problem(post(client, '{"text": 5, "secret-key": "secret-value", "given": 7}', JSON), 422)
    assert {error["field"] for error in details["errors"]} == {"text", "given", "secret-key"}
    assert "2 more" in details["detail"]
    assert "secret-value" not in json.dumps(details)
