"""Whatever is pasted, there is an answer, and every place that it names is in the paste."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.proof.examples import Ask, matches
from tests.proof.spans import check

LINES = sorted({line for example in matches() for line in example.text.splitlines()})
ODD_LINES = [
    "",
    "\t",
    "Traceback (most recent call last):",
    '  File "a.py", line 1, in f',
    'File "a.py", line 1, in f  x',
    "    x",
    "ValueError",
    "ValueError: ",
    ": ",
    '"""',
    "  + Exception Group Traceback (most recent call last):",
    "+-+---------------- 1 ----------------",
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
    "Original Traceback (most recent call last):",
    "Caused by: a.b.C: d",
    "terminate called",
    "what():",
    "Cell In[3], line 1",
    "----> 3 x",
    '{"error": {"message": "',
    '{"error":',
    '{"detail":"x"}',
    "{",
    "}",
    "> > > ",
    "```",
    "E   ",
    "╭───",
    "│",
    "[rank3]: ",
    "[rank3]:[E1129 12:20:41.2 x.cpp:1] ",
    "(EngineCore pid=1) ERROR 11-19 12:54:26 [core.py:710] ",
    "2026-01-02T03:04:05.678Z ",
    "Nov 30 01:02:03 node4 llm[4711]: ",
    "NVRM: Xid (PCI:0000:3b:00): 79",
    "Reason: OOMKilled",
    "exit code 137",
    "Killed",
    "--flag=",
    "- --flag\n- 3",
    "Package Version",
    "a==1",
    "world_size=99999",
]
ODD_CHARACTERS = [
    "\x00", "\x1b[31m", "\x1b]8;;", "%3A%20", "&lt;", "\\n", "\\u00e9", "=3D=\n", "\ufeff", "\u202e",
    "\u2028", "\ud800", "🙂", "İ", "ﬁ", "٣",
]  # fmt: skip
PIECES = st.one_of(
    st.sampled_from(LINES),
    st.sampled_from(ODD_LINES),
    st.sampled_from(ODD_CHARACTERS),
    st.text(max_size=30),
    st.integers(0, 10**12).map(str),
)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "", " "])
RELAXED = settings(max_examples=200, deadline=None)


@RELAXED
@given(pieces=st.lists(st.tuples(PIECES, ENDS), max_size=40))
def test_any_mixture_of_lines_gets_an_answer_with_places_inside(
    ask: Ask, pieces: list[tuple[str, str]]
) -> None:
    text = "".join(piece + end for piece, end in pieces)
    check(ask(text), text)


@RELAXED
@given(text=st.text())
def test_any_text_gets_an_answer_with_places_inside(ask: Ask, text: str) -> None:
    check(ask(text), text)


@RELAXED
@given(data=st.data())
def test_any_part_of_an_example_gets_an_answer_with_places_inside(ask: Ask, data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(matches())).text.splitlines()
    first = data.draw(st.integers(0, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    text = "\n".join(lines[first:last])
    check(ask(text), text)


@RELAXED
@given(data=st.data())
def test_an_example_with_characters_taken_out_gets_an_answer(ask: Ask, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(matches())).text
    cut = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=6)))
    damaged = "".join(text[start:end] for start, end in zip(cut[::2], cut[1::2], strict=False))
    check(ask(damaged), damaged)


@RELAXED
@given(data=st.data())
def test_an_example_whose_line_ends_are_lost_gets_an_answer(ask: Ask, data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(matches())).text.splitlines()
    ends = data.draw(st.lists(st.sampled_from(["", "", " ", "\n"]), min_size=len(lines), max_size=len(lines)))
    text = "".join(line.strip() + end for line, end in zip(lines, ends, strict=True))
    check(ask(text), text)


def test_nothing_is_no_match(ask: Ask) -> None:
    for text in ("", "\n", " \n\n", "\ufeff"):
        diagnosis = ask(text)
        assert (diagnosis.verdict, diagnosis.failures) == ("no_match", ())
