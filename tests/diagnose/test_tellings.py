"""What a person tells above a log that shows it gives way to the log."""

from collections.abc import Callable

import pytest

from kb.diagnose.diagnosis import Diagnosis

Ask = Callable[..., Diagnosis]

ERROR = "ValueError: LoRA rank 64 is greater than max_lora_rank 16."
LOG = f"INFO 11-24 03:41:10 core.py:7] loading\n{ERROR}\n"


def lines_of(answer: Diagnosis) -> list[int]:
    return [failure.initiating.line for failure in answer.failures]


@pytest.mark.parametrize(
    "told",
    [
        "My server says LoRA rank 64 is greater than max_lora_rank 16. What is that?",
        "[Bug]: LoRA rank 64 is greater than max_lora_rank 16.",
        "[BUG] ValueError: LoRA rank 64 is greater than max_lora_rank 16.",
        "加载适配器的时候报 LoRA rank 64 is greater than max_lora_rank 16.",
    ],
)
def test_the_line_of_the_log_is_named_and_not_the_sentence_that_tells_it(ask: Ask, told: str) -> None:
    assert lines_of(ask(f"{told}\n\n{LOG}")) == [4]


def test_a_sentence_alone_is_still_believed(ask: Ask) -> None:
    told = "My server says LoRA rank 64 is greater than max_lora_rank 16. What is that?"
    assert lines_of(ask(f"{told}\n\nINFO 11-24 03:41:10 core.py:7] loading\n")) == [1]


def test_a_sentence_below_the_log_is_no_failure_of_its_own(ask: Ask) -> None:
    told = "I get LoRA rank 64 is greater than max_lora_rank 16. What is that?"
    assert lines_of(ask(f"{LOG}\n{told}\n")) == [2]


def test_a_line_of_a_program_gives_way_to_no_other(ask: Ask) -> None:
    assert lines_of(ask(f"(Worker_TP0 pid=7) {ERROR}\n(Worker_TP1 pid=8) {ERROR}\n")) == [1]
