"""UTF-16 that was read byte by byte comes out as it was meant, each character with its place in the paste."""

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.clean.text import CleanText

# Some characters have the bytes of a line end in them: U+4E0A and U+4E0D.
MEANT = [
    "PS> python \u00fc.py",
    "\u4e0d\u4e0a \U0001f600 \u043d\u0430\u0447\u0430\u043b\u043e",
    "Traceback (most recent call last):",
    '  File "a.py", line 1, in <module>',
    "ValueError: \u4e0d\u80fd\u4e0a \u00e9",
]


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["bare", "marked"])
@pytest.mark.parametrize("shown", ["latin-1", "cp1252"])
@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_utf16_read_by_bytes_is_what_was_meant(order: str, shown: str, mark: str, ends: str) -> None:
    text = (mark + ends.join(MEANT) + ends).encode(order).decode(shown)
    cleaned = clean(text)
    check_places(cleaned)
    assert [line.text for line in cleaned.lines] == MEANT
    first = cleaned.lines[2]
    for offset in (0, 10, len(first.text) - 1):
        number, column = first.locate(offset)
        assert cleaned.paste[number - 1][column : column + 2].strip("\0") == first.text[offset]


def check_places(cleaned: CleanText) -> None:
    """Each character stands inside the paste, behind those before it."""
    for line in cleaned.lines:
        places = [line.locate(offset) for offset in range(len(line.text))]
        assert places == sorted(set(places))
        assert all(0 <= column < len(cleaned.paste[number - 1]) for number, column in places)


def test_a_few_nul_bytes_are_no_utf16() -> None:
    cleaned = clean("\0\0\0\0\0\0ValueError: LoRA rank 64\n" + "step 3 loss 2.1 of a run\n" * 9)
    assert cleaned.lines[0].text == "ValueError: LoRA rank 64"
