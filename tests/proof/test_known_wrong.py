"""Pastes whose initiating line is known to be wrong. One that has become right fails until it is taken off.

`known_wrong.json` says for each file in `known_wrong/` what the line should be, and why it is not yet.
"""

import json
from pathlib import Path

import pytest

from tests.proof.examples import Ask, main_failure

HERE = Path(__file__).parent
WRONG = json.loads((HERE / "known_wrong.json").read_text())


@pytest.mark.parametrize("name", sorted(WRONG))
def test_known_wrong_line_is_still_wrong(name: str, ask: Ask) -> None:
    failure = main_failure(ask((HERE / "known_wrong" / f"{name}.txt").read_text()))
    if failure is not None and WRONG[name]["line"] in failure.initiating.text:
        pytest.fail(f"{name} is right now: take it off known_wrong.json and prove it in its entry's examples")


def test_every_known_wrong_paste_has_its_line_and_reason() -> None:
    files = {path.stem: path.read_text() for path in (HERE / "known_wrong").glob("*.txt")}
    assert files.keys() == WRONG.keys()
    for name, text in files.items():
        assert WRONG[name]["line"] in text
        assert WRONG[name]["why"]
