"""The reports of `bench/accuracy`: all are answered right but those known to be wrong.

`reports_wrong.json` says for each of those what is answered instead. One that has become right fails until
it is taken off the list; one that has become wrong fails until it is mended or, with its reason in the
commit, put on it. `pytest --update` writes the list anew.
"""

import json
from pathlib import Path

import pytest

from bench.accuracy.cases import ROOT, Case, Knowledge, read_cases
from bench.accuracy.score import Outcome, try_case
from kb.diagnose.index import Index

LIST = Path(__file__).parent / "reports_wrong.json"
WRONG: dict[str, str] = json.loads(LIST.read_text("utf-8"))
CASES = tuple(read_cases(ROOT / "bench" / "accuracy" / "reports.jsonl"))


@pytest.fixture(scope="module")
def known() -> tuple[Index, frozenset[str]]:
    knowledge = Knowledge.load()
    return knowledge.index(), knowledge.known()


def wrong(outcome: Outcome) -> bool:
    """Whether an answer is another one than the label's, or one where none is right."""
    return not outcome.first if outcome.case.accepted else outcome.answered


def chunks(size: int = 50) -> list[tuple[Case, ...]]:
    return [CASES[at : at + size] for at in range(0, len(CASES), size)]


@pytest.mark.parametrize("cases", chunks(), ids=lambda cases: f"{cases[0].id}..{cases[-1].id}")
def test_reports_are_answered_right_but_those_known_to_be_wrong(
    cases: tuple[Case, ...], known: tuple[Index, frozenset[str]], update: bool
) -> None:
    found = {o.case.id: o.answer for case in cases if wrong(o := try_case(case, *known))}
    ids = {case.id for case in cases}
    listed = {id_: answer for id_, answer in WRONG.items() if id_ in ids}
    if update:
        kept = {id_: answer for id_, answer in json.loads(LIST.read_text("utf-8")).items() if id_ not in ids}
        LIST.write_text(json.dumps(dict(sorted({**kept, **found}.items())), indent=1) + "\n", "utf-8")
        return
    assert found.keys() == listed.keys()


def test_only_reports_are_listed() -> None:
    assert WRONG.keys() <= {case.id for case in CASES}
