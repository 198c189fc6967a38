"""How evidence adds up to confidence, and when the matcher is silent."""

from collections.abc import Callable

import pytest

from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Diagnosis, Hypothesis
from kb.diagnose.index import Index

Ask = Callable[..., Diagnosis]

RANK_ERROR = "LoRA rank 64 is greater than max_lora_rank 16."
FRAME = (
    "Traceback (most recent call last):\n"
    '  File "/srv/{path}", line 90, in validate_legal\n'
    "    raise ValueError(message)\n"
    "{type}: " + RANK_ERROR + "\n"
)


def best(answer: Diagnosis) -> Hypothesis:
    return answer.failures[0].hypotheses[0]


def test_evidence_names_the_line_and_the_place_of_the_message(ask: Ask) -> None:
    item = best(ask(f"starting\nValueError: {RANK_ERROR}\n")).evidence[0]
    assert (item.line, item.start, item.end) == (2, 12, 57)
    assert item.captures == {"rank": "64", "limit": "16"}


def test_the_raising_frame_speaks_for_the_entry_or_against_it(ask: Ask) -> None:
    right = best(ask(FRAME.format(path="vllm/lora/peft_helper.py", type="ValueError")))
    wrong = best(ask(FRAME.format(path="sglang/srt/lora/layers.py", type="ValueError")))
    assert right.entry_confidence > 0.98
    assert wrong.entry_confidence < right.entry_confidence
    assert any("no frame of vllm" in item.note and item.weight < 0 for item in wrong.evidence)


@pytest.mark.parametrize(
    "left_out", ["...", "    [\u2026]", "... 8 lines omitted ...", "<12 frames skipped>"]
)
def test_the_raising_frame_may_be_among_lines_that_were_left_out(ask: Ask, left_out: str) -> None:
    text = FRAME.format(path="finetune.py", type="ValueError")
    head, _, message = text.rstrip().rpartition("\n")
    shortened = best(ask(f"{head}\n{left_out}\n{message}\n"))
    assert not any("no frame of vllm" in item.note for item in shortened.evidence)
    assert shortened.entry_confidence > best(ask(text)).entry_confidence


def test_a_frame_elsewhere_in_the_package_speaks_less_against_it_than_none_of_it(ask: Ask) -> None:
    moved = best(ask(FRAME.format(path="vllm/adapters/helper.py", type="ValueError")))
    foreign = best(ask(FRAME.format(path="toys/helper.py", type="ValueError")))
    assert foreign.entry_confidence < moved.entry_confidence
    assert any("not raised in" in item.note for item in moved.evidence)


def test_another_exception_class_with_frames_speaks_against_the_entry(ask: Ask) -> None:
    answer = best(ask(FRAME.format(path="vllm/lora/peft_helper.py", type="KeyError")))
    assert any(item.note == "raised as KeyError, not ValueError" for item in answer.evidence)


def test_a_score_is_the_sum_of_its_evidence(ask: Ask) -> None:
    alone = ask(f"ValueError: {RANK_ERROR}")
    with_version = ask(f"vllm==0.5.1\nValueError: {RANK_ERROR}")
    notes = {item.note for item in best(with_version).evidence} - {item.note for item in best(alone).evidence}
    assert "vllm 0.5.1 does not emit this wording" in notes
    assert best(with_version).entry_confidence < best(alone).entry_confidence


def test_a_given_version_overrides_the_one_in_the_paste(ask: Ask) -> None:
    answer = ask(f"vllm==0.5.1\nValueError: {RANK_ERROR}", versions={"vllm": "0.11.0"})
    assert any("vllm 0.11.0 emits" in item.note for item in best(answer).evidence)


def test_a_version_in_which_a_cause_is_impossible_speaks_against_it(ask: Ask) -> None:
    text = f'"rank_pattern": {{}}\nValueError: {RANK_ERROR}'
    old, new = ask(text, versions={"vllm": "0.20.0"}), ask(text, versions={"vllm": "0.32.0"})
    assert best(new).cause == "pattern"
    assert best(old).cause == "limit"
    against = [
        item for h in old.failures[0].hypotheses for item in h.evidence if "cannot be the reason" in item.note
    ]
    assert [(item.line, item.weight < 0) for item in against] == [(None, True)]


def test_causes_share_the_confidence_of_their_entry(ask: Ask) -> None:
    hypotheses = ask(f"ValueError: {RANK_ERROR}").failures[0].hypotheses
    assert {h.cause for h in hypotheses} == {"limit", "pattern"}
    assert sum(h.confidence for h in hypotheses) == pytest.approx(hypotheses[0].entry_confidence, abs=0.002)


def test_a_tell_turns_the_causes_round(ask: Ask) -> None:
    answer = ask(f'adapter_config.json: "rank_pattern": {{"q_proj": 64}}\nValueError: {RANK_ERROR}')
    assert best(answer).cause == "pattern"
    assert any(item.note == "a pattern" and item.line == 1 for item in best(answer).evidence)


@pytest.mark.parametrize(
    ("unallocated", "cause"), [("3.00 GiB", "pieces"), ("100.00 MiB", "full"), (None, "full")]
)
def test_comparisons_over_captures_decide_and_a_missing_capture_is_unknown(
    ask: Ask, unallocated: str | None, cause: str
) -> None:
    tail = f" and {unallocated} is reserved by PyTorch but unallocated" if unallocated else ""
    text = (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU  has a total "
        f"capacity of 79.15 GiB{tail}."
    )
    assert best(ask(text)).cause == cause


@pytest.mark.parametrize(
    "text",
    [
        "ValueError: Cannot compute rank 2 of a tensor, it is greater than the maximum",
        "java.lang.OutOfMemoryError: Java heap space",
        "The server reported: rank is greater than limit",
        "Documentation: `LoRA rank X is greater than max_lora_rank Y` means that the limit is too low.",
        "",
        "\n\n\n",
    ],
)
def test_closeness_of_words_alone_is_never_enough(ask: Ask, text: str) -> None:
    answer = ask(text)
    assert answer.verdict == "no_match"
    assert answer.best is None


def test_a_message_cut_at_the_end_is_found_with_lower_confidence(ask: Ask) -> None:
    whole = best(ask(f"ValueError: {RANK_ERROR}"))
    cut = best(ask("ValueError: LoRA rank 64 is greater than max_lora"))
    assert (whole.quality, cut.quality) == ("exact", "partial")
    assert cut.entry_confidence < whole.entry_confidence


def test_an_unknown_failure_is_named_with_its_kind(ask: Ask) -> None:
    answer = ask("ModuleNotFoundError: No module named 'flash_attn'")
    first = answer.failures[0].initiating
    assert (answer.verdict, first.type, first.kind) == ("no_match", "ModuleNotFoundError", "environment")


def entry_weights(answer: Diagnosis, part: str) -> list[float]:
    """Weights of the best hypothesis' evidence whose note holds a text."""
    return [item.weight for item in best(answer).evidence if part in item.note]


def test_each_kind_of_evidence_pulls_in_its_direction(ask: Ask) -> None:
    """A weight that became nothing, or changed its sign, fails here."""
    right = ask(FRAME.format(path="vllm/lora/peft_helper.py", type="ValueError"), versions={"vllm": "0.11.0"})
    wrong = ask(FRAME.format(path="other/place.py", type="KeyError"), versions={"vllm": "0.5.0"})
    for part in (
        "the message",
        "raised in",
        "raised as ValueError",
        "emits this wording",
        "is named in the paste",
    ):
        assert all(weight > 0.2 for weight in entry_weights(right, part)), part
        assert entry_weights(right, part), part
    for part in ("no frame of", "raised as KeyError", "does not emit"):
        assert all(weight < -0.5 for weight in entry_weights(wrong, part)), part
        assert entry_weights(wrong, part), part


def test_the_component_that_the_person_names_counts_both_ways(ask: Ask) -> None:
    text = f"ValueError: {RANK_ERROR}"
    same, other = ask(text, components=("vllm",)), ask(text, components=("sglang",))
    assert entry_weights(same, "component as given")[0] > 0
    assert entry_weights(other, "component as given")[0] < 0


def test_the_paste_of_another_stack_speaks_against_an_entry(ask: Ask) -> None:
    answer = ask(f'  File "/opt/sglang/srt/server.py", line 3, in load\n    go()\nValueError: {RANK_ERROR}')
    assert entry_weights(answer, "the paste is of sglang")[0] < 0


def test_a_second_signature_of_an_entry_adds_a_little(two_signatures: Index) -> None:
    one = diagnose("RuntimeError: the toy adapter slots overflowed", two_signatures)
    both = diagnose(
        "WARNING: toy adapter registry is crowded\nRuntimeError: the toy adapter slots overflowed",
        two_signatures,
    )
    assert best(both).entry_confidence > best(one).entry_confidence


def test_the_same_error_twenty_thousand_times_is_weighed_a_bounded_number_of_times(ask: Ask) -> None:
    few, many = ask(f"ValueError: {RANK_ERROR}\n" * 300), ask(f"ValueError: {RANK_ERROR}\n" * 20_000)
    assert best(few).entry_confidence == best(many).entry_confidence
    assert len(best(many).evidence) == len(best(few).evidence)


LATER = (
    "epoch 2 loss 1.9\n"
    "Traceback (most recent call last):\n"
    '  File "/srv/train.py", line 71, in main\n'
    '    best = metrics["val_loss"]\n'
    "KeyError: 'val_loss'\n"
)


def test_a_notice_that_the_run_outlived_is_believed_less(ask: Ask) -> None:
    notice = f"WARNING {RANK_ERROR}\n"
    alone, outlived = best(ask(notice)), best(ask(notice + LATER))
    assert any("went on after this notice" in item.note and item.line == 6 for item in outlived.evidence)
    assert outlived.entry_confidence < alone.entry_confidence - 0.3


def test_an_end_that_names_the_component_may_have_followed_from_the_notice(ask: Ask) -> None:
    ended = LATER.replace("KeyError: 'val_loss'", "RuntimeError: vLLM gave up")
    notes = [item.note for item in best(ask(f"WARNING {RANK_ERROR}\n{ended}")).evidence]
    assert not any("went on after this notice" in note for note in notes)


def test_prose_before_a_message_is_believed_less_and_columns_of_a_table_are_not_prose(ask: Ask) -> None:
    told = best(ask(f"I keep getting {RANK_ERROR}\n")).evidence[0].weight
    row = best(ask(f"server-3    Failed    4m12s    stopped as {RANK_ERROR}\n")).evidence[0].weight
    assert told < row == best(ask(f"ValueError: {RANK_ERROR}\n")).evidence[0].weight


def test_an_error_is_believed_whatever_comes_after_it(ask: Ask) -> None:
    error = FRAME.format(path="vllm/lora/peft_helper.py", type="ValueError")
    assert best(ask(error + LATER)).entry_confidence == best(ask(error)).entry_confidence


TORCH_SAYS = "RuntimeError: The size of tensor a (4096) must match the size of tensor b (3072)\n"
RAISED_IN_TOY = '  File "/opt/toy/slots.py", line 9, in put\n    self.toy_slots[0][index].copy_(weights)\n'


def test_a_source_line_tells_whose_message_it_is_when_anybody_may_say_it(by_source: Index) -> None:
    text = f"Traceback (most recent call last):\n{RAISED_IN_TOY}{TORCH_SAYS}"
    answer = diagnose(text, by_source)
    assert answer.verdict == "match"
    assert answer.failures[0].initiating.line == 4
    assert best(answer).evidence[0].line == 3
    assert diagnose(text.replace("toy_slots", "other"), by_source).verdict == "no_match"


def test_a_general_wording_gives_way_to_one_that_says_more_of_the_text(
    index_of: Callable[..., Index],
) -> None:
    both = index_of(
        general="{tensor:word} is unsupported LoRA weight",
        special="lm_head.weight is unsupported LoRA weight",
    )
    answer = diagnose("ValueError: lm_head.weight is unsupported LoRA weight", both)
    assert best(answer).entry == "special"
    general = next(h for h in answer.failures[0].hypotheses if h.entry == "general")
    assert any("says more of this text" in item.note for item in general.evidence)
    assert best(diagnose("ValueError: q_proj.bias is unsupported LoRA weight", both)).entry == "general"


def test_a_consequence_is_not_sold_as_the_answer_below_an_error_that_was_not_read(ask: Ask) -> None:
    wrapper = "RuntimeError: Engine core initialization failed. See root cause above.\n"
    unread = "(ENGINECORE PID=7) | VA1UEERR0R : N0 AVAI1AB1E MEM0RY F0R THE CACHE B10CKS\n"
    alone, below = best(ask(wrapper)), best(ask(unread + wrapper))
    assert below.entry_confidence < alone.entry_confidence
    assert any("could not be read" in item.note and item.line == 1 for item in below.evidence)


def test_the_end_of_a_message_behind_another_class_is_no_cut_message(index_of: Callable[..., Index]) -> None:
    nvml = index_of(nvml="Failed to initialize NVML: Driver/library version mismatch")
    foreign = diagnose("java.sql.SQLException: Driver/library version mismatch: driver 9 server 8", nvml)
    assert foreign.failures[0].hypotheses == ()
    led = index_of(nvml="NVMLError_Mismatch: Driver/library version mismatch")
    assert diagnose("pynvml.NVMLError_Mismatch: Driver/library version mismatch", led).verdict == "match"


def test_a_failure_named_in_the_same_message_goes_before_its_consequence(made: Index, ask: Ask) -> None:
    both = (
        "RuntimeError: Engine core initialization failed. See root cause above. CUDA out of memory. Tried to "
    )
    answer = ask(f"{both}allocate 20.00 MiB. GPU 0 has a total capacity of 79.11 GiB")
    assert best(answer).entry == "memory"


def test_a_warning_with_the_words_of_an_exception_is_believed_less(ask: Ask) -> None:
    raised, warned = (
        best(ask(f"ValueError: {RANK_ERROR}")),
        best(ask(f"WARNING 11-24 03:41:10 core.py:7] {RANK_ERROR}")),
    )
    assert any("only a warning here" in item.note for item in warned.evidence)
    assert warned.entry_confidence < raised.entry_confidence


def test_a_text_that_anybody_may_print_counts_only_with_its_frame(needs_frame: Index) -> None:
    message = "UnpicklingError: pickle data was truncated\n"
    frame = '  File "/opt/torch/serialization.py", line 9, in load\n    pickle.load(f)\n'
    assert diagnose(message, needs_frame).verdict == "no_match"
    assert diagnose(f"Traceback (most recent call last):\n{frame}{message}", needs_frame).verdict == "match"
    assert diagnose(f"/opt/torch/serialization.py in load(f)\n{message}", needs_frame).verdict == "match"


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        ("/opt/torch/serialization/reader.py", "match"),
        ("torch/serialization/deep/reader.py", "match"),
        ("/opt/torch/serialization.py", "no_match"),
        ("/opt/mytorch/serialization/reader.py", "no_match"),
    ],
)
def test_a_folder_is_named_by_any_frame_below_it(in_folder: Index, path: str, verdict: str) -> None:
    trace = f'Traceback (most recent call last):\n  File "{path}", line 9, in load\n    pickle.load(f)\n'
    assert diagnose(f"{trace}UnpicklingError: pickle data was truncated\n", in_folder).verdict == verdict


def test_the_release_without_the_failure_is_named_with_its_package(in_folder: Index) -> None:
    trace = 'Traceback (most recent call last):\n  File "/opt/torch/serialization/a.py", line 9, in load\n'
    answer = diagnose(f"{trace}UnpicklingError: pickle data was truncated\n", in_folder)
    assert best(answer).fixed_in == "torch 2.1"


def test_a_paste_that_ends_inside_a_message_may_be_the_beginning_of_a_longer_one(
    index_of: Callable[..., Index],
) -> None:
    two = index_of(
        off="Adapters are not enabled",
        flag="Adapters are not enabled in the engine. Please set the flag before {name:word} is loaded",
    )
    cut, whole = "Adapters are not enabled in the engine. Please set the", "Adapters are not enabled"
    assert best(diagnose(f"ValueError: {cut}", two)).entry == "flag"
    assert best(diagnose(f"ValueError: {whole}", two)).entry == "off"
    assert best(diagnose(f"ValueError: {cut}\nINFO: the server goes on\n", two)).entry == "off"


def test_a_few_words_count_with_their_exception_class_only(make_one: Callable[..., Index]) -> None:
    index = make_one("Socket Timeout", exception="torch.distributed.DistNetworkError")
    assert diagnose("torch.distributed.DistNetworkError: Socket Timeout", index).verdict != "no_match"
    assert diagnose("error: Socket Timeout", index).verdict == "no_match"
    assert diagnose("redis.exceptions.TimeoutError: Socket Timeout", index).verdict == "no_match"


def test_what_says_that_it_is_an_error_is_not_found_in_a_warning(make_one: Callable[..., Index]) -> None:
    index = make_one("fused experts are not supported by this release", level="error")
    assert (
        diagnose("AssertionError: fused experts are not supported by this release", index).verdict == "match"
    )
    warned = "WARNING 08-20 15:11:40 [models.py:53] fused experts are not supported by this release"
    assert diagnose(warned, index).verdict == "no_match"
