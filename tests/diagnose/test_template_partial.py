"""Templates in damaged text, and foreign text that must not look like one."""

from __future__ import annotations

import pytest

from kb.diagnose.template import find, find_partial, parse, prepare

RANK = "LoRA rank {rank:int} is greater than max_lora_rank {limit:int}"
TARGET = "Target modules {m:list} not found in the base model. Please check the target modules and try again."
LOADING = (
    "While loading {path:path}, expected target modules in {want:list} but received {got:list}. Please verify"
)
COMMON = (
    "the file is not in the list of all files that were found by {name}, see max_lora_rank and ncclUniqueId"
)
ADAPTER = "Loading lora {name} failed: No adapter found for {path:path}"


def damaged(source: str, text: str) -> tuple[dict[str, str], str] | None:
    """Captures and text of a template that is only partly in a text."""
    template, prepared = parse(source), prepare(text)
    assert find(template, prepared) is None, "the text is not damaged"
    found = find_partial(template, prepared)
    if found is None:
        return None
    assert found.quality == "partial"
    assert all(text[a:b] == found.captures[name] for name, (a, b) in found.capture_spans.items())
    return found.captures, text[found.start : found.end]


@pytest.mark.parametrize(
    ("source", "text", "captures"),
    [
        (RANK, "ValueError: LoRA rank 64 is greater than max_lora_rank", {"rank": "64"}),
        (RANK, "ValueError: LoRA rank 64 is greater than max_lo", {"rank": "64"}),
        (RANK, "ValueError: LoRA rank 64 is greater than max_l...\nnext line of the log", {"rank": "64"}),
        (RANK, 'msg: "LoRA rank 64 is greater than max_l…"', {"rank": "64"}),
        (TARGET, "ValueError: Target modules {'q', 'v'} not found in the ba", {"m": "{'q', 'v'}"}),
        (LOADING, "While loading /srv/a, expected target modules in {'embed_to", {"path": "/srv/a"}),
        (LOADING, "While loading /a, expected target modules in [1] but rece", {"path": "/a", "want": "[1]"}),
        ("CUDA error: invalid device ordinal", "CUDA error: invalid device", {}),
        ("RuntimeError in {name}: no kernel image is available for execution on the device",
         "RuntimeError in vadd: no kernel image is available for exec", {"name": "vadd"}),
        ("{dtype:word} is not supported for quantization method {method:word}. Supported dtypes: {them:list}",
         "torch.bfloat16 is not supported for quantization method awq. Supported dt",
         {"dtype": "torch.bfloat16", "method": "awq"}),
    ],
)  # fmt: skip
def test_a_text_whose_end_is_cut(source: str, text: str, captures: dict[str, str]) -> None:
    found = damaged(source, text)
    assert found is not None
    assert found[0] == captures


@pytest.mark.parametrize(
    ("source", "text", "captures"),
    [
        (RANK, "rank 64 is greater than max_lora_rank 16.", {"rank": "64", "limit": "16"}),
        (RANK, "nk 64 is greater than max_lora_rank 16.", {"rank": "64", "limit": "16"}),
        (RANK, "4 is greater than max_lora_rank 16.", {"limit": "16"}),
        (RANK, "is greater than max_lora_rank 16.", {"limit": "16"}),
        (RANK, "...rank 64 is greater than max_lora_rank 16.", {"rank": "64", "limit": "16"}),
        (RANK, "some log line\n... 4 is greater than max_lora_rank 16.\nmore", {"limit": "16"}),
        (TARGET, "'v_proj'} not found in the base model. Please check the target modules and try again.", {}),
        (TARGET, "'k', 'v_proj'} not found in the base model. Please check the target modules and tr", {}),
    ],
)
def test_a_text_whose_beginning_is_cut(source: str, text: str, captures: dict[str, str]) -> None:
    found = damaged(source, text)
    assert found is not None
    assert found[0] == captures


@pytest.mark.parametrize(
    ("source", "text", "captures"),
    [
        (RANK, "L0RA rank 64 is greater than max_lora_rank 16.", {"rank": "64", "limit": "16"}),
        (RANK, "LoRA rank 64 is greaterthan max_ lora_rank 16.", {"rank": "64", "limit": "16"}),
        (RANK, "LoRA rank l6 is greater than max_lora_rank 8.", {"limit": "8"}),
        (RANK, "LoRA rank 64 is greater than max_l0ra_rank 1 6.", {"rank": "64", "limit": "1"}),
        (
            "element {n:int} of tensors does not require grad",
            "eIement 0 of tensors does notrequire grad",
            {"n": "0"},
        ),
    ],
)
def test_a_text_read_from_a_picture(source: str, text: str, captures: dict[str, str]) -> None:
    found = damaged(source, text)
    assert found is not None
    assert found[0] == captures


@pytest.mark.parametrize(
    ("source", "text"),
    [
        # other words between the fragments
        (RANK, "LoRA rank 64 is larger than max_lora_rank 16."),
        (RANK, "LoRA rank 64 is greater than the allowed max_lora_rank 16."),
        (RANK, "the max_lora_rank 16 is less than LoRA rank 64"),
        (RANK, "the value is greater than max_lora_rank 16."),
        # too little is left to identify anything
        (RANK, "LoRA rank 64 is gr"),
        (RANK, "LoRA rank"),
        (RANK, "_rank 16"),
        (RANK, "max_lora_rank 16."),
        (COMMON, "the file is not in the list of all files that"),
        (TARGET, "Please check the target modules and"),
        (TARGET, "try again."),
        (TARGET, "the base model"),
        # an older wording is no beginning of the newer one
        (ADAPTER, "RuntimeError: Loading lora acme/sql failed"),
        # cut, but in the middle of the text
        (RANK, "LoRA rank 64 is greater than max_lo\nanother line"),
        (RANK, "a line first\nrank 64 is greater than max_lora_rank 16."),
        # too many slips, and slips of other letters
        (RANK, "L o R A ran k 6 4 i s gre ater th an max _lora _ra nk 16"),
        (RANK, "LoRB rank 64 is greater than max_lora_rank 16"),
        (RANK, "LoRA rank many is greater than max_l0ra_rank 16"),
        (RANK, ""),
    ],
)
def test_foreign_text_is_no_damaged_message(source: str, text: str) -> None:
    assert damaged(source, text) is None


def test_what_is_matched_says_less_than_the_whole() -> None:
    template = parse(RANK)
    whole = find(template, prepare("LoRA rank 64 is greater than max_lora_rank 16."))
    part = find_partial(template, prepare("LoRA rank 64 is greater than max_lo"))
    assert whole is not None
    assert part is not None
    assert part.matched < whole.matched


def test_a_value_at_the_cut_is_not_kept_since_it_may_go_on() -> None:
    source = (
        "no free lora slots for the adapter named {name:word}, asked by request {request:word} of the queue"
    )
    found = damaged(source, "no free lora slots for the adapter named sql-gen, asked by request 7e1")
    assert found is not None
    assert found[0] == {"name": "sql-gen"}


@pytest.mark.parametrize(
    "text",
    [
        "CUDA error: in",  # too little of it
        "it says CUDA error: invalid device",  # something stands before it
        "CUDA error: invalid device pointer",  # it goes on otherwise
    ],
)
def test_a_few_words_are_only_enough_as_the_whole_beginning(text: str) -> None:
    assert damaged("CUDA error: invalid device ordinal", text) is None
