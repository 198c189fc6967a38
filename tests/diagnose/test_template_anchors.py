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
        ("[[Watchdog caught]][[ straggler found]] {x}", set()),
    ],
)
def test_the_word_a_text_must_have(source: str, chosen: set[str]) -> None:
    if chosen:
        assert anchors(parse(source)) == chosen
    else:
        with pytest.raises(ValueError, match="no word of literal text"):
            parse(source)


def test_a_word_that_something_can_be_glued_to_is_no_anchor() -> None:
    assert anchors(parse("NVLink{n:int}")) == frozenset()
    assert find(parse("NVLink{n:int}"), prepare("NVLink7")) is not None
    assert not words("NVLink7") & {"nvlink"}


def test_each_way_of_taking_the_optional_parts_has_an_anchor() -> None:
    source = "{a:int} {b:int}[[x]][[ straggler]]y [[watchdog]]"
    template = parse(source)
    for text in ("1 2y", "1 2xy", "1 2 stragglery", "1 2x stragglery", "1 2xy watchdog"):
        assert find(template, prepare(text)) is not None, text
        assert not anchors(template) or words(text) & anchors(template), text


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
