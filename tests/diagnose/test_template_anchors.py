"""Which words must be in a text, and how much literal text identifies."""

from __future__ import annotations

import pytest

from kb.diagnose.template import (
    SPECIFICITY_FLOOR,
    anchors,
    find,
    literal_words,
    parse,
    prepare,
    specificity,
    words,
)


def test_the_words_of_a_text() -> None:
    text = "CUDA_VISIBLE_DEVICES=0 c10::DistBackendError, 报错rank3 (max_lora_rank)\nEnd."
    assert words(text) == {
        "cuda_visible_devices", "0", "c10", "distbackenderror", "rank3", "max_lora_rank", "end",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("source", "chosen"),
    [
        ("LoRA rank {r:int} is greater than max_lora_rank {m:int}", {"max_lora_rank"}),
        ("no free[[ lora]] buffer slots", {"buffer"}),
        ("rank{r:int}: {x} was lost", {"lost"}),
        ("[[nv]]straggler {n:int}", {"straggler", "nvstraggler"}),
        ("NVLink{n:int}", set()),
    ],
)
def test_the_words_of_which_a_text_must_have_one(source: str, chosen: set[str]) -> None:
    assert anchors(parse(source)) == chosen


def test_a_word_that_something_can_be_glued_to_is_no_anchor() -> None:
    """`NVLink7` is another word than `NVLink`, and the template is there all the same."""
    assert find(parse("NVLink{n:int}"), prepare("NVLink7")) is not None
    assert "nvlink" not in words("NVLink7")


@pytest.mark.parametrize(
    "source",
    [
        "{_} not found in {_}",
        "No module named '{name}'",
        "No such file or directory: '{path:path}'",
        "Not Found",
        "Killed",
        "failed with error {_}",
        "ValueError: {_}",
        "Traceback (most recent call last):",
        "error while loading {_}",
        "invalid value for parameter {name}",
    ],
)
def test_what_is_too_common_to_identify_anything(source: str) -> None:
    assert specificity(parse(source)) < SPECIFICITY_FLOOR


@pytest.mark.parametrize(
    "source",
    [
        "LoRA rank {rank:int} is greater than max_lora_rank {m:int}",
        "CUDA out of memory. Tried to allocate {w:size}",
        "No free lora slots",
        "{name:word} is unsupported LoRA weight",
        "Engine core initialization failed. See root cause above.",
        "assert len(cur_uids) <= self.max_loras_per_batch",
        "retrieving ncclUniqueId from [{r:int}]",
        "Watchdog caught collective operation timeout",
        "CUDA error: invalid device ordinal",
        "'GPUModelRunner' object has no attribute 'lora_manager'",
    ],
)
def test_what_identifies_a_message(source: str) -> None:
    assert specificity(parse(source)) > SPECIFICITY_FLOOR


def test_specificity_grows_with_rare_words_and_not_with_repetition() -> None:
    rare = specificity(parse("max_lora_rank is set"))
    assert rare > specificity(parse("the value is set")) + 4
    assert specificity(parse("max_lora_rank max_lora_rank is set")) == rare


def test_optional_text_does_not_make_a_template_specific() -> None:
    assert specificity(parse("not found[[ in the ncclUniqueId table]]")) == specificity(parse("not found"))


def test_the_literal_words_of_a_template_each_once_and_in_order() -> None:
    template = parse("Target modules {m:list} not found[[ in the {b} model]]. Check the target modules")
    assert literal_words(template) == ["target", "modules", "not", "found", "in", "the", "model", "check"]
