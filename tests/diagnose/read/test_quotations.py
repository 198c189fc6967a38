"""Lines in which nothing fails, whatever they say: diffs, and test runs that passed."""

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.read.quotations import diff_lines, quoted_lines
from kb.diagnose.words import WordMap


def quoted(text: str) -> set[int]:
    """The numbers, from 1, of the lines that are quoted."""
    lines = clean(text).lines
    return {at + 1 for at in quoted_lines(lines, WordMap([line.text for line in lines]))}


def test_a_hunk_ends_where_its_counts_say() -> None:
    hunk = "@@ -7,2 +7,3 @@ def load():\n a\n-RuntimeError: old\n+RuntimeError: new\n+b\n"
    assert quoted(f"diff --git a/x b/x\n{hunk}RuntimeError: now\n") == {3, 4, 5, 6}


def test_a_hunk_of_one_line_has_no_counts() -> None:
    assert quoted("diff --git a/x b/x\n@@ -7 +7 @@\n-a\n+b\nc\n") == {3, 4}


@pytest.mark.parametrize(
    "summary",
    [
        "===== 2 passed in 0.81s =====",
        "2 passed, 1 skipped, 3 warnings in 61.04s (0:01:01)",
        "Ran 2 tests in 0.310s\n\nOK",
        "Ran 2 tests in 0.310s\n\nOK (skipped=1)",
    ],
)
def test_what_stands_above_the_summary_of_a_passed_run_is_quoted(summary: str) -> None:
    assert quoted(f"ValueError: wanted\n{summary}\nValueError: behind it\n") == {1, 2}


@pytest.mark.parametrize(
    "summary",
    [
        "===== 1 failed, 2 passed in 0.81s =====",
        "===== 2 passed, 1 error in 0.81s =====",
        "Ran 2 tests in 0.310s\n\nFAILED (failures=1)",
        "Loaded 2 shards in 1.2s",
        "2 requests in 4s",
    ],
)
def test_nothing_is_quoted_above_another_line(summary: str) -> None:
    assert quoted(f"ValueError: raised\n{summary}\n") == set()


def test_a_run_begins_behind_the_one_before_it() -> None:
    text = (
        "ValueError: raised\n=== 1 failed in 2.1s ===\nValueError: wanted\n=== 1 passed in 1.0s ===\n"
        "ValueError: of the program\n==== test session starts ====\nValueError: wanted\n1 passed in 1.0s\n"
    )
    assert quoted(text) == {3, 4, 6, 7, 8}


def test_heads_that_promise_more_than_there_is_are_read_once() -> None:
    head = "@@ -1,999999999 +1,999999999 @@ x"
    lines = clean("diff --git a/x b/x\n" + f"{head}\n" * 500).lines
    assert diff_lines(lines) == list(range(2, 501))
    assert diff_lines(clean(f"diff\n@@ -{'9' * 5000} +1 @@\nx\n").lines) == []
