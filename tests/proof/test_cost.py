"""What a paste costs grows no faster than the paste, however it is made.

Work is counted in calls of functions (Python's and built-in), which no other load of the machine changes.
What a regular expression does inside one call is not counted; a quadratic one would run into the timeout.
"""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from bench.hostile import HOSTILE, MANY_LINES, ONE_LINE
from tests.proof.examples import Ask
from tests.proof.spans import check

TIMES = 4
STEEPEST = 2  # times linear growth; quadratic work would be 4 times
# Characters. One line is above what it may have before its middle is left out.
SMALL = {**dict.fromkeys(ONE_LINE, 70_000), **dict.fromkeys(MANY_LINES, 15_000)}
LARGE = {**dict.fromkeys(ONE_LINE, 1_000_000), **dict.fromkeys(MANY_LINES, 200_000)}

pytestmark = pytest.mark.timeout(120)


def calls(work: Callable[[], object]) -> int:
    """How many functions are called while `work` runs."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", HOSTILE)
def test_work_grows_no_faster_than_the_paste(name: str, ask: Ask) -> None:
    small, large = HOSTILE[name](SMALL[name]), HOSTILE[name](TIMES * SMALL[name])
    ask(large)  # parses the templates that are looked for, and compiles the patterns
    assert calls(lambda: ask(large)) <= STEEPEST * TIMES * calls(lambda: ask(small))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_large_paste_gets_an_answer(name: str, ask: Ask) -> None:
    text = HOSTILE[name](LARGE[name])
    check(ask(text), text)


def test_fifty_thousand_lines_with_the_error_in_the_middle(ask: Ask) -> None:
    lines = [f"INFO:     step {number} of 50000, 12.5 it/s" for number in range(50_000)]
    lines[25_000] = "ValueError: LoRA rank 64 is greater than max_lora_rank 16."
    diagnosis = ask("\n".join(lines))
    assert diagnosis.best is not None
    assert [failure.initiating.line for failure in diagnosis.failures] == [25_001]


def test_ten_thousand_nested_quotes_are_read_to_a_depth(ask: Ask) -> None:
    text = "> " * 10_000 + "ValueError: x\n"
    check(ask(text), text)
