"""Pastes of kinds whose initiating line is easily missed, whether or not an entry knows them.

`right_line.json` says for each file in `right_line/` a part of the line, and what is odd about the paste.
"""

import json
from pathlib import Path

import pytest

from tests.proof.examples import Ask, main_failure

HERE = Path(__file__).parent
RIGHT = json.loads((HERE / "right_line.json").read_text())


@pytest.mark.parametrize("name", sorted(RIGHT))
def test_the_initiating_line_is_right(name: str, ask: Ask) -> None:
    failure = main_failure(ask((HERE / "right_line" / f"{name}.txt").read_text()))
    assert failure is not None, RIGHT[name]["fact"]
    assert RIGHT[name]["line"] in failure.initiating.text, RIGHT[name]["fact"]


def test_every_paste_has_its_line_and_fact() -> None:
    files = {path.stem: path.read_text() for path in (HERE / "right_line").glob("*.txt")}
    assert files.keys() == RIGHT.keys()
    for name, text in files.items():
        assert RIGHT[name]["line"] in text
        assert RIGHT[name]["fact"]
