"""Lists of entries by what they touch, page by page."""

import json
import shutil
from pathlib import Path

import httpx
import pytest

from tests.api.server_process import serve

ID = "vllm-lora-rank-exceeds-max"


def ids(client: httpx.Client, **query: str) -> list[str]:
    answer = client.get("/api/entries", params=query)
    assert answer.status_code == 200, answer.text
    listed = answer.json()
    assert listed["total"] >= len(listed["entries"])
    return [entry["id"] for entry in listed["entries"]]


@pytest.mark.parametrize(
    ("fits", "other"),
    [
        ({"component": "vllm"}, {"component": "slurm"}),
        ({"kind": "configuration"}, {"kind": "hardware"}),
        ({"exception": "ValueError"}, {"exception": "KeyboardInterrupt"}),
        ({"exception": "builtins.ValueError"}, {"exception": "Value"}),
        ({"flag": "--max-lora-rank"}, {"flag": "--max-lora"}),
        ({"flag": "max_lora_rank"}, {"flag": "x"}),
        ({"package": "vllm"}, {"package": "sglang"}),
        ({"package": "vllm", "version": "0.11.0"}, {"package": "vllm", "version": "0.2.0"}),
        (
            {"component": "vllm", "kind": "configuration", "status": "reviewed"},
            {"component": "vllm", "status": "draft"},
        ),
    ],
)
def test_a_filter_keeps_what_fits_it(
    client: httpx.Client, fits: dict[str, str], other: dict[str, str]
) -> None:
    assert ID in ids(client, limit="1000", **fits)
    assert ID not in ids(client, limit="1000", **other)


def test_pages_follow_each_other(client: httpx.Client) -> None:
    everything = ids(client, component="vllm", limit="1000")
    gathered: list[str] = []
    after = None
    while True:
        query = {"component": "vllm", "limit": "7"} | ({"after": after} if after else {})
        page = client.get("/api/entries", params=query).json()
        assert page["total"] == len(everything)
        gathered += [entry["id"] for entry in page["entries"]]
        after = page["next"]
        if after is None:
            break
    assert gathered == everything


def test_a_filtered_list_has_its_tag(client: httpx.Client) -> None:
    first = client.get("/api/entries?component=vllm")
    again = client.get("/api/entries?component=vllm", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code) == (200, 304)


@pytest.mark.parametrize(
    "query",
    [
        "kind=odd",
        "status=ready",
        "limit=0",
        "limit=x",
        "colour=red",
        "version=1.0",
        "package=vllm&version=new",
    ],
)
def test_a_filter_that_means_nothing_is_refused(client: httpx.Client, query: str) -> None:
    answer = client.get(f"/api/entries?{query}")
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")


def test_a_withdrawn_entry_is_gone_with_its_reason(site_build: Path, tmp_path: Path) -> None:
    build = tmp_path / "build"
    shutil.copytree(site_build, build)
    file = build / "entries" / f"{ID}.json"
    gone = {
        **json.loads(file.read_text()),
        "status": "withdrawn",
        "summary": "It was the same as another one.",
    }
    file.write_text(json.dumps(gone))
    with serve(build, tmp_path / "log") as running:
        answer = httpx.get(f"{running.url}/api/entries/{ID}")
    assert answer.status_code == 410
    assert "the same as another one" in answer.json()["detail"]
