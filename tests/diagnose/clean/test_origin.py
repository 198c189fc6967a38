"""Whatever is cut, every character knows where it stood."""

from hypothesis import given
from hypothesis import strategies as st

from kb.diagnose.clean import clean
from kb.diagnose.clean.labels import LABELS
from kb.diagnose.clean.prefix_rows import ROWS
from tests.diagnose.clean.forms import BASE, INSIDE, STACKABLE, WHOLE, text_of
from tests.diagnose.clean.promises import check

SNIPPETS = [
    *(row.example for row in ROWS),
    *(label.example for label in LABELS),
    *BASE,
    *("\x1b[31m", "\x1b[0m", "\x1b]8;;file:///srv/a.py\x07", "[36m", "[0m", "\\x1b[1m", "\b\b"),
    *("\x00", "\ufffd", "\ufeff", "\u200b", "\xa0", "\u2011", "\uff23\uff35", "\xff\xfe", "\u2028", "\x0c"),
    *(
        '{"log": "',
        '\\n", "stream": "stderr"}',
        '{"message": "',
        '", "level": "error"}',
        "[{",
        "}]",
        '"',
        "'",
    ),
    *("\\n", "\\\\n", "\\u0041", "\\ud83d\\ude00", "\\ud83d", "\\t", "\\", "#012", "#011"),
    *("&lt;", "&#39;", "&#0;", "<br>", "<pre>", "%20", "%0A", "%C3%A9", "?log=", "=3D", "=\n", "=C3"),
    *("> ", ">>> ", "```", "    ", "\t", " ", "| ", "E   ", ">   "),
    *(
        "\u256d\u2500\u2500 Traceback (most recent call last) \u2500\u2500\u256e\n",
        "\u2502 ",
        " \u2502\n",
        "\u2771 88 \u2502 ",
    ),
    *(
        "\u2570\u2500\u2500\u2500\u256f\n",
        "----> 12 ",
        "-> 7 ",
        "   13 ",
        "  + Exception Group Traceback",
        "  | ",
        "+-+----",
    ),
    *(
        "\u2514 value",
        "\n> File ",
        '  File "/srv/a',
        "12%| 3/6 [00:01<00:02, 3.2it/s]",
        "Content-Transfer-Encoding: quoted-printable\n",
    ),
    *("\r", "\n", "\n", "\n", "\r\n", "x" * 80 + "\n", "y" * 80 + "\n", "z" * 79),
]
pastes = st.lists(st.sampled_from(SNIPPETS) | st.text(max_size=8), max_size=40).map("".join)
forms = st.lists(
    st.sampled_from([*STACKABLE.values(), *WHOLE.values(), *INSIDE.values()]), min_size=1, max_size=4
)


@given(pastes)
def test_any_text_is_cleaned_and_every_character_is_found_in_the_paste(text: str) -> None:
    check(text, clean(text))


@given(forms)
def test_any_pile_of_forms_is_cleaned_and_every_character_is_found_in_the_paste(pile: list) -> None:
    lines = list(BASE)
    for form in pile:
        lines = form(lines)
    text = text_of(lines)
    check(text, clean(text))


def test_a_character_behind_a_prefix_and_colours_is_located() -> None:
    cleaned = clean("ok\r\n[rank0]: \x1b[31mValue\x1b[0mError: x")
    line = cleaned.lines[1]
    assert line.text == "ValueError: x"
    assert line.locate(0) == (2, 14)
    assert line.locate(5) == (2, 23)


def test_an_unescaped_character_is_located_at_its_escape() -> None:
    text = '{"log": "a\\tb\\nValueError: \\"x\\"\\n", "stream": "stderr"}'
    line = clean(text).lines[1]
    assert line.text == 'ValueError: "x"'
    assert line.locate(line.text.index('"')) == (1, text.index('\\"x'))
