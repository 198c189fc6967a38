"""A paste that was mangled on its way still finds its entry; the forms are those of bench/messy.

A few examples of the entries in every form of the `messy` cases; bench/messy/measure.py tries a hundred in
more forms, or any file of cases.
"""

from random import Random

import pytest

from bench.messy.measure import Tally, mangled, measure_form
from bench.messy.tables import ALL, OF_CASES
from bench.messy.texts import DoesNotApply, Paste, Undecided, example_cases, locate
from kb.diagnose.index import Index
from tests.proof.examples import ROOT

WANTED = 0.95
EXAMPLES = 30
SEED = 5
MESSAGE = "LoRA rank 48 is greater than max_lora_rank 8."
LONG = ", ".join(f"adapter_{number}" for number in range(20))
TEXT = f"""loading weights
Traceback (most recent call last):
  File "/srv/run.py", line 31, in <module>
    start(engine, {LONG})
  File "/opt/venv/lib/python3.12/site-packages/vllm/lora/peft_helper.py", line 114, in validate_legal
    raise ValueError(f"{{' '.join(error_msg)}}")
ValueError: {MESSAGE}
shutting down
"""
PASTE = Paste(
    id="made",
    text=TEXT,
    wanted=frozenset({"vllm-lora-rank-exceeds-max"}),
    line=6,
    head=f"ValueError: {MESSAGE}",
    message=MESSAGE,
    telling=(("LoRA", "rank", "is", "greater", "than", "max_lora_rank"),),
)


@pytest.fixture(scope="module")
def pastes(index: Index) -> list[Paste]:
    found = [paste for case in example_cases(ROOT, EXAMPLES, seed=7) if (paste := locate(case, index))]
    assert len(found) >= EXAMPLES * 0.9
    return found


def test_the_forms_of_the_cases_keep_their_entry(pastes: list[Paste], index: Index) -> None:
    tallies = [measure_form(form, pastes, index, seed=7) for form in OF_CASES]
    tried, right = sum(t.tried for t in tallies), sum(t.right for t in tallies)
    assert tried > EXAMPLES * len(OF_CASES) / 2
    assert right >= WANTED * tried, "\n".join(miss for tally in tallies for miss in tally.misses)
    assert sum(tally.wrong for tally in tallies) <= 0.01 * tried


def test_each_form_of_the_cases_is_tried(pastes: list[Paste], index: Index) -> None:
    tried = {form: measure_form(form, pastes[:12], index, seed=7) for form in OF_CASES}
    assert [form for form, tally in tried.items() if tally.tried == 0] == []


def test_a_miss_is_counted_and_named(index: Index) -> None:
    stranger = Paste("x", "all is well\n" * 3, frozenset({"gpu-xid-error"}), 0, "all is well", "all is well")
    tally = measure_form("html-escaped", [stranger], index, seed=1)
    assert tally == Tally(tried=1, misses=["MISS html-escaped x want gpu-xid-error got no_match -"])


@pytest.mark.parametrize("form", ALL)
def test_a_form_changes_the_text_and_is_the_same_for_a_seed(form: str) -> None:
    once, again = mangled(PASTE, form, SEED), mangled(PASTE, form, SEED)
    assert once == again
    assert once != TEXT


def test_a_message_cut_before_what_tells_it_apart_is_undecided() -> None:
    assert PASTE.decides("LoRA rank 48 is greater than max_lora_rank")
    assert not PASTE.decides("LoRA rank 48 is greater than")
    assert not PASTE.decides("max_lora_rank")


def test_a_line_of_code_alone_is_undecided() -> None:
    bare = Paste("x", TEXT, PASTE.wanted, 5, "raise", "raise", telling=(("raise",),), code=True)
    with pytest.raises(Undecided):
        ALL["message-only"](bare, Random(1))


@pytest.mark.parametrize(
    "form", ["rich-traceback-80", "exception-group", "pytest-E-lines", "two-causes-root-first"]
)
def test_a_traceback_is_not_drawn_where_there_is_none(form: str) -> None:
    with pytest.raises(DoesNotApply):
        ALL[form](Paste("x", "a\nb\n", PASTE.wanted, 0, "a", "a"), Random(1))


def test_a_traceback_behind_a_tag_is_drawn_without_it() -> None:
    tagged = Paste(
        "x", "".join(f"(Engine pid=7) {line}\n" for line in PASTE.lines), PASTE.wanted, 6, PASTE.head, MESSAGE
    )
    drawn = mangled(tagged, "pytest-E-lines", 1)
    assert f"\nE   ValueError: {MESSAGE}\n" in drawn
    assert "peft_helper.py:114: in validate_legal\n    raise ValueError(" in drawn
