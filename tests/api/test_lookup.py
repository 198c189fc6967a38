"""Checks, signatures, the index and the schema."""

import json
from pathlib import Path

import httpx
import pytest

from kb.catalog.schema import entry_schema
from kb.diagnose import diagnose
from kb.diagnose.index import Index

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


def test_the_schema_is_that_of_the_entries(client: httpx.Client) -> None:
    assert client.get("/api/schema").json() == entry_schema()
