"""Slash commands in the form that Mattermost and others send, proven by their token."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.chat_platform import LORA, SECRET, UNSURE
from tests.api.server_process import Running, serve

TOKEN, OTHER = "token-of-one-team", "token-of-another"


@pytest.fixture(scope="module")
def server(site_build: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    log = tmp_path_factory.mktemp("slash") / "server.log"
    with serve(site_build, log, slash_tokens=f"{TOKEN}, {OTHER}", site_url="https://kb.example/") as running:
        yield running


def post(server: Running, text: str, token: str = TOKEN) -> httpx.Response:
    form = {"token": token, "command": "/diagnose", "text": text, "user_name": "kim", "team_domain": "ml"}
    return httpx.post(f"{server.url}/api/bots/slash", data=form, timeout=3)


def press(server: Running, context: Any) -> httpx.Response:
    body = {"user_id": "u", "channel_id": "c", "post_id": "p", "context": context}
    return httpx.post(f"{server.url}/api/bots/slash", json=body, timeout=3)


@pytest.mark.parametrize("token", [TOKEN, OTHER])
def test_a_command_is_answered_at_once_to_the_person_alone(server: Running, token: str) -> None:
    answer = post(server, f"```\n{LORA}\n```", token).json()
    assert answer["response_type"] == "ephemeral"
    assert answer["text"].startswith("**[")
    assert "(https://kb.example/errors/vllm-lora-rank-exceeds-max/)" in answer["text"]
    assert "--max-lora-rank 64" in answer["text"]


def test_a_command_without_a_paste_says_what_to_do(server: Running) -> None:
    assert "Paste the traceback" in post(server, "").json()["text"]


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], "tökén", TOKEN + "," + OTHER])
def test_a_wrong_token_is_refused(server: Running, token: str) -> None:
    answer = post(server, LORA, token)
    assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json")


def test_a_button_leads_on_and_nobody_else_can_press_it(server: Running) -> None:
    message = post(server, UNSURE).json()
    actions = message["attachments"][0]["actions"]
    assert len(actions) > 1
    assert {each["integration"]["url"] for each in actions} == {"https://kb.example/api/bots/slash"}
    told = [press(server, each["integration"]["context"]).json()["ephemeral_text"] for each in actions]
    assert len(set(told)) > 1
    context = actions[0]["integration"]["context"]
    for forged in (
        {**context, "proof": "0" * 64},
        {**context, "state": "fb1.AAAA"},
        {**context, "proof": ""},
    ):
        assert press(server, forged).status_code == 401


def test_without_the_address_of_the_pages_there_are_no_buttons(start: Callable[..., Running]) -> None:
    answer = post(start(slash_tokens=TOKEN), UNSURE).json()
    assert "attachments" not in answer
    assert "How to tell" in answer["text"]


@pytest.mark.parametrize("context", [None, {}, "x", {"state": 1}, []])
def test_nonsense_does_no_harm(server: Running, context: Any) -> None:
    assert press(server, context).status_code in {400, 401}
    for body in (b"{", b"null", b"[" * 100_000):
        answer = httpx.post(
            f"{server.url}/api/bots/slash",
            content=body,
            headers={"Content-Type": "application/json"},
            timeout=3,
        )
        assert answer.status_code == 400
    assert "bug:" not in server.logged()


def test_secrets_and_mentions_of_a_paste_come_out_nowhere(server: Running) -> None:
    text = post(server, f"@all @channel token={SECRET}\n{LORA} {SECRET} @here @kim").json()["text"]
    assert SECRET not in text
    inside = False
    for line in text.split("\n"):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            assert "@" not in line.replace("@\u200b", "")
    assert "@here" in text  # in the block of code with the line, where it calls nobody
    assert SECRET not in server.logged() + json.dumps(text)


def test_without_its_tokens_it_is_not_there(running: Running) -> None:
    assert post(running, LORA).status_code == 404
