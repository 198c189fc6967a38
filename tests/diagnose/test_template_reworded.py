"""A message in the words of another release is found, and what only sounds like it is not."""

import pytest

from kb.diagnose.template import find, find_reworded, parse, prepare

SLOTS = (
    "No available buffer slots found. Please ensure the number of active loras is less than "
    "max_loras_per_batch ({limit:int})"
)
FREE = "Free memory on device ({free:num}/{total:num} GiB) on startup is less than desired memory utilization"
STORE = "{who:word} is setting up NCCL communicator and retrieving ncclUniqueId but got error: Socket Timeout"
EXIT = "torch elastic agent: worker failed with exitcode 137 on local_rank {n:int}"
KEY = "LoraConfig.__init__() got an unexpected keyword argument '{key:word}'"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (SLOTS, SLOTS.replace("active loras", "active (pinned) loras").replace("{limit:int}", "8")),
        (
            SLOTS,
            SLOTS.replace("loras is", "lora is")
            .replace("Please ensure", "Please make sure")
            .replace("{limit:int}", "8"),
        ),
        (
            FREE,
            FREE.replace("({free:num}/{total:num}", "cuda:0 (11.20/79.11"),
        ),
    ],
    ids=["a word more", "another word", "a value more"],
)
def test_a_message_in_slightly_other_words_is_found(template: str, text: str) -> None:
    prepared = prepare(f"ValueError: {text}. See the log.")
    assert find(parse(template), prepared) is None
    found = find_reworded(parse(template), prepared)
    assert found is not None
    assert found.quality == "variant"
    assert found.matched <= 4.5


@pytest.mark.parametrize(
    ("text", "captures"),
    [
        ("Free memory on the device (11.20/79.11 GiB) on startup", {"free": "11.20", "total": "79.11"}),
        ("Free memory on device cuda:0 (11.20/79.11 GiB) on startup", {}),
    ],
    ids=["as many values", "a value more"],
)
def test_values_are_taken_only_where_it_is_sure_which_is_which(text: str, captures: dict[str, str]) -> None:
    found = find_reworded(parse(FREE), prepare(f"{text} is less than the desired memory utilization"))
    assert found is not None
    assert found.captures == captures


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (STORE, STORE.replace("Socket Timeout", "Connection reset by peer").replace("{who:word}", "[1]")),
        (SLOTS, SLOTS.replace("ensure", "not ensure").replace("{limit:int}", "8")),
        (SLOTS, "Please ensure the number of active users is less than the number of slots in the batch."),
        (EXIT, EXIT.replace("137", "1").replace("{n:int}", "3")),
        (KEY, KEY.replace("LoraConfig", "TrainingArguments").replace("{key:word}", "eva")),
    ],
    ids=["another end", "a negation", "common words alone", "another number", "another name"],
)
def test_what_says_another_thing_is_not_found(template: str, text: str) -> None:
    assert find_reworded(parse(template), prepare(text)) is None


def test_the_words_of_a_hostile_text_are_looked_at_within_limits() -> None:
    text = "active loras max_loras_per_batch " * 20_000
    assert find_reworded(parse(SLOTS), prepare(text)) is None
