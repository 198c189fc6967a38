"""The composer: its truth is where it says, and the same request gives the same log."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.lab.compose import Case, compose, read_cases
from bench.lab.writers import STYLES

CASES = {case["id"]: case for case in read_cases(Path(__file__).parent / "cases.jsonl")}
ONE: Case = {
    "id": "one",
    "text": 'loading\nTraceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: bad',
    "root_line": "ValueError: bad",
}


@pytest.mark.parametrize("seed", range(12))
def test_the_named_line_is_the_case_s(seed: int) -> None:
    made = compose(ONE, seed, processes=16, lines=600)
    lines = made.text.splitlines()
    assert len(lines) == 600
    assert [n for n, line in enumerate(lines, start=1) if "ValueError: bad" in line] == list(made.lines)


@pytest.mark.parametrize("seed", range(12))
def test_the_named_process_stands_before_the_line(seed: int) -> None:
    made = compose(ONE, seed, processes=16, lines=600)
    (number,), (process,) = made.lines, made.processes
    prefix = made.text.splitlines()[number - 1].partition("ValueError")[0]
    assert all(value in prefix for value in process.values())


def test_all_lines_of_the_case_stand_in_their_order() -> None:
    for name, case in CASES.items():
        made = iter(compose(case, seed=5, lines=700).text.splitlines())
        for line in case["text"].splitlines():
            assert any(line.rstrip() in one for one in made), (name, line)


def test_the_same_request_gives_the_same_log_and_another_seed_another() -> None:
    logs = [compose(ONE, seed, lines=300).text for seed in (1, 1, 2)]
    assert logs[0] == logs[1] != logs[2]


def test_every_style_is_used() -> None:
    styles = {compose(ONE, seed, lines=200).style for seed in range(200)}
    assert styles == {style.name for style in STYLES}


def test_a_quiet_case_gets_no_consequences() -> None:
    made = compose(CASES["lab-single-warned"], seed=3)
    assert made.lines == ()
    assert "Traceback" not in made.text


def test_a_case_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="too long for 20"):
        compose(ONE | {"text": "x\n" * 30 + "ValueError: bad"}, lines=20)
