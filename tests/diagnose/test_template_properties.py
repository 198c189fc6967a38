"""What holds for any template and any text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.diagnose.template import (
    Template,
    anchors,
    find,
    find_each_line,
    find_partial,
    parse,
    prepare,
    words,
)
from kb.diagnose.template.find import search
from kb.diagnose.template.runs import Work

unhurried = settings(deadline=None)  # a shared machine may take its time

WORDS = [
    "rank",
    "is",
    "greater",
    "max_lora_rank",
    "GPU",
    "failed:",
    "(pid",
    "of",
    "the",
    "'key'",
    "NCCL",
    "-> x",
]
VALUES = {
    "int": st.integers(-(10**9), 10**9).map(str) | st.integers(1000, 10**9).map("{:,}".format),
    "num": st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: f"{value:.3f}"),
    "size": st.builds("{:.2f} {}".format, st.floats(0, 1000), st.sampled_from(["MiB", "GiB", "KiB"])),
    "word": st.from_regex(r"[A-Za-z_][A-Za-z0-9_.:/=-]{0,12}[A-Za-z0-9]", fullmatch=True),
    "path": st.from_regex(r"(/|[A-Z]:\\|\./)[a-z0-9_./-]{1,20}[a-z]", fullmatch=True),
    "id": st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,4}){0,3}", fullmatch=True),
    "list": st.lists(st.sampled_from(["q_proj", "k_proj", "a.b"]), max_size=4).map(str),
    None: st.text(st.characters(codec="ascii", exclude_categories=["Cc", "Zs"]), min_size=1, max_size=9),
}  # fmt: skip
# Pieces of messages and of what breaks programs that read them.
PIECES = st.sampled_from(
    ["rank ", "64", " is greater than ", "max_lora_rank", "\n", "\r\n", " ", "  ", "'", '\\"', "\\", "[", "]",
     "{", "}", "...", "1,024", "20.00 MiB", ", ", "a", "İ", "报", "\x00", "GPU ", "LoRA "]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200)
TEMPLATES = [
    "LoRA rank {rank:int} is greater than max_lora_rank {limit:int}",
    "rank {a:int?} is{b}max_lora_rank[[ {c:list}]]",
    "'{key}' is greater than '{key}'",
    "GPU {gpu:int?} a {free:size} rank {name} a{_}",
    "{name} a {path:path} rank",
    "{x:list} rank [[LoRA {y:word}]]64",
]


@st.composite
def filled(draw: st.DrawFn) -> tuple[str, str, dict[str, str]]:
    """A template, a text made from it, and the values that were put in."""
    source, text, values = "", "", {}
    for i in range(draw(st.integers(1, 5))):
        literal = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))) + " "
        kind = draw(st.sampled_from([None, *filter(None, VALUES)]))
        value = draw(VALUES[kind])
        source += literal + (f"{{v{i}:{kind}}} " if kind else f"{{v{i}}} ")
        text += literal + value + " "
        values[f"v{i}"] = value
    end = "the end" if draw(st.booleans()) else "stop."
    return source + end, text + end, values


def assert_sound(found_text: str, template: Template) -> None:
    """Whatever is found lies inside the text, and captures are what stands at their spans."""
    prepared = prepare(found_text)
    hits = [find(template, prepared), find_partial(template, prepared), *find_each_line(template, prepared)]
    for found in filter(None, hits):
        assert 0 <= found.start <= found.end <= len(found_text)
        assert found.captures.keys() == found.capture_spans.keys()
        for name, (start, end) in found.capture_spans.items():
            assert 0 <= start < end <= len(found_text)
            assert found_text[start:end] == found.captures[name]
            assert found.captures[name].strip() == found.captures[name]
        assert all(0 <= start < end <= len(found_text) for start, end in found.pieces)
        assert list(found.pieces) == sorted(found.pieces)


@unhurried
@given(TEXTS, st.sampled_from(TEMPLATES))
def test_any_text_gives_an_answer_with_its_place(text: str, source: str) -> None:
    assert_sound(text, parse(source))


@unhurried
@given(TEXTS, st.integers(0, 300))
def test_the_original_and_the_normalised_text_lead_to_each_other(text: str, place: int) -> None:
    prepared = prepare(text)
    assert prepared.origin(0) == 0
    assert prepared.origin(len(prepared.flat)) == len(text)
    place = min(place, len(text))
    offset = prepared.offset(place)
    assert prepared.origin(offset) >= place
    assert offset == 0 or prepared.origin(offset - 1) < place or prepared.origin(offset) == place
    origins = [prepared.origin(i) for i in range(len(prepared.flat) + 1)]
    assert origins == sorted(set(origins))


@unhurried
@given(filled(), st.sampled_from(["", "x: ", "say 'yes'. "]), st.sampled_from(["", " and on", "\nmore"]))
def test_a_template_with_values_in_it_is_found_again(
    case: tuple[str, str, dict[str, str]], before: str, after: str
) -> None:
    source, text, _ = case
    template, whole = parse(source), before + text + after
    found = find(template, prepare(whole))
    assert found is not None
    assert whole[found.start : found.end].startswith(text[:3])
    assert found.quality == "exact"
    assert anchors(template) & words(whole)
    assert_sound(whole, template)


@unhurried
@given(filled())
def test_wrapping_the_text_changes_no_capture(case: tuple[str, str, dict[str, str]]) -> None:
    source, text, _ = case
    template = parse(source)
    plain, wrapped = find(template, prepare(text)), find(template, prepare(text.replace(" ", "\n   ")))
    assert plain is not None
    assert wrapped is not None
    unwrapped = {name: value.replace("\n   ", " ") for name, value in wrapped.captures.items()}
    assert unwrapped == plain.captures


@unhurried
@given(st.text(max_size=60))
def test_any_source_is_a_template_or_is_refused_with_a_place(source: str) -> None:
    try:
        template = parse(source)
    except ValueError as error:
        assert 0 <= getattr(error, "offset", -1) <= len(source)  # noqa: PT017
    else:
        assert_sound(source, template)


HOSTILE = {
    "letters": "a",
    "quotes": "'",
    "backslashes": "\\",
    "escaped quotes": '\\"',
    "blanks": " ",
    "blank lines": " \n",
    "open brackets": "[(",
    "commas": "1, ",
    "digits": "1,000",
    "dots": ".",
    "dashes": "-",
    "first fragments": "rank 1 ",
    "first fragments, glued": "rank'",
    "half messages": "LoRA rank 64 is greater than max_",
    "both ends": "rank 'x is greater than '",
    "ellipses": "rank ... ",
}


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize(
    "source",
    [
        *TEMPLATES,
        "-{x:word} lost",
        "-{x:path} lost",
        "a{x:word}b a",
        "{x:list} a",
        "a {x:list} a",
        "a '{x:path}' {x:path} a",
    ],
)
def test_the_cost_grows_with_the_text_and_no_faster(hostile: str, source: str) -> None:
    """Twice the text may cost twice the steps, whatever it is; steps are counted, not seconds."""
    template = parse(source)
    steps = []
    for size in (20_000, 40_000):
        body = hostile * (size // len(hostile))
        text = f"LoRA rank 64 is lost max_lora_rank a 1 GiB {body} 64 greater rank a"
        work = Work(10**12)
        search(template, prepare(text), 0, len(text), work)
        steps.append(10**12 - work.left)
        find_partial(template, prepare(text))
    assert steps[1] <= 2.2 * steps[0] + 10_000


def test_a_search_stops_when_it_has_spent_its_share() -> None:
    text = prepare("rank '" * 100_000)
    work = Work.for_text(len(text.flat))
    search(parse("rank '{x:word} is lost"), text, 0, len(text.flat), work)
    assert work.left > -2_000


@settings(unhurried, max_examples=25)
@given(st.integers(0, 30), st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_line_is_found_once(lines: int, end: str) -> None:
    text = end.join(f"  rank {i} is lost" for i in range(lines))
    found = find_each_line(parse("rank {r:int} is lost"), prepare(text))
    assert [hit.captures["r"] for hit in found] == [str(i) for i in range(lines)]


LONG = "x" * 700 + " "


@unhurried
@given(st.lists(st.sampled_from(["start of ", "middle of ", "end of ", LONG, "y "]), max_size=14))
def test_a_template_is_found_wherever_a_search_that_tries_everything_finds_it(pieces: list[str]) -> None:
    """Gaps are bounded; a regular expression that may go back (and so may take for ever) is the judge."""
    text = "".join(pieces)
    judge = re.search(r"start of .{0,2000}? middle of .{0,2000}? end of", text)
    found = find(parse("start of {a} middle of {b} end of"), prepare(text))
    assert (found is not None) == (judge is not None)
