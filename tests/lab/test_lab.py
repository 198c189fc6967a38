"""The laboratory's recorded logs: what started each failure is named, and quiet logs are left quiet.

The logs were written by real failures (bench/lab/record.py); who failed and with which message was told by
the programs themselves, beside their output.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.lab.compose import Case, read_cases
from bench.reading import Outcome, judge, truth_of
from kb.diagnose.index import Index, load_index

FOLDER = Path(__file__).parent
CASES: dict[str, Case] = {case["id"]: case for case in read_cases(FOLDER / "cases.jsonl")}
# Read wrongly today. A case that has become right fails here until it is taken off the list.
KNOWN_WRONG: frozenset[str] = frozenset((FOLDER / "known_wrong.txt").read_text("utf-8").split())
RIGHT = 0.95  # of all failures, line and process


@pytest.fixture(scope="module")
def index(build_dir: Path) -> Index:
    return load_index(build_dir / "index.json")


def outcome(case: Case, index: Index) -> Outcome:
    return judge(case["id"], "plain", "", case["text"], truth_of(case), index)


@pytest.mark.parametrize("name", CASES)
def test_the_initiating_line_and_process_are_named(name: str, index: Index) -> None:
    case = CASES[name]
    found = outcome(case, index)
    if case["ending"] != "failure":
        assert not found.failed, f"{case['how']}: reported {found.answer}"
    elif name in KNOWN_WRONG:
        assert not found.right, f"{name} is right now: take it off known_wrong.txt"
    else:
        assert found.line, f"{case['how']}: wanted line {case['root_lines']}, got {found.answer}"
        assert found.process is not False, f"{case['how']}: wanted {case['processes']}, got {found.answer}"


def test_the_list_of_known_wrong_cases_stays_short() -> None:
    failures = [name for name, case in CASES.items() if case["ending"] == "failure"]
    assert set(failures) >= KNOWN_WRONG, KNOWN_WRONG - set(failures)
    assert len(KNOWN_WRONG) <= (1 - RIGHT) * len(failures)


def test_every_case_holds_the_words_that_its_program_told() -> None:
    for name, case in CASES.items():
        lines = case["text"].split("\n")
        for number in case["root_lines"]:
            assert any(part in lines[number - 1] for part in case["root_parts"]), (name, number)
        assert bool(case["root_lines"]) == (case["ending"] == "failure"), name


def test_secondary_lines_are_not_initiating() -> None:
    for name, case in CASES.items():
        assert not set(case["secondary"]) & set(case["root_lines"]), name
