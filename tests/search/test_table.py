"""The index as a plain table, which the pages search with."""

import json
from pathlib import Path
from typing import Any

import pytest

from kb.search import WordSearch, build_search, open_search


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("table")
    entries = folder / "entries"
    entries.mkdir()
    for name, title, summary in (
        ("killed", "The container was killed", "It went over its memory limit."),
        ("timeout", "A collective timed out", "Some rank was killed or never came: max_lora_rank."),
    ):
        entry = {"id": name, "title": title, "summary": summary, "status": "reviewed"}
        (entries / f"{name}.json").write_text(json.dumps(entry))
    build_search(entries, folder / "search")
    return folder / "search"


@pytest.fixture(scope="module")
def table(built: Path) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads((built / "words.json").read_text(encoding="utf-8"))
    return whole


@pytest.fixture(scope="module")
def search(built: Path) -> WordSearch:
    return open_search(built)


def test_entries_stand_in_the_order_of_their_numbers_with_what_a_result_shows(table: dict[str, Any]) -> None:
    assert [each["id"] for each in table["entries"]] == ["killed", "timeout"]
    assert table["entries"][0]["path"] == "errors/killed/"
    assert table["entries"][0]["summary"] == "It went over its memory limit."


def test_a_word_has_every_entry_with_it_and_more_where_it_says_more(table: dict[str, Any]) -> None:
    number_1, in_title, number_2, in_text = table["words"]["killed"]
    assert (number_1, number_2) == (0, 1)
    assert in_title > 2 * in_text > 0
    assert table["words"]["max_lora_rank"][::2] == table["words"]["lora"][::2] == [1]


def test_scores_are_those_of_the_search(table: dict[str, Any], search: WordSearch) -> None:
    for word, row in table["words"].items():
        if len(row) == 2:
            best = search.search(word, 1)[0]
            assert best.id == table["entries"][row[0]]["id"]
            assert best.score >= round(row[1] / 100, 2) - 0.01
