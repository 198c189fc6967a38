"""The entries as JSON."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from api.app import create_app
from api.book import BrokenBuild, read_book
from api.models import EntryDocument, EntryList
from api.settings import Settings
from tests.api.server_process import Running, serve

ID = "vllm-lora-rank-exceeds-max"


def test_the_list_has_every_entry_by_id(client: httpx.Client, build_dir: Path) -> None:
    answer = client.get("/api/entries")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    listed = EntryList.model_validate(answer.json())
    assert [entry.id for entry in listed.entries] == sorted(
        path.stem for path in (build_dir / "entries").iterdir()
    )
    assert listed.digest == json.loads((build_dir / "index.json").read_bytes())["digest"]
    one = next(entry for entry in listed.entries if entry.id == ID)
    assert "configuration" in one.kinds
    assert one.path == f"errors/{ID}/"


def test_both_paths_give_every_entry_whole(client: httpx.Client, build_dir: Path) -> None:
    for path in sorted((build_dir / "entries").iterdir()):
        built = json.loads(path.read_bytes())
        assert client.get(f"/api/entries/{path.stem}").json() == built
        assert client.get(f"/api/errors/{path.stem}").json() == built
        EntryDocument.model_validate(built)


@pytest.mark.parametrize("path", ["/api/entries", f"/api/entries/{ID}", f"/api/errors/{ID}"])
def test_a_client_that_has_it_already_gets_304(client: httpx.Client, path: str) -> None:
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": f'"other", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_an_unknown_id_is_404_and_the_nearest_is_named(client: httpx.Client) -> None:
    answer = client.get("/api/entries/vllm-lora-rank-exceed-max")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert answer.json()["detail"].endswith(f"Is it {ID}?")
    assert "/api/entries" in client.get("/api/errors/zzzzzz").json()["detail"]


@pytest.mark.parametrize(
    "path", ["..%2f..%2fsecret", "%2e%2e", "a%00b", "%F0%9F%A7%A8", "x" * 5000, "secret.txt"]
)
def test_an_id_is_never_a_path(client: httpx.Client, path: str) -> None:
    answer = client.get(f"/api/entries/{path}")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert "not for the public" not in answer.text


def test_a_former_id_leads_to_the_entry(site_build: Path, tmp_path: Path) -> None:
    build = tmp_path / "build"
    shutil.copytree(site_build, build)
    file = build / "entries" / f"{ID}.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "former_ids": ["old-name"]}))
    with serve(build, tmp_path / "log") as running:
        for folder in ("entries", "errors"):
            answer = httpx.get(f"{running.url}/api/{folder}/old-name")
            assert (answer.status_code, answer.headers["location"]) == (301, f"/api/{folder}/{ID}")
            assert httpx.get(f"{running.url}/api/{folder}/old-name", follow_redirects=True).json()["id"] == ID


def broken(site_build: Path, tmp_path: Path, change: Callable[[Path], object]) -> Path:
    build = tmp_path / "build"
    shutil.copytree(site_build, build)
    change(build)
    return build


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(lambda build: (build / "index.json").unlink(), "no index", id="no index"),
        pytest.param(lambda build: (build / "index.json").write_text("{"), "not JSON", id="half an index"),
        pytest.param(lambda build: shutil.rmtree(build / "entries"), "lacks", id="no entries"),
        pytest.param(
            lambda build: (build / "entries" / f"{ID}.json").write_text("["), f"{ID}.json", id="half an entry"
        ),
        pytest.param(
            lambda build: (build / "entries" / "a.json").write_text("{}"), "incomplete", id="an empty entry"
        ),
        pytest.param(lambda build: shutil.rmtree(build / "search"), "no search index", id="no word search"),
    ],
)
def test_a_build_that_cannot_be_served_says_why_and_what_to_do(
    site_build: Path, tmp_path: Path, change: Callable[[Path], object], words: str
) -> None:
    with pytest.raises(BrokenBuild, match=words) as refused:
        read_book(broken(site_build, tmp_path, change))
    assert "run `kb build`" in str(refused.value)


def test_search_finds_entries_over_http(client: httpx.Client) -> None:
    answer = client.get("/api/search", params={"q": "--max-lora-rank", "limit": 3}).json()
    assert answer["query"] == "--max-lora-rank"
    assert answer["results"][0]["id"] == ID
    assert "max_lora_rank" in answer["results"][0]["words"]
    assert len(answer["results"]) <= 3


@pytest.mark.parametrize("query", ["", "AND (", "*", "\0", "🧨", '"unclosed'])
def test_odd_queries_are_answered(client: httpx.Client, query: str) -> None:
    assert client.get("/api/search", params={"q": query}).status_code == 200


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "q"),
        ("q=" + "x" * 201, "q"),
        ("q=a&limit=0", "limit"),
        ("q=a&limit=51", "limit"),
        ("q=a&limit=many", "limit"),
    ],
)
def test_wrong_parameters_of_the_search_are_422(client: httpx.Client, query: str, field: str) -> None:
    answer = client.get(f"/api/search?{query}")
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_a_new_build_is_served_after_reload(site_build: Path, tmp_path: Path) -> None:
    build = tmp_path / "build"
    shutil.copytree(site_build, build)
    service = create_app(Settings(build_dir=build)).state.service
    file = build / "entries" / f"{ID}.json"
    whole = file.read_text()
    file.write_text(json.dumps({**json.loads(whole), "title": "Another title of it"}))
    service.reload()
    assert json.loads(service.book.entries[ID].body)["title"] == "Another title of it"
    file.write_text("{")
    with pytest.raises(BrokenBuild):
        service.reload()
    assert json.loads(service.book.entries[ID].body)["title"] == "Another title of it"


def test_the_running_server_names_its_index(running: Running, build_dir: Path) -> None:
    index = json.loads((build_dir / "index.json").read_bytes())
    health = httpx.get(f"{running.url}/healthz").json()
    assert health == {"status": "ok", "entries": len(index["entries"]), "digest": index["digest"]}
