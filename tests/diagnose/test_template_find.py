"""Finding templates: order, word edges, white space, quotes, gaps, optional parts, case, places."""

from __future__ import annotations

import pytest

from kb.diagnose.template import find, find_each_line, parse, prepare

RANK = "LoRA rank {rank:int} is greater than max_lora_rank {limit:int}"
OOM = (
    "CUDA out of memory. Tried to allocate {wanted:size}"
    "[[. GPU {gpu:int?} has a total capacity of {total:size} of which {free:size} is free]]"
)


def captured(source: str, text: str) -> dict[str, str] | None:
    """The captures of a template in a text; None when it is not there."""
    found = find(parse(source), prepare(text))
    return None if found is None else found.captures


@pytest.mark.parametrize(
    ("source", "text", "captures"),
    [
        (RANK, "LoRA rank 64 is greater than max_lora_rank 16.", {"rank": "64", "limit": "16"}),
        (
            RANK,
            "error 'LoRA rank 64 is greater\n    than max_lora_rank 16.', see",
            {"rank": "64", "limit": "16"},
        ),
        (RANK, "LoRA rank sixty is greater than max_lora_rank 16.", None),
        (RANK, "LoRA rank 64 is smaller than max_lora_rank 16.", None),
        ("rank {r:int} waits", "rank 3 ran, rank 4 waits", {"r": "4"}),
        (
            "{name} is unsupported LoRA weight",
            "a line\nmodel.q is unsupported LoRA weight",
            {"name": "model.q"},
        ),
        ("failed: {reason}", "load failed: no such file \nnext line", {"reason": "no such file"}),
        ("failed: {reason}", "load failed:", {}),
        ("is not {what}", "this is nothing", None),
        ("the model `{m}` does not exist", "the model `` does not exist", {}),
        ("the model {m} does not exist", "the model does not exist", None),
    ],
)
def test_where_a_template_is_and_what_it_captures(
    source: str, text: str, captures: dict[str, str] | None
) -> None:
    assert captured(source, text) == captures


@pytest.mark.parametrize(
    ("source", "text", "there"),
    [
        ("rank is lost", "the rank is lost now", True),
        ("rank is lost", "the prank is lost now", False),
        ("rank is lost", "the rank is losty now", False),
        ("rank is lost", "the max_rank is lost now", False),
        ("rank is lost", "rank is lost_", False),
        ("rank is lost", "「rank is lost」", True),
        ("rank is lost", "报错rank is lost请问", True),
        ("exited on signal 9", "exited on signal 95", False),
        ("exited on signal 9", "exited on signal 9.", True),
        ("rank{r:int}is lost", "rank3is lost", True),
        ("/lora_manager.py failed", "srt/lora/lora_manager.py failed", True),
    ],
)
def test_fragments_begin_and_end_with_whole_words(source: str, text: str, there: bool) -> None:
    assert (find(parse(source), prepare(text)) is not None) == there


@pytest.mark.parametrize(
    "text",
    [
        "cannot find 'adapter_config.json' at \"/a\" now",
        "cannot find \"adapter_config.json\" at '/a' now",
        "cannot find `adapter_config.json` at `/a` now",
        "cannot find ‘adapter_config.json’ at “/a” now",
        "cannot find «adapter_config.json» at „/a‟ now",
        r"cannot find \"adapter_config.json\" at \"/a\" now",
        r"cannot find \\\"adapter_config.json\\\" at \'/a\' now",
    ],
)
def test_quotes_of_all_shapes_are_one_quote(text: str) -> None:
    assert captured("cannot find 'adapter_config.json' at '{path:path}' now", text) == {"path": "/a"}


@pytest.mark.parametrize(
    "text",
    [
        "no free lora slots",
        "no  free\tlora\r\n   slots",
        "no\u00a0free lora\u2003slots",
        "no\nfree\nlora\nslots",
    ],
)
def test_a_run_of_white_space_is_any_run_of_white_space(text: str) -> None:
    assert find(parse("no free   lora\nslots"), prepare(text)) is not None
    assert find(parse("no free lora slots"), prepare(text.replace("lora", "l ora"))) is None


def test_exact_comes_before_a_difference_of_case() -> None:
    text = "CUDA ERROR: invalid device ordinal; CUDA error: invalid device ordinal"
    found = find(parse("CUDA error: invalid device ordinal"), prepare(text))
    assert found is not None
    assert (found.start, found.quality) == (36, "exact")
    other = find(parse("cuda Error: Invalid device ordinal"), prepare(text))
    assert other is not None
    assert (other.start, other.quality) == (0, "variant")


def test_a_capture_keeps_its_case_in_a_text_of_other_case() -> None:
    found = find(parse("adapter {name:word} was not found"), prepare("ADAPTER Sql-Gen WAS NOT FOUND"))
    assert found is not None
    assert found.captures == {"name": "Sql-Gen"}


def test_letters_whose_lower_case_is_longer_move_nothing() -> None:
    text = "İİİ adapter A Was not found"
    found = find(parse("adapter {name:word} was not found"), prepare(text))
    assert found is not None
    assert text[found.start : found.end] == "adapter A Was not found"


@pytest.mark.parametrize(
    ("text", "captures"),
    [
        ("Tried to allocate 20.00 MiB", {"wanted": "20.00 MiB"}),
        (
            "Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 79.15 GiB of which 0 bytes is free.",
            {"wanted": "20.00 MiB", "gpu": "0", "total": "79.15 GiB", "free": "0 bytes"},
        ),
        (
            "Tried to allocate 20.00 MiB. GPU  has a total capacity of 79.15 GiB of which 0 bytes is free.",
            {"wanted": "20.00 MiB", "total": "79.15 GiB", "free": "0 bytes"},
        ),
        ("Tried to allocate 20.00 MiB. GPU 0 has a total capacity of many.", {"wanted": "20.00 MiB"}),
    ],
)
def test_an_optional_part_is_taken_when_it_is_there(text: str, captures: dict[str, str]) -> None:
    assert captured(OOM, "CUDA out of memory. " + text) == captures


def test_optional_parts_at_every_place() -> None:
    source = "[[worker {w:int}: ]]no free[[ lora]] slots[[ in {pool:word}]]"
    assert captured(source, "worker 3: no free lora slots in gpu-pool") == {"w": "3", "pool": "gpu-pool"}
    assert captured(source, "no free slots in gpu-pool") == {"pool": "gpu-pool"}
    assert captured(source, "no free lora slots") == {}
    assert captured(source, "no free loraslots") is None


def test_a_name_that_occurs_twice_stands_for_equal_text() -> None:
    source = "waits for key '{key}', but get('{key}') got error"
    assert captured(source, "waits for key '0', but get('0') got error") == {"key": "0"}
    assert captured(source, "waits for key '0', but get('1') got error") is None
    text = "waits for key '0', but get('1') got error; waits for key '2', but get('2') got error"
    assert captured(source, text) == {"key": "2"}


def test_equal_text_may_be_wrapped_differently() -> None:
    assert captured("model {m} is not {m} here", "model a b is not a\n  b here") == {"m": "a b"}


def test_a_gap_is_no_wider_than_a_message() -> None:
    source = "Command {_} returned non-zero exit status {code:int}"
    near, far = "x" * 1900, "x" * 2100
    assert captured(source, f"Command {near} returned non-zero exit status 1") == {"code": "1"}
    assert captured(source, f"Command {far} returned non-zero exit status 1") is None
    text = f"Command {far} Command {near} returned non-zero exit status 1"
    found = find(parse(source), prepare(text))
    assert found is not None
    assert found.start == 2109


def test_a_run_moves_on_when_the_next_is_too_far() -> None:
    source = "start of {a} middle of {b} end of it"
    far = "y" * 1500
    text = f"start of 1 middle of 2 {far} start of 3 middle of 4 {far} middle of 5 end of it"
    assert captured(source, text) is not None
    lost = f"start of 1 {far} middle of 2 {far} middle of 3 {far} end of it"
    assert captured(source, lost) is None


def test_a_value_does_not_swallow_the_beginning_of_its_own_message() -> None:
    text = "Failed to load LoRA adapter a. Failed to load LoRA adapter b as a pinned adapter."
    assert captured("Failed to load LoRA adapter {name} as a pinned adapter", text) == {"name": "b"}


def test_found_tells_every_place_in_the_original_text() -> None:
    text = 'say: Target  modules\n {\\"q\\"} not “found” in the base.'
    found = find(parse("Target modules {m:list} not 'found' in the base"), prepare(text))
    assert found is not None
    assert text[found.start : found.end] == 'Target  modules\n {\\"q\\"} not “found” in the base'
    assert found.captures == {"m": '{\\"q\\"}'}
    assert [text[a:b] for a, b in found.pieces] == ["Target  modules", "not “found” in the base"]
    assert found.quality == "exact"


def test_find_goes_on_from_a_place_of_the_original_text() -> None:
    text = "rank  1\n\nis lost, rank  2\n\nis lost"
    template, prepared = parse("rank {r:int} is lost"), prepare(text)
    first = find(template, prepared)
    assert first is not None
    second = find(template, prepared, first.end)
    assert second is not None
    assert second.captures == {"r": "2"}
    assert find(template, prepared, second.start + 1) is None


def test_each_line_has_its_own_match() -> None:
    source = "size mismatch for {name}: copying a param with shape {a:list} from checkpoint"
    lines = [
        f"\tsize mismatch for layer.{i}: copying a param with shape [{i}] from checkpoint" for i in range(5)
    ]
    lines[2] = "\tsize mismatch for layer.2: copying a param wi"
    found = find_each_line(parse(source), prepare("\r\n".join(lines) + "\nend"))
    assert [hit.captures["name"] for hit in found] == ["layer.0", "layer.1", "layer.3", "layer.4"]


def test_each_line_finds_lines_of_every_variant() -> None:
    source = "missing key {name:word}[[ in {file:path}]]"
    found = find_each_line(parse(source), prepare("missing key a\nmissing key b in /c\n\nmissing key d"))
    assert [hit.captures for hit in found] == [{"name": "a"}, {"name": "b", "file": "/c"}, {"name": "d"}]


def test_the_more_literal_of_two_matches_at_one_place_is_taken() -> None:
    full = find(
        parse(OOM),
        prepare(
            "CUDA out of memory. Tried to allocate 1 GiB. GPU 0 has a total capacity of 2 GiB "
            "of which 1 GiB is free"
        ),
    )
    bare = find(parse(OOM), prepare("CUDA out of memory. Tried to allocate 1 GiB."))
    assert full is not None
    assert bare is not None
    assert full.matched > bare.matched
