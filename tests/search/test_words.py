"""Texts become the words that are indexed and looked up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search.words import LONGEST, root, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("max_lora_rank", ["max_lora_rank", "max", "lora", "rank"], id="snake case"),
        pytest.param("--max-loras", ["max_loras", "max", "loras"], id="a flag is the word of its argument"),
        pytest.param(
            "max_lora_rank=16",
            ["max_lora_rank_16", "max_lora_rank", "16", "max", "lora", "rank"],
            id="an assignment holds the name whole",
        ),
        pytest.param(
            "c10::DistBackendError",
            ["c10_distbackenderror", "c10", "distbackenderror", "dist", "backend", "error"],
            id="namespace and camel case",
        ),
        pytest.param(
            "adapter_config.json",
            ["adapter_config_json", "adapter_config", "json", "adapter", "config"],
            id="a file name",
        ),
        pytest.param("OOMKilled", ["oomkilled", "oom", "killed"], id="an acronym before a hump"),
        pytest.param("LoRA", ["lora"], id="two letters are no hump"),
        pytest.param("cuda12", ["cuda12", "cuda"], id="digits end a hump"),
        pytest.param(
            "Xid (PCI:0000:3b:00): 79", ["xid", "pci_0000_3b_00", "pci", "0000", "3b", "00", "79"], id="Xid"
        ),
        pytest.param("“exit code ‘137’”", ["exit", "code", "137"], id="quotes of all shapes"),
        pytest.param("r", ["r"], id="a key of one letter"),
        pytest.param("ﬁle ＧＰＵ", ["file", "gpu"], id="ligatures and wide letters"),
        pytest.param("ERREUR Mémoire", ["erreur", "mémoire"], id="accents"),
        pytest.param(" \t\n ... -- :: ()", [], id="punctuation alone"),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


def test_words_longer_than_anyone_types_are_left_out() -> None:
    assert list(words("a" * (LONGEST + 1) + " " + "b" * LONGEST)) == ["b" * LONGEST]


def test_words_that_no_entry_is_about_are_left_out() -> None:
    assert list(words("How do I fix the time-out of it, if it does not stop?")) == [
        "fix", "time_out", "time", "out", "not", "stop",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "shared"),
    [
        (("hanging", "hangs", "hanged", "hang"), "hang"),
        (("stopped", "stopping", "stops"), "stop"),
        (("allocation", "allocations"), "alloc"),
        (("memory", "memories"), "memor"),
        (("max_loras", "été", "x86"), None),
    ],
)
def test_forms_of_a_word_share_its_root_and_names_have_none(
    words: tuple[str, ...], shared: str | None
) -> None:
    assert [root(word) for word in words] == [shared or word for word in words]


@given(st.text())
def test_any_text_gives_words_without_white_space_or_capitals(text: str) -> None:
    for word in words(text):
        assert word
        assert word == word.casefold()
        assert not any(character.isspace() for character in word)
