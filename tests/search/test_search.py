"""The search itself, over a handful of entries written for it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.search import WordSearch, build_search, open_search

ENTRIES: dict[str, dict[str, Any]] = {
    "rank-too-high": {
        "title": "The adapter's rank is too high",
        "summary": "Raise the limit.",
        "signatures": [
            {"template": "rank {rank:int} is greater than max_lora_rank {max:int}", "exception": "ValueError"}
        ],
        "flags": [{"name": "--max-lora-rank", "default": "16"}],
        "components": ["vllm"],
        "symptoms": ["Every request to the adapter fails; the gauge kv_cache_usage_perc stays at zero."],
    },
    "timeout": {
        "title": "A collective timed out",
        "summary": "Some rank never arrived.",
        "signatures": [
            {"template": "watchdog caught a timeout", "exception": "torch.distributed.DistBackendError"}
        ],
        "aliases": ["NCCL hangs"],
        "causes": [{"id": "straggler", "title": "One rank is slow"}],
        "components": ["pytorch"],
    },
    "killed": {
        "title": "The container was killed",
        "summary": "Exit code 137: it went over its memory limit.",
        "components": ["kubernetes"],
        "warnings": ["A rank that is killed makes its peers wait for it."],
    },
    "gone": {"title": "Withdrawn zebra", "summary": "No failure.", "status": "withdrawn"},
}


def write(folder: Path, entries: Mapping[str, Mapping[str, Any]]) -> Path:
    folder.mkdir()
    for name, entry in entries.items():
        whole = {"id": name, "status": "reviewed", "path": f"errors/{name}/", **entry}
        (folder / f"{name}.json").write_text(json.dumps(whole))
    return folder


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> WordSearch:
    folder = tmp_path_factory.mktemp("search")
    build_search(write(folder / "entries", ENTRIES), folder / "search")
    return open_search(folder / "search")


def ids(search: WordSearch, query: str) -> list[str]:
    return [found.id for found in search.search(query)]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        pytest.param("max_lora_rank", "rank-too-high", id="an argument whole"),
        pytest.param("--max-lora-rank", "rank-too-high", id="a flag"),
        pytest.param("max-lora", "rank-too-high", id="parts of a flag"),
        pytest.param("DistBackendError", "timeout", id="a class without its module"),
        pytest.param("backend error", "timeout", id="parts of a class"),
        pytest.param("kv_cache_usage_perc", "rank-too-high", id="an identifier of the body text"),
        pytest.param("137", "killed", id="a number"),
        pytest.param("straggler", "timeout", id="a cause's id"),
        pytest.param("contai", "killed", id="the beginning of a word"),
        pytest.param("colective", "timeout", id="a letter left out"),
        pytest.param("max_lroa_rank", "rank-too-high", id="two letters exchanged"),
        pytest.param("containers", "killed", id="another ending"),
        pytest.param("kubernetes", "killed", id="a component"),
        pytest.param("rank adapter", "rank-too-high", id="the entry with both words before those with one"),
        pytest.param("KILLED", "killed", id="capitals"),
    ],
)
def test_the_best_entry_for_a_query(search: WordSearch, query: str, best: str) -> None:
    assert ids(search, query)[0] == best


def test_a_word_in_the_title_weighs_more_than_in_the_text(search: WordSearch) -> None:
    assert ids(search, "killed") == ["killed"]
    assert ids(search, "rank")[0] == "rank-too-high"
    assert "killed" in ids(search, "rank")


def test_a_result_shows_what_a_list_needs_and_the_words_that_were_found(search: WordSearch) -> None:
    (found,) = search.search("containr")
    assert (found.id, found.path, found.status) == ("killed", "errors/killed/", "reviewed")
    assert found.title == ENTRIES["killed"]["title"]
    assert found.summary == ENTRIES["killed"]["summary"]
    assert found.words == ("container",)
    assert found.score > 0


def test_placeholders_of_templates_are_no_words(search: WordSearch) -> None:
    assert ids(search, "int") == []


def test_withdrawn_entries_are_not_found(search: WordSearch) -> None:
    assert ids(search, "zebra") == []
    assert len(search) == 3


def test_words_that_no_entry_has_find_nothing(search: WordSearch) -> None:
    assert ids(search, "qqqqqq") == []


def test_no_more_results_than_asked_for(search: WordSearch) -> None:
    assert len(search.search("rank", limit=1)) == 1


def test_what_lies_beyond_the_longest_query_is_ignored(search: WordSearch) -> None:
    assert ids(search, " " * 200 + "killed") == []


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        "*",
        "?",
        "AND OR NOT",
        "title:",
        '"',
        "(((",
        "^5",
        "~",
        "\0",
        "\ud800",
        "🧨" * 50,
        "a" * 5000,
    ],
)
def test_no_query_is_odd_syntax(search: WordSearch, query: str) -> None:
    assert ids(search, query) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=300))
def test_any_query_has_an_answer(search: WordSearch, query: str) -> None:
    found = search.search(query)
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    assert {each.id for each in found} <= set(ENTRIES)


def test_an_index_without_entries_answers(tmp_path: Path) -> None:
    build_search(write(tmp_path / "entries", {}), tmp_path / "search")
    assert open_search(tmp_path / "search").search("anything") == []
