"""Checks, signatures, the index and the schema."""

import json
from pathlib import Path

import httpx
import pytest

from kb.catalog.schema import entry_schema
from kb.diagnose import diagnose
from kb.diagnose.index import Index

VARYING = {"date", "x-request-id"}
RANK = "ValueError: LoRA rank 64 is greater than max_lora_rank 16."


def test_every_check_is_given_whole(client: httpx.Client, build_dir: Path) -> None:
    files = sorted((build_dir / "checks").iterdir())
    assert files
    for path in files:
        assert client.get(f"/api/checks/{path.stem}").json() == json.loads(path.read_bytes())


def test_an_unknown_check_is_404_and_the_nearest_is_named(client: httpx.Client, build_dir: Path) -> None:
    known = min((build_dir / "checks").iterdir()).stem
    answer = client.get(f"/api/checks/{known}x")
    assert answer.status_code == 404
    assert f"Is it {known}?" in answer.json()["detail"]


def test_the_templates_that_fit_a_line_are_told_with_what_they_took(client: httpx.Client) -> None:
    found = client.get("/api/signatures", params={"text": RANK}).json()["signatures"]
    hit = next(each for each in found if each["entry"] == "vllm-lora-rank-exceeds-max")
    assert hit["captures"] == {"rank": "64", "max_rank": "16"}
    assert RANK[hit["start"] : hit["end"]].startswith("LoRA rank 64")
    assert client.get("/api/signatures", params={"text": "all is well"}).json()["signatures"] == []


@pytest.mark.parametrize("query", ["", "?text=", "?text=" + "x" * 10_001])
def test_a_line_must_be_one(client: httpx.Client, query: str) -> None:
    assert client.get(f"/api/signatures{query}").status_code == 422


def test_the_index_can_be_used_elsewhere(client: httpx.Client) -> None:
    answer = client.get("/api/index")
    elsewhere = diagnose(RANK, Index.from_json(answer.content))
    assert elsewhere.best is not None
    assert elsewhere.best.entry == "vllm-lora-rank-exceeds-max"
    again = client.get("/api/index", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/api/index", "/api/entries", "/api/schema"])
def test_what_is_large_is_packed_for_who_takes_it_and_tagged_apart(client: httpx.Client, path: str) -> None:
    def ask(method: str, coding: str, known: str = "") -> httpx.Response:
        return client.request(method, path, headers={"Accept-Encoding": coding, "If-None-Match": known})

    plain = ask("GET", "gzip;q=0, identity, br")
    packed = ask("GET", "br, gzip")
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 3
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    assert plain.headers["etag"] != packed.headers["etag"]

    head = ask("HEAD", "gzip")
    assert {key: value for key, value in head.headers.items() if key not in VARYING} == {
        key: value for key, value in packed.headers.items() if key not in VARYING
    }
    for answer, coding in ((plain, "identity"), (packed, "gzip")):
        same = ask("GET", coding, answer.headers["etag"])
        assert (same.status_code, same.content) == (304, b"")
        assert (same.headers["etag"], same.headers["vary"]) == (answer.headers["etag"], "Accept-Encoding")
        assert "content-encoding" not in same.headers
    assert ask("GET", "gzip", plain.headers["etag"]).status_code == 200


def test_the_schema_is_that_of_the_entries(client: httpx.Client) -> None:
    assert client.get("/api/schema").json() == entry_schema()
