"""The word map names exactly the lines that have a word."""

from hypothesis import given
from hypothesis import strategies as st

from kb.diagnose.template import words
from kb.diagnose.words import RUN, WordMap, bounds

TEXTS = st.lists(st.text(alphabet="abAB_1 .-é", max_size=20), max_size=60)


WORDS = st.sets(st.sampled_from(["a", "b", "ab", "a_1", "1"]), min_size=1)


@given(TEXTS, WORDS)
def test_lines_are_those_that_have_a_word(texts: list[str], wanted: set[str]) -> None:
    assert list(WordMap(texts).lines(wanted)) == [at for at, text in enumerate(texts) if words(text) & wanted]


@given(TEXTS, WORDS, WORDS)
def test_lines_have_all_words_that_are_required(texts: list[str], wanted: set[str], needed: set[str]) -> None:
    assert list(WordMap(texts).lines(wanted, needed)) == [
        at for at, text in enumerate(texts) if words(text) & wanted and needed <= words(text)
    ]


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


LONG = st.lists(st.sampled_from(["a", "b " * 900, "c " * 2500, "a b", "d " * 30]), min_size=40, max_size=90)


@given(LONG)
def test_near_lines_are_those_that_have_a_word_and_more(texts: list[str]) -> None:
    found = dict(WordMap(texts).near({"a", "d"}))
    for at, text in enumerate(texts):
        assert set(found.get(at, ())) >= words(text) & {"a", "d"}


@given(LONG)
def test_lines_that_hold_a_text_are_those_in_which_it_stands(texts: list[str]) -> None:
    found = list(WordMap(texts).holding(("a b", "c c")))
    assert found == [at for at, text in enumerate(texts) if "a b" in text or "c c" in text]
    words_of = WordMap(["in /srv/torch/x", "a torch", "/srv/peft"])
    assert words_of.has_any("torch", ("/torch/",))
    assert not words_of.has_any("peft", ("/peft/",))


@given(LONG)
def test_runs_that_are_turned_down_hold_no_line_worth_a_look(texts: list[str]) -> None:
    """A line is found when it has a wanted word, and it and the lines that may belong to it have both."""
    reach, asked = 5, {"a", "c"}
    found = dict(WordMap(texts).find({"a"}, asked.issubset, reach))
    for at, text in enumerate(texts):
        own = words(text)
        assert at not in found or found[at] == own
        if "a" in own and "c" in words(" ".join(texts[at : at + reach + 1])):
            assert at in found


def test_runs_without_the_other_words_are_passed_over() -> None:
    texts = ["the needle"] * 2000 + ["the needle and thread"]
    found = [at for at, _ in WordMap(texts).find({"needle"}, {"thread"}.issubset, 0)]
    assert found
    assert found[-1] == 2000
    assert len(found) < 1000
