"""The word map names exactly the lines that have a word."""

from hypothesis import given
from hypothesis import strategies as st

from kb.diagnose.template import words
from kb.diagnose.words import RUN, WordMap, bounds

TEXTS = st.lists(st.text(alphabet="abAB_1 .-é", max_size=20), max_size=60)


@given(TEXTS, st.sets(st.sampled_from(["a", "b", "ab", "a_1", "1"]), min_size=1))
def test_lines_are_those_that_have_a_word(texts: list[str], wanted: set[str]) -> None:
    assert list(WordMap(texts).lines(wanted)) == [at for at, text in enumerate(texts) if words(text) & wanted]


@given(TEXTS)
def test_runs_cover_every_line_once(texts: list[str]) -> None:
    ends = bounds(texts)
    assert ends[0] == 0
    assert ends[-1] == len(texts)
    assert ends == sorted(set(ends))


def test_long_pastes_have_many_runs_and_one_answer() -> None:
    texts = ["nothing here"] * 1000 + ["the needle"] + ["nothing here"] * 1000
    words_of = WordMap(texts)
    assert sum(map(len, texts)) > 3 * RUN
    assert list(words_of.lines({"needle"})) == [1000]
    assert words_of.has("needle")
    assert not words_of.has("need")


def test_an_empty_paste_has_no_words() -> None:
    assert list(WordMap([]).lines({"a"})) == []
    assert not WordMap([]).has("a")
