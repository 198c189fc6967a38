"""The answer as a whole: verdict, several complaints, related entries, fingerprint, the wire form."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Diagnosis
from kb.diagnose.index import BrokenIndex, Index, load_index
from kb.diagnose.wire import given_from_wire, to_wire

Ask = Callable[..., Diagnosis]
IndexOf = Callable[..., Index]

RANK_ERROR = "ValueError: LoRA rank 64 is greater than max_lora_rank 16."


def test_several_complaints_in_one_message_are_also_true(index_of: IndexOf) -> None:
    index = index_of(
        rank="LoRA rank {rank:int} is greater than max_lora_rank {limit:int}.",
        dora="vLLM does not yet support DoRA.",
    )
    text = f"{RANK_ERROR} vLLM does not yet support DoRA."
    failure = diagnose(text, index).failures[0]
    assert failure.hypotheses[0].entry == "rank"
    assert failure.also_true == ("dora",)


def test_two_readings_of_the_same_words_are_rivals(index_of: IndexOf) -> None:
    index = index_of(one="No free lora slots on the engine", two="No free lora slots on the engine")
    answer = diagnose("RuntimeError: No free lora slots on the engine", index)
    assert answer.verdict == "ambiguous"
    assert {h.entry for h in answer.failures[0].hypotheses} == {"one", "two"}


def test_an_unknown_failure_lists_what_is_perhaps_related(ask: Ask) -> None:
    answer = ask("ValueError: the max_lora_rank of the adapter is a LoRA rank that nobody can serve")
    assert answer.verdict == "no_match"
    assert [r.entry for r in answer.related] == ["rank-too-high"]
    assert "max_lora_rank" in answer.related[0].why


def test_the_fingerprint_groups_the_same_failure_with_other_numbers(ask: Ask) -> None:
    one = ask(RANK_ERROR).fingerprint
    assert ask("log\n" + RANK_ERROR.replace("64", "128")).fingerprint == one
    assert ask("KeyError: 'x'").fingerprint not in (one, "")
    assert ask("all well").fingerprint == ""


def test_the_wire_form_is_json_and_counts_the_paste(ask: Ask, made: Index) -> None:
    wire = to_wire(ask(f"a\r\nb\r{RANK_ERROR}\n"))
    assert json.loads(json.dumps(wire)) == wire
    assert wire["input"] == {"lines": 3, "characters": len(RANK_ERROR) + 6, "truncated": False}
    assert wire["failures"][0]["initiating"]["line"] == 3
    assert wire["failures"][0]["initiating"]["text"] == RANK_ERROR
    assert wire["index"] == {"schema": "1.0", "entries": 5, "digest": made.digest}


def test_every_span_of_the_evidence_lies_in_its_line(ask: Ask) -> None:
    text = f"\x1b[31m(EngineCore pid=3) \x1b[0m{RANK_ERROR}\n"
    wire = to_wire(ask(text))
    first = wire["failures"][0]["hypotheses"][0]["evidence"][0]
    line = text.splitlines()[0]
    assert line[first["start"] : first["end"]] == "LoRA rank 64 is greater than max_lora_rank 16"


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ([], "must be an object"),
        ({"colour": {}}, "no field 'colour'"),
        ({"versions": {"vllm": 1}}, "`given.versions`"),
        ({"outcomes": []}, "`given.outcomes`"),
        ({"components": "vllm"}, "`given.components`"),
    ],
)
def test_a_wrong_given_is_refused_with_a_sentence_that_names_the_field(value: Any, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        given_from_wire(value)


def test_what_is_given_is_echoed(ask: Ask, made: Index) -> None:
    given = {
        "versions": {"vllm": "0.11.0"},
        "components": ["vllm"],
        "outcomes": {"colour": "red"},
        "outputs": {},
    }
    wire = to_wire(ask(RANK_ERROR, **{**given, "components": ("vllm",)}))
    assert wire["given"] == given
    assert to_wire(diagnose(RANK_ERROR, made, given_from_wire(given)))["given"] == given


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema": "0.1"}'])
def test_an_index_that_cannot_be_used_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(BrokenIndex, match="kb build"):
        Index.from_json(text)


def test_a_missing_index_says_what_to_do(tmp_path: Any) -> None:
    with pytest.raises(BrokenIndex, match="kb build"):
        load_index(tmp_path / "index.json")


def test_a_rank_that_wrote_the_first_error_is_not_silent(ask: Ask) -> None:
    text = f"[rank0]: INFO step 1\n[rank1]: INFO step 1\n[rank1]: {RANK_ERROR}\n"
    failure = ask(text).failures[0]
    assert failure.initiating.process.rank == "1"
    assert "1" not in failure.silent_ranks
