"""The index: its file, and that a paste reads little of it however many signatures it holds."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from bench.synthetic import synthetic_entries
from kb.catalog.index_form import index_json, index_text
from kb.diagnose import diagnose, index, template
from kb.diagnose.index import BrokenIndex, Index
from tests.diagnose.conftest import CHECKS, MEMORY, RANK, TIMEOUT

MANY = 10_000
OWN = [RANK, MEMORY, TIMEOUT]
KNOWN = "ValueError: LoRA rank 64 is greater than max_lora_rank 16."
PASTES = (
    KNOWN,
    "\n".join(
        [*(f"INFO 0{n}:00 engine core: {n} requests are running in the pool" for n in range(9)), KNOWN]
    ),
    "ValueError: the scheduler lost 3 pages of its block table and stopped for good",
    "RuntimeError: Engine core initialization of the worker failed: no memory is left for the model's cache",
)


@pytest.fixture(scope="module")
def few() -> str:
    return index_text(index_json(OWN, CHECKS))


@pytest.fixture(scope="module")
def many() -> str:
    return index_text(index_json([*OWN, *synthetic_entries(MANY)], CHECKS))


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often a template was looked for and an entry read, counted from now on."""
    counts = {"looked for": 0, "read": 0}

    def count(module: Any, function: str, name: str) -> None:
        original: Callable[..., Any] = getattr(module, function)

        def counted(*arguments: Any) -> Any:
            counts[name] += 1
            return original(*arguments)

        monkeypatch.setattr(module, function, counted)

    for function in ("find", "find_partial", "find_each_line"):
        count(template, function, "looked for")
    count(index, "read_entry", "read")
    return counts


def test_loading_reads_no_entry(many: str, work: dict[str, int]) -> None:
    assert len(Index.from_json(many)) == len(OWN) + MANY
    assert work["read"] == 0


@pytest.mark.parametrize("paste", PASTES)
def test_a_paste_reads_a_handful_of_many_signatures(many: str, work: dict[str, int], paste: str) -> None:
    diagnose(paste, Index.from_json(many))
    assert 0 < work["looked for"] <= 30
    assert 0 < work["read"] <= 30


@pytest.mark.parametrize("paste", PASTES[:2])
def test_what_is_known_among_few_is_known_among_many(few: str, many: str, paste: str) -> None:
    among_few, among_many = (diagnose(paste, Index.from_json(text)).best for text in (few, many))
    assert among_few == among_many
    assert among_few is not None


def test_a_word_that_very_many_share_is_passed_over(many: str) -> None:
    known = Index.from_json(many)
    wanted = {"lora", "rank", "the", "max_lora_rank"}
    everything, rarest = known.sharing(wanted, 10 * MANY), known.sharing(wanted, 100)
    assert set(everything) == wanted
    assert sum(map(len, rarest.values())) <= 100 < sum(map(len, everything.values()))
    assert "max_lora_rank" in rarest
    assert "the" not in rarest


def test_the_file_is_json_and_the_same_index_again() -> None:
    made = index_json(OWN, CHECKS)
    assert json.loads(index_text(made)) == made
    read = Index.from_json(index_text(made))
    assert [read.entry(number).id for number in range(len(read))] == made["ids"]
    assert read.numbers == {entry: number for number, entry in enumerate(made["ids"])}
    assert read.digest == made["digest"]


def test_an_index_without_entries_knows_nothing() -> None:
    empty = Index.from_json(index_text(index_json([], [])))
    assert len(empty) == 0
    assert diagnose(KNOWN, empty).verdict == "no_match"


def test_a_file_that_was_cut_is_refused(few: str) -> None:
    cuts = [at for at, character in enumerate(few) if character == "\n"]
    for cut in [*cuts, 10, len(few) - 1]:
        with pytest.raises(BrokenIndex, match="kb build"):
            Index.from_json(few[:cut])
