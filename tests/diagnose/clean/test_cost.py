"""Cost grows with the paste and no faster, whatever the paste is. Calls are counted, not seconds."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from kb.diagnose.clean import clean
from tests.diagnose.clean.forms import BASE, STACKABLE, WHOLE, text_of

HOSTILE: dict[str, Callable[[int], str]] = {
    "one letter": lambda n: "a" * n,
    "brackets": lambda n: "[" * n,
    "deep json": lambda n: '{"a":' * (n // 5),
    "record with many line ends": lambda n: '{"log":"' + "\\n" * (n // 4) + '"}',
    "backslashes": lambda n: "\\" * n + "n",
    "quotes": lambda n: "\"'" * (n // 2),
    "nested quotes": lambda n: text_of([">" * (number % 300) + " x" for number in range(n // 100)]),
    "escapes": lambda n: "\x1b[31mx" * (n // 6),
    "backspaces": lambda n: "ab\b" * (n // 3),
    "lost letters": lambda n: "a" + "\ufffd" * n + "b",
    "zero width": lambda n: "a\u200b" * (n // 2),
    "percent": lambda n: "log=" + "%41" * (n // 3),
    "entities": lambda n: "&lt;" * (n // 4) + "<br>",
    "soft line ends": lambda n: "=3D\n" + "x=\n" * (n // 3),
    "stacked prefixes": lambda n: "[rank0]: " * (n // 9),
    "box without an end": lambda n: text_of(
        [
            "\u256d\u2500\u2500 Traceback (most recent call last) \u2500\u2500\u256e",
            *["\u2502 x y \u2502"] * (n // 8),
        ]
    ),
    "arrows": lambda n: "-> 1 x\n" * (n // 7),
    "cut frames": lambda n: '  File "x\n' * (n // 10),
    "broken lines": lambda n: text_of([chr(97 + number % 26) * 80 for number in range(n // 81)]),
    "headers": lambda n: "Traceback (most recent call last):\n" * (n // 35),
    "escaped headers": lambda n: '"Traceback (most recent call last):\\n' * (n // 37),
    "empty lines": lambda n: "\n" * n,
    "utf-16": lambda n: ("\u4e0d\u4e0a ab\n" * (n // 12)).encode("utf-16-le").decode("latin-1"),
    "flattened headers": lambda n: 'Traceback (most recent call last): File "a", line 1, in f x ' * (n // 62),
    "parts without an end": lambda n: "2026-01-15T10:00:00Z stderr P x\n" * (n // 32),
    "rows without an end": lambda n: "time,message\n" + '2,"x\n' * (n // 5),
    "pairs": lambda n: "a=b " * (n // 4) + "msg=c level=error",
    "headings": lambda n: "==> rank1.log <==\n" * (n // 18),
    "tags": lambda n: "[" + "a rank " * (n // 7) + "\n" + "[a rank=1 \n" * (n // 12),
    "runs of hosts": lambda n: "".join(f"[rank{m % 9}]: node{m // 9}: ERROR: x\n" for m in range(n // 26)),
    "scans": lambda n: "Traceback(most recent call last):\nErr0r" * (n // 39),
    "strings of a list": lambda n: '["Traceback (most recent call last):",' + '"a\\n", ' * (n // 7),
    "records on one line": lambda n: "[pod/a/b] x " * (n // 12),
    "columns": lambda n: "a  b c  " * (n // 8),
}
REAL = STACKABLE | WHOLE


def calls(text: str) -> int:
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event.endswith("call")

    sys.setprofile(counted)
    try:
        clean(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", HOSTILE)
def test_cost_of_a_hostile_paste_grows_linearly(name: str) -> None:
    clean(HOSTILE[name](1_000))  # patterns are compiled once
    small, large = (calls(HOSTILE[name](size)) for size in (10_000, 40_000))
    assert large <= 4.5 * small + 500


@pytest.mark.parametrize("name", REAL)
def test_cost_of_every_form_grows_linearly(name: str) -> None:
    # Patterns are compiled once. Short pastes learn no chains of prefixes, so both are long.
    clean(text_of(REAL[name](BASE * 40)))
    small, large = (calls(text_of(REAL[name](BASE * times))) for times in (40, 120))
    assert large <= 3.4 * small + 500
