"""Time stamps order events where they can be compared; otherwise the order of the lines counts."""

from itertools import pairwise

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.read.order import newest_first, ranks_of_lines, read_moment


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2026-11-21T09:13:44.123Z", "2026-11-21T09:13:44.124Z"),
        ("2026-11-21 09:13:44,123", "2026-11-21 09:14:00,001"),
        ("2025-12-31 23:59:59", "2026-01-01 00:00:00"),
        ("11-21 23:59:59", "11-22 00:00:01"),
        ("Nov 30 23:59:59", "Dec 1 00:00:01"),
        ("Mon Nov 30 01:02:03 2026", "Tue Dec 1 01:02:03 2026"),
        ("1121 09:13:44.123456", "1121 09:13:44.123457"),
        ("320 01:55:10.4", "1119 01:55:10.4"),
        ("25/11/21 09:13:44", "25/11/21 09:13:45"),
        ("11/21/2026-09:13:44", "01/02/2027-09:13:44"),
        ("12345.678901", "12345.678902"),
        ("+0.000001", "1.000000"),
        ("09:13:44", "09:13:44.5"),
    ],
)
def test_stamps_of_one_form_compare(earlier: str, later: str) -> None:
    first, second = read_moment(earlier), read_moment(later)
    assert first is not None
    assert second is not None
    assert first.since == second.since
    assert first.seconds < second.seconds


@pytest.mark.parametrize("time", ["", "soon", "12", "9:13", "Foo 30 x"])
def test_what_is_no_stamp(time: str) -> None:
    assert read_moment(time) is None


def order(paste: str) -> list[int]:
    """Indexes of all lines, first in time first."""
    cleaned = clean(paste)
    when = ranks_of_lines(cleaned, range(len(cleaned.lines)))
    return sorted(when, key=lambda index: when[index])


def test_time_stamps_out_of_order_are_put_in_order() -> None:
    seconds = (46, 44, 45, 47)
    paste = "".join(f"2026-11-21 09:13:{second} ERROR step {second}\n" for second in seconds)
    assert order(paste) == [1, 2, 0, 3]


def test_equal_stamps_keep_the_order_of_the_lines() -> None:
    assert order("11-21 09:13:44 a\n" * 3) == [0, 1, 2]


def test_a_line_without_a_stamp_has_that_of_the_line_above() -> None:
    paste = (
        "2026-11-21 09:13:46 ERROR node b failed\nValueError: b\n"
        "2026-11-21 09:13:44 ERROR node a failed\nValueError: a\n"
        "2026-11-21 09:13:48 INFO end\n2026-11-21 09:13:49 INFO end\n"
    )
    assert order(paste) == [2, 3, 0, 1, 4, 5]


def test_stamps_of_different_forms_leave_the_order_of_the_lines() -> None:
    assert order("2026-11-21 09:13:46 ERROR a\nNov 21 09:13:44 node4 llm[7]: b") == [0, 1]


def test_a_line_before_every_stamp_leaves_the_order_of_the_lines() -> None:
    assert order("ValueError: a\n2026-11-21 09:13:46 ERROR b\n2026-11-21 09:13:44 ERROR c") == [0, 1, 2]


def test_the_clock_of_another_process_that_tells_another_time_does_not_count() -> None:
    paste = (
        "[rank0]: 2026-03-28 01:00:00 step\n[rank1]: 2025-09-02 13:00:00 ERROR a\n"
        "[rank0]: 2026-03-28 01:00:02 ERROR b\n[rank2]: 2026-03-28 01:00:03 ERROR c\n"
        "[rank1]: 2027-09-02 13:00:00 ERROR d\n[rank0]: 2026-03-28 01:00:04 ERROR e\n"
    )
    assert order(paste) == [0, 1, 2, 3, 4, 5]


def test_lines_of_one_moment_run_backwards_with_the_paste() -> None:
    paste = NEWEST_FIRST + "2026-11-21T09:13:30Z ERROR late\n2026-11-21T09:13:30Z ERROR early\n"
    assert order(paste)[:2] == [11, 10]


NEWEST_FIRST = "".join(f"2026-11-21T09:13:{second:02}Z ERROR step {second}\n" for second in range(50, 40, -1))


def test_a_paste_that_runs_backwards_is_read_backwards() -> None:
    assert newest_first(clean(NEWEST_FIRST))
    assert order(NEWEST_FIRST) == list(range(9, -1, -1))


def test_a_paste_that_runs_backwards_with_lines_without_stamps_is_turned_round() -> None:
    paste = NEWEST_FIRST + "ValueError: first of all\n"
    assert order(paste) == list(range(10, -1, -1))


def test_places_are_whole_numbers_from_zero() -> None:
    cleaned = clean(NEWEST_FIRST)
    places = sorted(ranks_of_lines(cleaned, [2, 5, 7, 7]).values())
    assert places == [0.0, 1.0, 2.0]
    assert all(after - before == 1 for before, after in pairwise(places))
