"""The paste is found in what chats make of it, and only the platform's own addresses are asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.bots.paste import from_discord, from_file, from_slack
from api.bots.platform import is_of
from kb.render.chat import without_mentions

TRACE = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: '<pad> & </s>'"


def as_slack(text: str) -> str:
    """Text as Slack hands it on."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@pytest.mark.parametrize(
    ("message", "paste"),
    [
        (as_slack(TRACE), TRACE),
        (f"<@U0BOT> what is this?\n```{as_slack(TRACE)}```\nthanks", TRACE),
        (f"<@U0BOT>   {as_slack(TRACE)}", TRACE),
        ("GET <https://x.example/v1|x.example/v1> 500", "GET x.example/v1 500"),
        ("GET <https://x.example/v1> 500", "GET https://x.example/v1 500"),
        ("ask <mailto:kim@x.example|kim@x.example> in <#C1|ops>", "ask kim@x.example in ops"),
        ("<!channel> it fails", "it fails"),
        ("in <module> as it stands", "in <module> as it stands"),
        ("```a\n```\nand\n```b```", "a\nb"),
        ("```Killed\nexit 137```", "Killed\nexit 137"),
        ("", ""),
    ],
)
def test_a_text_of_slack_is_as_it_was_typed(message: str, paste: str) -> None:
    assert from_slack(message) == paste


@given(st.text(st.characters(blacklist_characters="`")))
def test_any_text_survives_slack(text: str) -> None:
    assert from_slack(f"```{as_slack(text)}```") == text.strip("\n") or not text.strip() or "@" in text


@pytest.mark.parametrize(
    ("message", "paste"),
    [
        (f"```py\n{TRACE}\n```", TRACE),
        ("<@123> <@&45> why", "why"),
        ("```\n\n```", "```\n\n```"),
        ("```\nunfinished", "unfinished"),
    ],
)
def test_a_text_of_discord_is_as_it_was_typed(message: str, paste: str) -> None:
    assert from_discord(message) == paste.strip()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_in_the_usual_encodings(encoding: str) -> None:
    assert from_file("Fehler: größer".encode(encoding), "a.log", 1000) == "Fehler: größer"


API = "https://slack.com/api/"
HOSTS = ("slack.com",)


@pytest.mark.parametrize(
    ("url", "ours"),
    [
        ("https://files.slack.com/files-pri/T1-F1/a.log", True),
        ("https://slack.com/x", True),
        ("https://notslack.com/x", False),
        ("https://slack.com.evil.example/x", False),
        ("http://files.slack.com/x", False),
        ("https://files.slack.com@evil.example/x", False),
        ("https://evil.example#.slack.com", False),
        ("https://evil.example\\.slack.com/", False),
        ("https://files.slack.com:8443/x", True),
        ("https://[::1", False),
        ("ftp://files.slack.com/x", False),
        ("//files.slack.com/x", False),
        ("", False),
    ],
)
def test_only_the_platform_is_asked(url: str, ours: bool) -> None:
    assert is_of(url, API, HOSTS) is ours


def test_blocks_of_code_keep_what_elsewhere_would_call_somebody() -> None:
    text = "hey @all\n```bash\nssh kim@host\n```\n@here"
    assert without_mentions(text) == "hey @\u200ball\n```bash\nssh kim@host\n```\n@\u200bhere"
