"""A diagnosis in the terminal: what a person must see, in which order, and nothing smuggled in by a paste."""

import re
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from kb.catalog.compiler import compile_catalog
from kb.catalog.index_form import index_text
from kb.catalog.loader import load_catalog
from kb.diagnose import Diagnosis, Index, diagnose
from kb.diagnose.clean.text import Process
from kb.diagnose.diagnosis import (
    Change,
    Failure,
    FilledFix,
    Hypothesis,
    Initiating,
    Need,
    NextCheck,
    NextOutcome,
    RankRow,
    Related,
    Secondary,
)
from kb.render.terminal import diagnosis_text

GOOD = Path(__file__).parent.parent / "catalog" / "good" / "entries"
GOLDEN = Path(__file__).parent / "golden"
FULL = """\
INFO toyengine listens on 10.0.0.7:9000
Traceback (most recent call last):
  File "/app/serve.py", line 12, in <module>
    engine.run()
RuntimeError: toyengine: all 4 adapter slots are taken, 2 more wanted
"""


@pytest.fixture(scope="module")
def index() -> Index:
    return Index.from_json(index_text(compile_catalog(load_catalog(GOOD)).index))


@pytest.fixture(scope="module")
def match(index: Index) -> Diagnosis:
    diagnosis = diagnose(FULL, index)
    assert diagnosis.verdict == "match"
    return diagnosis


def with_failure(diagnosis: Diagnosis, **changes: Any) -> Diagnosis:
    first, *others = diagnosis.failures
    return replace(diagnosis, failures=(replace(first, **changes), *others))


def hypothesis(diagnosis: Diagnosis, **changes: Any) -> Hypothesis:
    return replace(diagnosis.failures[0].hypotheses[0], **changes)


CHECK = NextCheck(
    "who-holds-the-slots",
    "Are the slots pinned or merely in use?",
    None,
    "toyengine slots",
    (
        NextOutcome("pinned", "Every line says pinned.", ("engine-slots-pinned",), ("engine-slots-full",)),
        NextOutcome("in-use", "Lines say in use.", ("engine-slots-full",), ()),
    ),
)


FIX = FilledFix(
    summary="Start with more.",
    parameter="--adapter-slots",
    value="8",
    forms={"cli": "toyengine serve --adapter-slots 8", "yaml": "adapter_slots: 8"},
    commands=("toyengine stop",),
    steps=("Count the adapters.",),
    verify={"run": "toyengine slots", "see": "Eight lines."},
    resume="The last request.",
    avoid=("Pin all: nothing can be put out.",),
    risk="A restart.",
)


def everything(match: Diagnosis) -> Diagnosis:
    """A diagnosis in which every part of the answer has something to say."""
    first = match.failures[0].hypotheses[0]
    rival = replace(
        first,
        entry="engine-slots-pinned",
        title="Slots are pinned",
        cause=None,
        cause_title=None,
        confidence=0.3,
    )
    return replace(
        with_failure(
            match,
            hypotheses=(replace(first, fix=FIX, applies="no", fixed_in="2.0"), rival),
            also_true=("A second complaint.",),
            secondary=(
                Secondary(2, "x", Process(), "wrapper"),
                Secondary(3, "y", Process(rank="1"), "peer"),
                Secondary(4, "z", Process(rank="2"), "peer"),
            ),
            ranks=(
                RankRow("0", "node1", 5, "RuntimeError", None, "initiating"),
                RankRow("1", None, 3, "lost", None, "secondary"),
                *(RankRow(str(rank), None, None, None, None, "silent") for rank in (2, 3, 4, 7)),
            ),
            silent_ranks=("2", "3", "4", "7"),
            next_check=CHECK,
            need=Need("The log of rank 0.", "grep -n Error rank0.log"),
        ),
        related=(
            Related("engine-worker-lost", "A worker is lost", "errors/engine-worker-lost/", "same engine"),
        ),
    )


def settled(diagnosis: Diagnosis) -> Diagnosis:
    """The diagnosis with a fixed confidence: the matcher's own numbers are not what is shown here."""
    first, *others = diagnosis.failures[0].hypotheses
    return with_failure(diagnosis, hypotheses=(replace(first, confidence=0.97), *others))


def golden(name: str, text: str, update: bool) -> None:
    path = GOLDEN / name
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), "read the difference; pytest --update takes the new text"


def test_a_match_reads_like_this(match: Diagnosis, update: bool) -> None:
    golden("match.txt", diagnosis_text(settled(match)), update)


def test_an_answer_with_everything_reads_like_this(match: Diagnosis, update: bool) -> None:
    golden("everything.txt", diagnosis_text(everything(settled(match))), update)


def test_the_initiating_line_is_marked_in_its_surroundings(match: Diagnosis) -> None:
    shown = diagnosis_text(match)
    assert "  2 | Traceback (most recent call last):" in shown
    assert "> 5 | RuntimeError: toyengine: all 4 adapter slots are taken, 2 more wanted" in shown
    assert "1 | INFO" not in shown  # three lines around, no more


def test_commands_stand_alone_on_a_line(match: Diagnosis) -> None:
    lines = diagnosis_text(everything(match)).splitlines()
    for command in (
        "toyengine stop",
        "toyengine serve --adapter-slots 8",
        "toyengine slots",
        "grep -n Error rank0.log",
    ):
        assert command in lines


def test_silent_ranks_are_folded_and_consequences_counted(match: Diagnosis) -> None:
    shown = diagnosis_text(everything(match))
    assert "silent: 2 to 4, 7;" in shown
    assert "3 further lines" in shown
    assert "2 lines: 3, 4: lost the process that failed" in shown


def test_the_question_comes_before_the_fix_while_the_text_cannot_decide(match: Diagnosis) -> None:
    shown = diagnosis_text(replace(everything(match), verdict="ambiguous"))
    assert shown.startswith("Ambiguous, the likeliest has ")
    assert shown.index("What tells them apart") < shown.index("Fix, if it is too-few-slots")
    assert "kb match FILE --outcome who-holds-the-slots=OUTCOME, which is pinned or in-use" in shown


def test_a_certain_answer_puts_the_fix_before_the_rivals(match: Diagnosis) -> None:
    shown = diagnosis_text(everything(match))
    assert shown.index("Fix") < shown.index("Or it could be") < shown.index("What tells them apart")
    assert "30 %  Slots are pinned (engine-slots-pinned)" in shown


def test_slight_rivals_are_not_worth_a_line(match: Diagnosis) -> None:
    first = match.failures[0].hypotheses[0]
    slight = replace(first, entry="other", confidence=0.01)
    assert "Or it could be" not in diagnosis_text(with_failure(match, hypotheses=(first, slight)))


def test_no_match_still_says_what_failed_first_and_of_what_kind(match: Diagnosis) -> None:
    first = match.failures[0].initiating
    unknown = with_failure(match, hypotheses=(), initiating=replace(first, kind="capacity"))
    related = (
        Related("engine-worker-lost", "A worker is lost", "errors/engine-worker-lost/", "same engine"),
    )
    shown = diagnosis_text(replace(unknown, verdict="no_match", best=None, related=related))
    assert shown.startswith("No match\nNone of the 3 known failures explains this paste.")
    assert "> 5 | RuntimeError" in shown
    assert "It looks like not enough of something." in shown
    assert "- A worker is lost (engine-worker-lost): same engine" in shown


def test_a_healthy_log_and_a_handled_error_are_told_apart(index: Index, match: Diagnosis) -> None:
    assert "Nothing in this paste says that something failed." in diagnosis_text(
        diagnose("INFO ready\n", index)
    )
    handled = with_failure(match, handled=True, hypotheses=())
    shown = diagnosis_text(replace(handled, verdict="no_match", best=None))
    assert "The program handled every error in this paste" in shown
    assert "What happened (line 5)" in shown


def test_several_failures_are_numbered(match: Diagnosis) -> None:
    shown = diagnosis_text(replace(match, failures=match.failures * 5))
    assert "Failure 1 of 5" in shown
    assert "2 more failures: see --json" in shown


def test_the_first_form_of_the_answer_is_shown_and_the_others_are_named(match: Diagnosis) -> None:
    fix = FilledFix("x", forms={"yaml": "a: 1", "cli": "x --a 1", "python": "a = 1"})
    shown = diagnosis_text(with_failure(match, hypotheses=(hypothesis(match, fix=fix),)))
    assert "YAML:\na: 1" in shown
    assert "Also for command line, Python: kb explain" in shown


def test_the_persons_own_command_stands_ready_to_copy_and_other_forms_are_named(match: Diagnosis) -> None:
    own = Change("cli", 2, "toyengine serve m --a 1", "toyengine serve m --a 2")
    forms = {"cli": own.after, "yaml": "a: 2"}
    fix = FilledFix("Raise it.", parameter="--a", value="2", forms=forms, change=own)
    lines = diagnosis_text(with_failure(match, hypotheses=(hypothesis(match, fix=fix),))).split("\n")
    assert lines.count("toyengine serve m --a 2") == 1
    assert "Your own, from line 2 on, with the change:" in lines
    assert "a: 2" not in lines
    assert any(line.startswith("Also for YAML: ") for line in lines)


def test_forms_of_frameworks_are_all_shown_where_the_paste_names_none(index: Index) -> None:
    diagnosis = diagnose("RuntimeError: toyengine: all 4 adapter slots are taken, 2 more wanted", index)
    forms = {"deepspeed": "d", "trainer": "t", "lightning": "l", "megatron": "m"}
    shown = diagnosis_text(
        with_failure(diagnosis, hypotheses=(hypothesis(diagnosis, fix=FilledFix("x", forms=forms)),))
    )
    assert [name for name in ("DeepSpeed:\nd", "Trainer:\nt", "Lightning:\nl") if name not in shown] == []
    assert "Also for Megatron-LM: kb explain" in shown


def test_a_rival_shows_only_reasons_of_its_own(match: Diagnosis) -> None:
    first = match.failures[0].hypotheses[0]
    own = replace(first.evidence[0], note="It was pinned before.")
    rival = replace(first, cause="another", confidence=0.3, evidence=(*first.evidence, own))
    shown = diagnosis_text(with_failure(match, hypotheses=(first, rival)))
    after = shown[shown.index("Or it could be") :]
    assert "It was pinned before." in after
    assert after.count("line 5:") == 1


def poisoned(value: Any, poison: str) -> Any:
    """The value with every text in it made hostile, at any depth."""
    if isinstance(value, str):
        return value + poison
    if isinstance(value, Process):
        return Process._make(poisoned(item, poison) for item in value)
    if isinstance(value, tuple):
        return tuple(poisoned(item, poison) for item in value)
    if isinstance(value, dict):
        return {key: poisoned(item, poison) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{field.name: poisoned(getattr(value, field.name), poison) for field in fields(value)}
        )
    return value


@pytest.mark.parametrize(
    "poison",
    [
        "\x1b[2J\x1b[1;1H",
        "\x1b]0;title\x07",
        "\x9b31m",
        "\x07\x08\x7f\x00",
        "\u202egnp.exe\u202c",
        "\u200b\u2066\ufeff",
        "\r",
        "\x85\u2028",
    ],
)
def test_no_control_character_of_a_paste_reaches_the_terminal(match: Diagnosis, poison: str) -> None:
    diagnosis = everything(match)
    parts = {name: poisoned(getattr(diagnosis, name), poison) for name in ("failures", "related", "given")}
    # Verdict words and the like are fixed terms, so they stay as they are.
    failures = tuple(
        replace(
            failure,
            secondary=original.secondary,
            ranks=tuple(replace(r, part=o.part) for r, o in zip(failure.ranks, original.ranks, strict=True)),
        )
        for failure, original in zip(parts.pop("failures"), diagnosis.failures, strict=True)
    )
    paste = tuple(line + poison for line in diagnosis.report.clean.paste)
    report = replace(diagnosis.report, clean=replace(diagnosis.report.clean, paste=paste))
    hostile = replace(
        diagnosis, failures=failures, report=report, best=poisoned(diagnosis.best, poison), **parts
    )
    for verdict in ("match", "ambiguous", "no_match"):
        shown = diagnosis_text(replace(hostile, verdict=verdict))
        bad = re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", shown)
        assert bad == []


def test_colour_adds_nothing_but_colour(match: Diagnosis) -> None:
    diagnosis = everything(match)
    plain, coloured = diagnosis_text(diagnosis), diagnosis_text(diagnosis, colour=True)
    assert coloured != plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


@pytest.mark.parametrize("width", [0, 20, 40, 80, 500])
def test_prose_keeps_to_the_width_of_the_terminal(match: Diagnosis, width: int) -> None:
    shown = diagnosis_text(match, width=width)
    assert "Start the engine with more slots." in " ".join(shown.split())


def test_a_paste_with_a_long_line_is_cut_in_the_middle(index: Index) -> None:
    text = "RuntimeError: toyengine: all 4 adapter slots are taken, 2 more wanted" + " and so on" * 500
    longest = max(len(line) for line in diagnosis_text(diagnose(text, index)).splitlines())
    assert longest < 1000


def test_an_initiating_line_may_be_any_line(index: Index, match: Diagnosis) -> None:
    first = match.failures[0].initiating
    for line in range(1, 6):
        shown = diagnosis_text(with_failure(match, initiating=replace(first, line=line)))
        assert f"> {line} | " in shown


def test_parts_have_the_types_that_the_renderer_reads(match: Diagnosis) -> None:
    assert isinstance(match.failures[0], Failure)
    assert isinstance(match.failures[0].initiating, Initiating)
