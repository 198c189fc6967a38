"""Fixes with the person's own numbers, and hostile captures kept out of commands."""

from collections.abc import Callable
from typing import Any

import pytest

from kb.diagnose.clean.text import CleanText
from kb.diagnose.diagnosis import Diagnosis, FilledFix
from kb.diagnose.fill import computed_value, fill
from kb.diagnose.index import read_entry
from kb.diagnose.report import Report
from kb.diagnose.scope import Captured, Scope, compute

Ask = Callable[..., Diagnosis]


def fix_of(answer: Diagnosis) -> FilledFix:
    fix = answer.failures[0].hypotheses[0].fix
    assert fix is not None
    return fix


@pytest.mark.parametrize(
    ("rank", "version", "value"),
    [
        (64, None, "64"),
        (65, None, "128"),
        (48, "0.11.0", "64"),
        (65, "0.7.2", None),  # that release allows no value so large
        (512, None, "512"),
        (513, None, None),
    ],
)
def test_the_value_is_the_smallest_allowed_one_at_or_above_the_rank(
    ask: Ask, rank: int, version: str | None, value: str | None
) -> None:
    given = {"versions": {"vllm": version}} if version else {}
    fix = fix_of(ask(f"ValueError: LoRA rank {rank} is greater than max_lora_rank 16.", **given))
    assert (fix.parameter, fix.value) == ("--max-lora-rank", value)
    if value is None:
        assert fix.steps[0] == "Merge the adapter."
        assert (fix.forms, fix.commands) == ({}, ())
    else:
        assert fix.forms["cli"] == f"vllm serve MODEL --max-lora-rank {value}"


@pytest.mark.parametrize(
    ("at_least", "value"),
    [("seen", "7"), ("seen / 2", "4"), ("seen - 7", None), ("seen - 9", None), ("other", None)],
)
def test_where_any_integer_is_allowed_the_next_one_from_1_on_is_taken(
    at_least: str, value: str | None
) -> None:
    assert computed_value({"parameter": "--x", "at_least": at_least}, scope_of(seen="7"), {}) == value


def test_what_is_not_known_is_shown_as_a_name_in_capitals(ask: Ask) -> None:
    fix = fix_of(ask("ValueError: LoRA rank 64 is greater than max_lora_rank 16."))
    assert fix.commands == ("vllm serve MODEL --max-lora-rank 64 --lora-modules NAME=DIR",)


@pytest.mark.parametrize(
    "hostile", ["x; rm -rf ~", "$(id)", "`id`", "-rf", "a b", "a\nb", "'", "|sh", "\u202e", "", "a" * 201]
)
def test_captured_text_that_could_harm_never_enters_a_command(hostile: str) -> None:
    assert fill("run @name@", scope_of(name=hostile)) == "run NAME"


@pytest.mark.parametrize(
    ("asked", "settings", "filled"),
    [
        ("base_model", {"model": "org/base-8b"}, "org/base-8b"),  # vLLM
        ("base_model", {"model_path": "/models/base"}, "/models/base"),  # SGLang
        ("model", {"model_id": "org/base-8b"}, "org/base-8b"),  # TGI
        ("base_model", {"base_model": "org/own", "model": "org/other"}, "org/own"),
        ("model", {"base_model": "org/base-8b"}, "MODEL"),  # what an adapter was trained on is not served
    ],
)
def test_a_value_is_known_by_the_other_names_that_programs_give_it(
    asked: str, settings: dict[str, str], filled: str
) -> None:
    assert fill(f"@{asked}@", scope_of(**settings)) == filled


def test_a_size_with_its_unit_is_filled_in() -> None:
    assert fill("@free@ of @all@", scope_of(free="1.50 GiB", all="79.1 GiB of RAM")) == "1.50 GiB of ALL"


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("free + 2 * need", "6.00 GiB"),
        ("need / free", "1"),  # of sizes alone, yet no size
        ("blocks * need", "20.00 GiB"),
        ("blocks * 2", "20"),
    ],
)
def test_what_is_computed_of_sizes_is_a_size_only_where_it_grows_with_them(source: str, result: str) -> None:
    assert compute(source, Captured({"free": "2 GiB", "need": "2.0 GiB", "blocks": "10"})) == result


def scope_of(**settings: str) -> Scope:
    """What a paste says that has nothing but these settings."""
    report = Report(clean=CleanText((), (), 0), events=(), settings=settings)
    made: dict[str, Any] = {
        "id": "a", "title": "", "summary": "", "status": "", "role": "", "components": [], "affected": [],
        "signatures": [], "supports": [], "derive": {}, "causes": [], "siblings": [], "leads_to": [],
        "find_root": None, "path": "",
    }  # fmt: skip
    return Scope(read_entry(made), (), (), report)
