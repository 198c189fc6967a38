"""Answers for chats keep the platforms' limits, and nothing of a paste is markup, link or mention in them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.diagnose import diagnose
from kb.diagnose.diagnosis import NextOutcome
from kb.diagnose.index import Index, load_index
from kb.render.brief import Question, brief
from kb.render.chat import discord_message, slack, slack_message
from tests.proof.examples import Example, examples

SITE = "https://docs.example/"
EVIL = "<!channel> <@U123> <https://evil.example|x> @everyone @here *b* `c` ``` [x](https://evil.example)"
HOSTILE = st.text(st.sampled_from("<>@!&|*_`[]()#~ \n") | st.characters(codec="utf-8"), max_size=200)


@pytest.fixture(scope="module")
def index(build_dir: Path) -> Index:
    return load_index(build_dir / "index.json")


@pytest.mark.parametrize("example", examples()[::7], ids=str)
def test_answers_keep_the_limits_of_the_platforms(example: Example, index: Index) -> None:
    answer = brief(diagnose(example.text, index))
    slack, discord = slack_message(answer, SITE), discord_message(answer, SITE)
    assert len(slack["blocks"]) <= 50
    for block in slack["blocks"]:
        if block["type"] == "section":
            assert 0 < len(block["text"]["text"]) <= 3000
            assert block["text"]["text"].count("```") % 2 == 0
        if block["type"] == "header":
            assert 0 < len(block["text"]["text"]) <= 150
    (embed,) = discord["embeds"]
    assert len(embed["title"]) <= 256
    assert 0 < len(embed["description"]) <= 4096
    assert len(embed["fields"]) <= 25
    sizes = [len(each["name"]) + len(each["value"]) for each in embed["fields"]]
    assert len(embed["title"]) + len(embed["description"]) + sum(sizes) <= 6000
    assert all(
        0 < len(each["value"]) <= 1024 and each["value"].count("```") % 2 == 0 for each in embed["fields"]
    )
    assert discord["allowed_mentions"] == {"parse": []}


@settings(max_examples=50, deadline=None)
@given(evil=HOSTILE | st.just(EVIL))
def test_nothing_of_a_paste_is_markup_or_a_mention(index: Index, evil: str) -> None:
    flat = " ".join(evil.split())
    answer = brief(diagnose(f"foo.BarError: the toy {flat} broke {EVIL}\n", index))
    slack = json.dumps(slack_message(answer), ensure_ascii=False)
    assert not re.search(r"<[!@#h]", slack)
    described = discord_message(answer)["embeds"][0]["description"]
    outside = "".join(described.split("```")[::2])
    assert "@everyone" not in outside
    assert "](http" not in outside
    assert described.count("```") % 2 == 0


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("set max_lora_rank, then (a_b)", "set `max_lora_rank`, then (`a_b`)"),
        ("*.safetensors and __init__", "`*.safetensors` and `__init__`"),
        ("*two words* ~gone~", "`*two` `words*` `~gone~`"),
        ("`code` <!here> a&b", "'code' &lt;!here&gt; a&amp;b"),
        ("x_<y>.", "`x_&lt;y&gt;`."),
        ("plain  text\nstays", "plain  text\nstays"),
        ("_ * (~)", "`_` `*` (`~`)"),
    ],
)
def test_what_slack_would_take_for_markup_is_code(text: str, shown: str) -> None:
    assert slack(text) == shown


@given(HOSTILE)
def test_slack_formats_nothing_of_a_text(text: str) -> None:
    outside = "".join(slack(text).split("`")[::2])
    assert not re.search(r"[*_~<>]", outside)
    assert slack(text).count("`") % 2 == 0


@pytest.mark.parametrize(
    ("look", "run", "told"),
    [
        ("The last frame.", "nvidia-smi", "Which?\n```\nnvidia-smi\n```\n• full"),
        ("The last frame.", None, "Which?\nThe last frame.\n• full"),
        (None, None, "Which?\n• full"),
    ],
)
def test_a_check_says_what_to_run_or_where_to_look(
    look: str | None, run: str | None, told: str, index: Index
) -> None:
    asked = Question("memory", "Which?", look, run, (NextOutcome("full", "full", (), ()),))
    answer = replace(brief(diagnose("x", index)), question=asked)
    (field,) = discord_message(answer)["embeds"][0]["fields"]
    assert field["value"] == told
    shown = slack_message(answer)["blocks"][-1]["text"]["text"]
    assert shown.removeprefix("*How to tell:* ").replace("```", "") == told.replace("```\n", "").replace(
        "\n```", ""
    )
