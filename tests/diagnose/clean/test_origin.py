"""Whatever is cut, every character knows where it stood."""

from hypothesis import given
from hypothesis import strategies as st

from kb.diagnose.clean import clean
from kb.diagnose.clean.prefix_rows import ROWS
from tests.diagnose.clean.promises import check

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
