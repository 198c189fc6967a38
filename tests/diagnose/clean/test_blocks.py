"""Blocks that stand indented in other text begin at their own first column."""

import pytest

from kb.diagnose.clean import clean
from tests.diagnose.clean.promises import check


def texts(paste: str) -> list[str]:
    cleaned = clean(paste)
    check(paste, cleaned)
    return [line.text for line in cleaned.lines]


def test_a_value_of_yaml_keeps_what_its_lines_have_beyond_its_indentation() -> None:
    paste = "a:\n  log: |\n    llm01  | x\n      y\n\n    z\n  b: 1\n"
    assert texts(paste) == ["a:", "  log: |", "llm01  | x", "  y", "", "z", "  b: 1"]


@pytest.mark.parametrize(
    "head",
    [
        "(Worker pid=7)",
        "[rank3]:",
        "ERROR 11-02 10:40:18 [core.py:7]",
        "2026-11-02 10:40:18,001",
        "E1102 10:40:18.001 77 x.cc:4]",
    ],
)
def test_a_record_shows_where_a_block_begins(head: str) -> None:
    cleaned = clean(f"It ends with\n\n    {head} first\n      more of it\n\nWhy?\n")
    lines = [line.text for line in cleaned.lines]
    assert lines[2].strip() == "first"
    assert lines[3:] == ["  more of it", "", "Why?"]


def test_an_indentation_that_goes_on_from_the_line_above_stays() -> None:
    paste = "ValueError: no\n    caused by\n    2026-11-02 10:40:18 something\n"
    assert texts(paste)[1] == "    caused by"
