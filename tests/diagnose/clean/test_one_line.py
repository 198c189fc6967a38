"""A log whose line ends became blanks has lines again; an ordinary long line stays one."""

import pytest

from kb.diagnose.clean import clean
from tests.diagnose.clean.promises import check

LONG = "a word and another one of a rather long sentence " * 4


def texts(paste: str) -> list[str]:
    cleaned = clean(paste)
    check(paste, cleaned)
    return [line.text.strip() for line in cleaned.lines]


def test_what_stands_in_front_of_a_line_begins_it_together() -> None:
    paste = (
        f"(Worker pid=7) INFO 11-02 10:40:17 [core.py:86] {LONG}"
        "(Worker pid=8) ERROR 11-02 10:40:18 [core.py:86] ValueError: no [rank1]: done"
    )
    cleaned = clean(paste)
    assert [line.text.strip() for line in cleaned.lines] == [LONG.strip(), "ValueError: no", "done"]
    assert [line.process.pid for line in cleaned.lines] == ["7", "8", None]
    assert [line.level for line in cleaned.lines] == ["info", "error", None]


def test_a_name_that_comes_again_begins_lines() -> None:
    name = "[pod/eval-0/srv]"
    assert texts(f"{name} {LONG}{name} step 2 {name} step 3") == [LONG.strip(), "step 2", "step 3"]


@pytest.mark.parametrize(
    "paste",
    [
        f"2026-03-01 10:00:00 {LONG}",  # one record
        f"{LONG} [rank1]: done",
        "node-3: a node-3: b",  # short
        f"node-3: {LONG}\nnode-3: b\nnode-3: c\nnode-3: d node-3: e\n",  # a paste of several lines
    ],
)
def test_other_lines_stay(paste: str) -> None:
    assert len(texts(paste)) == len(paste.splitlines())
