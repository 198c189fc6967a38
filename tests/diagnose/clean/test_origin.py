"""Whatever is cut, every character knows where it stood."""

from hypothesis import given
from hypothesis import strategies as st

from kb.diagnose.clean import clean
from kb.diagnose.clean.prefix_rows import ROWS
from kb.diagnose.clean.text import CleanText

SNIPPETS = [
    *(row.example for row in ROWS),
    "Traceback (most recent call last):",
    '  File "/srv/app/serve.py", line 12, in main',
    "    raise ValueError(message)",
    "ValueError: LoRA rank 64 is greater than max_lora_rank 16.",
    "\x1b[31m",
    "\x1b[0m",
    "\x1b]8;;file:///srv/a.py\x07",
    "[36m",
    "[0m",
    "\x00",
    "\ufffd",
    "\ufeff",
    "\u200b",
    "\xa0",
    "\u2011",
    "\uff23\uff35\uff24\uff21",
    "\b\b",
    "\t",
    " ",
    "\r",
    "\n",
    "\r\n",
    "\u2028",
    "\x0c",
]
pastes = st.lists(st.sampled_from(SNIPPETS) | st.text(max_size=8), max_size=40).map("".join)


def own_lines(text: str) -> list[str]:
    """The lines of a paste by the letter of the rule, written anew."""
    lines = [""]
    before = ""
    for character in text:
        if character == "\n" and before == "\r":
            pass
        elif character in "\r\n":
            lines.append("")
        else:
            lines[-1] += character
        before = character
    return lines if lines[-1] else lines[:-1]


def check(text: str, cleaned: CleanText) -> None:
    """The promises of CleanText, for any paste."""
    assert cleaned.paste == tuple(own_lines(text))
    assert cleaned.characters == len(text)
    for line in cleaned.lines:
        offsets = [piece.offset for piece in line.pieces]
        assert offsets[0] == 0
        assert offsets == sorted(set(offsets))
        assert offsets[-1] < max(len(line.text), 1)
        for offset, character in enumerate(line.text):
            number, column = line.locate(offset)
            assert 0 <= column < len(cleaned.paste[number - 1])
            stood = cleaned.paste[number - 1][column]
            assert stood == character or not stood.isascii() or stood in "\x0b\x0c\x1c\x1d\x1e"


@given(pastes)
def test_any_text_is_cleaned_and_every_character_is_found_in_the_paste(text: str) -> None:
    check(text, clean(text))


@given(pastes)
def test_cleaning_twice_gives_the_same(text: str) -> None:
    assert clean(text) == clean(text)


def test_a_character_behind_a_prefix_and_colours_is_located() -> None:
    cleaned = clean("ok\r\n[rank0]: \x1b[31mValue\x1b[0mError: x")
    line = cleaned.lines[1]
    assert line.text == "ValueError: x"
    assert line.locate(0) == (2, 14)
    assert line.locate(5) == (2, 23)
