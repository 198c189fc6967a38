"""Line numbers come off where lines are counted through, and numbers of the text stay."""

import pytest

from kb.diagnose.clean import clean
from tests.diagnose.clean.promises import check

LOG = [
    "ERROR 02-24 18:40:31 core.py:291] it failed: Traceback (most recent call last):",
    "",
    "ValueError: no",
]


@pytest.mark.parametrize("mark", ["\t", " | ", "|", " \u2502 "])
def test_numbers_counted_through_come_off_before_prefixes_are_read(mark: str) -> None:
    text = "".join(
        f"{number:>6}{mark}{line}".rstrip(" ") + "\n" for number, line in enumerate(LOG, start=548)
    )
    cleaned = clean(text)
    check(text, cleaned)
    assert [line.text for line in cleaned.lines if line.text] == [
        "it failed:",
        "Traceback (most recent call last):",
        "ValueError: no",
    ]
    assert cleaned.lines[0].level == "error"
    assert cleaned.lines[-1].locate(0) == (3, 6 + len(mark))


@pytest.mark.parametrize(
    "text",
    [
        "1\tloss 0.5\n3\tloss 0.4\n5\tloss 0.3\n",  # steps
        "1\tloss 0.5\n2\tloss 0.4\nsaved\n",  # a line without a number
        "7\tone\n8\ttwo\n",  # too few
        "0: a\n1: b\n2: c\n",  # ranks
        "1\ta\n2| b\n3\tc\n",
    ],
)
def test_other_numbers_at_the_start_of_lines_stay(text: str) -> None:
    assert [line.text for line in clean(text).lines] == text.splitlines()
