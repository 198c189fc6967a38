"""Slack's requests, really signed, to a real server; Slack itself is a server on this machine."""

import gzip
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from tests.api.chat_platform import JSON, LORA, SECRET, UNSURE, Asked, Chat, platform
from tests.api.server_process import Running, serve

SIGNING = "0123456789abcdef-of-the-test"
TOKEN = "xoxb-1-of-the-test"
POST = "/api/chat.postMessage"


class Slack(Chat):
    """What Slack sends."""

    def send(self, body: bytes, media: str, **headers: str) -> httpx.Response:
        """A signed request."""
        stamp = headers.pop("stamp", str(int(time.time())))
        signed = hmac.new(SIGNING.encode(), f"v0:{stamp}:".encode() + body, hashlib.sha256).hexdigest()
        all_headers = {
            "Content-Type": media,
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": headers.pop("signature", f"v0={signed}"),
            **headers,
        }
        return self.deliver("slack", body, all_headers)

    def form(self, **fields: str) -> httpx.Response:
        return self.send(urlencode(fields).encode(), "application/x-www-form-urlencoded")

    def interact(self, **payload: Any) -> httpx.Response:
        return self.form(payload=json.dumps({"team": {"id": "T1"}, "user": {"id": "U1"}, **payload}))

    def event(self, event: dict[str, Any], **headers: str) -> httpx.Response:
        body = {"type": "event_callback", "team_id": "T1", "event_id": "E1", "event": event}
        return self.send(json.dumps(body).encode(), "application/json", **headers)

    @property
    def response_url(self) -> str:
        return f"{self.platform.url}/commands/1"


@pytest.fixture(scope="module")
def connected(site_build: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slack]:
    log = tmp_path_factory.mktemp("slack") / "server.log"
    with platform() as made:
        settings = {
            "slack_signing_secret": SIGNING,
            "slack_bot_token": TOKEN,
            "slack_api_url": f"{made.url}/api/",
            "site_url": "https://kb.example/",
        }
        with serve(site_build, log, **settings) as server:
            yield Slack(server, made)


@pytest.fixture
def slack(connected: Slack) -> Slack:
    """Slack, which has not been asked anything yet."""
    connected.platform.forget()
    return connected


def command(slack: Slack, text: str) -> httpx.Response:
    return slack.form(
        command="/diagnose", text=text, team_id="T1", user_id="U1", response_url=slack.response_url
    )


def mention(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "app_mention", "channel": "C1", "user": "U1", "ts": "17.1", "text": text, **more}


def all_text(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False)


def within_limits(message: dict[str, Any]) -> bool:
    """Block Kit's: docs.slack.dev/reference/block-kit."""
    for block in message["blocks"]:
        if block["type"] == "header":
            assert len(block["text"]["text"]) <= 150
        elif block["type"] == "section":
            assert 1 <= len(block["text"]["text"]) <= 3000
        elif block["type"] == "actions":
            assert 1 <= len(block["elements"]) <= 25
            assert len({each["action_id"] for each in block["elements"]}) == len(block["elements"])
            for element in block["elements"]:
                assert len(element["text"]["text"]) <= 75
                assert len(element.get("value", "")) <= 2000
                assert len(element.get("url", "")) <= 3000
    return len(message["blocks"]) <= 50


def buttons(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for block in message["blocks"] if block["type"] == "actions" for each in block["elements"]]


def test_a_command_is_acknowledged_and_answered_to_the_person_alone(slack: Slack) -> None:
    acknowledged = command(slack, f"```{LORA}```")
    assert (acknowledged.status_code, acknowledged.text) == (200, "")
    answer = slack.platform.wait("/commands/1").value
    assert answer["response_type"] == "ephemeral"
    assert within_limits(answer)
    text = all_text(answer)
    for part in ("LoRA rank is greater", "line 1", "LoRA rank 64", "--max-lora-rank 64"):
        assert part in text
    assert buttons(answer)[-1]["url"] == "https://kb.example/errors/vllm-lora-rank-exceeds-max/"


def test_a_command_without_a_paste_says_what_to_do(slack: Slack) -> None:
    answer = command(slack, "  ")
    assert "Paste the traceback" in answer.text
    assert slack.platform.asked == []


def test_the_shortcut_answers_in_the_thread(slack: Slack) -> None:
    message = {"type": "message", "ts": "17.5", "text": f"look:\n```\n{LORA}\n```\nany idea?"}
    answer = slack.interact(
        type="message_action", callback_id="diagnose", channel={"id": "C1"}, message=message,
        response_url=slack.response_url,
    )  # fmt: skip
    assert answer.status_code == 200
    posted = slack.platform.wait(POST)
    assert posted.headers["authorization"] == f"Bearer {TOKEN}"
    assert (posted.value["channel"], posted.value["thread_ts"]) == ("C1", "17.5")
    assert "max_lora_rank" in all_text(posted.value)


def test_the_shortcut_answers_the_person_where_the_bot_is_not_in_the_channel(slack: Slack) -> None:
    slack.platform.answers[POST] = (200, JSON, b'{"ok": false, "error": "not_in_channel"}')
    message = {"type": "message", "ts": "17.5", "text": LORA}
    slack.interact(
        type="message_action", callback_id="diagnose", channel={"id": "C1"}, message=message,
        response_url=slack.response_url,
    )  # fmt: skip
    assert slack.platform.wait("/commands/1").value["response_type"] == "ephemeral"


def test_a_mention_with_a_snippet_is_answered(slack: Slack) -> None:
    assert (
        slack.event(mention(f"<@U0BOT> what is this?\n```{LORA.replace('>', '&gt;')}```")).status_code == 200
    )
    posted = slack.platform.wait(POST).value
    assert posted["thread_ts"] == "17.1"
    assert within_limits(posted)
    assert "--max-lora-rank 64" in all_text(posted)


def file_event(slack: Slack, name: str, **more: Any) -> dict[str, Any]:
    file = {
        "id": "F1",
        "name": name,
        "mimetype": "text/plain",
        "url_private_download": f"{slack.platform.url}/{name}",
    }
    return mention("<@U0BOT>", files=[{**file, **more}])


def with_token(content: bytes) -> Callable[[Asked], tuple[int, dict[str, str], bytes]]:
    """A file that only the bot may read, as Slack's are."""

    def answer(asked: Asked) -> tuple[int, dict[str, str], bytes]:
        if asked.headers.get("authorization") == f"Bearer {TOKEN}":
            return 200, {"Content-Type": "text/plain"}, content
        return 302, {"Location": "/login"}, b""

    return answer


@pytest.mark.parametrize("packed", [False, True])
def test_an_attached_log_is_read_with_the_token(slack: Slack, packed: bool) -> None:
    log = "\n".join(["INFO step"] * 3000 + [LORA]).encode()
    name = "job.log.gz" if packed else "job.log"
    slack.platform.answers[f"/{name}"] = with_token(gzip.compress(log) if packed else log)
    slack.event(file_event(slack, name))
    assert "line 3001" in all_text(slack.platform.wait(POST).value)


def test_a_file_that_slack_shows_only_on_demand_is_asked_for(slack: Slack) -> None:
    file = {"id": "F1", "name": "a.log", "url_private_download": f"{slack.platform.url}/a.log"}
    slack.platform.answers["/api/files.info"] = (200, JSON, json.dumps({"ok": True, "file": file}).encode())
    slack.platform.answers["/a.log"] = with_token(LORA.encode())
    slack.event(mention("<@U0BOT>", files=[{"id": "F1", "file_access": "check_file_info"}]))
    assert "max_lora_rank" in all_text(slack.platform.wait(POST).value)


@pytest.mark.parametrize("queue", [0, 1])
def test_who_asks_while_too_much_is_under_way_is_told(start: Callable[..., Running], queue: int) -> None:
    with platform() as made:
        api = f"{made.url}/api/"
        slack = Slack(
            start(slack_signing_secret=SIGNING, slack_bot_token=TOKEN, slack_api_url=api, queue=queue), made
        )
        go_on = threading.Event()
        made.answers["/job.log"] = lambda _: (200, {}, LORA.encode() if go_on.wait(20) else b"")
        assert slack.event(file_event(slack, "job.log")).status_code == 200
        made.wait("/job.log")
        assert command(slack, LORA).status_code == 200
        assert "Too many pastes" in made.wait("/commands/1").value["text"]
        go_on.set()
        assert "max_lora_rank" in all_text(made.wait(POST).value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"mimetype": "image/png"}, "picture"),
        ({"url_private_download": "https://elsewhere.example/job.log"}, "not on Slack"),
        ({"url_private_download": "http://files.slack.com/job.log"}, "not on Slack"),
        ({"url_private_download": "file:///etc/passwd"}, "not on Slack"),
        ({"url_private_download": "https://user@files.slack.com/x"}, "not on Slack"),
        ({}, "answered 302"),
    ],
)
def test_a_file_that_cannot_be_read_is_said(slack: Slack, more: dict[str, str], said: str) -> None:
    slack.platform.answers["/job.log"] = lambda _: (302, {"Location": "/login"}, b"")
    slack.event(file_event(slack, "job.log", **more))
    assert said in slack.platform.wait(POST).value["text"]
    assert not [asked for asked in slack.platform.asked if asked.path == "/login"]


def test_a_file_above_the_limit_is_said(start: Callable[..., Running]) -> None:
    with platform() as made:
        server = start(
            slack_signing_secret=SIGNING,
            slack_bot_token=TOKEN,
            slack_api_url=f"{made.url}/api/",
            max_body=5000,
        )
        slack = Slack(server, made)
        made.answers["/job.log"] = with_token(b"x" * 6000)
        slack.event(file_event(slack, "job.log"))
        assert "larger than 5,000 bytes" in made.wait(POST).value["text"]


def test_buttons_lead_from_check_to_check_without_the_paste(slack: Slack) -> None:
    """Each message has the outcomes of its check as buttons; what they carry holds nothing of the paste."""
    slack.event(mention(f"```{UNSURE}```"))
    message = slack.platform.wait(POST).value
    assert within_limits(message)
    told = []
    for number in range(2, 5):
        choices = [each for each in buttons(message) if each["action_id"].startswith("outcome-")]
        if not choices:
            break
        slack.interact(
            type="block_actions", channel={"id": "C1"}, message={"ts": "17.9", "thread_ts": "17.1"},
            container={"type": "message", "is_ephemeral": False}, response_url=slack.response_url,
            actions=[{"type": "button", **choices[0]}],
        )  # fmt: skip
        posted = slack.platform.wait(POST, number).value
        assert posted["thread_ts"] == "17.1"
        told.append(message["blocks"])
        message = posted
    assert told
    assert message["blocks"] not in told


def test_a_button_in_an_answer_to_the_person_alone_stays_with_the_person(slack: Slack) -> None:
    command(slack, UNSURE)
    choice = buttons(slack.platform.wait("/commands/1").value)[0]
    slack.interact(
        type="block_actions", channel={"id": "C1"}, container={"type": "message", "is_ephemeral": True},
        response_url=slack.response_url, actions=[{"type": "button", **choice}],
    )  # fmt: skip
    again = slack.platform.wait("/commands/1", 2).value
    assert (again["response_type"], again["replace_original"]) == ("ephemeral", False)


def test_a_button_of_another_time_is_said(slack: Slack) -> None:
    for value in ("fb1.AAAA", "x", "fb1.", "fb1.!!"):
        action = {"type": "button", "action_id": "outcome-1.", "value": value}
        slack.interact(
            type="block_actions", channel={"id": "C1"}, container={"type": "message", "is_ephemeral": True},
            response_url=slack.response_url, actions=[action],
        )  # fmt: skip
    assert "Paste the log once more" in slack.platform.wait("/commands/1", 4).value["text"]


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ({"signature": "v0=" + "0" * 64}, "wrong"),
        ({"signature": ""}, "missing"),
        ({"stamp": str(int(time.time()) - 400)}, "old"),
        ({"stamp": str(int(time.time()) + 4000)}, "from the future"),
        ({"stamp": "soon"}, "no number"),
        ({"stamp": "9" * 400}, "too long a number"),
    ],
)
def test_what_slack_did_not_sign_just_now_is_refused(slack: Slack, headers: dict[str, str], why: str) -> None:
    body = urlencode({"command": "/diagnose", "text": LORA, "response_url": slack.response_url}).encode()
    answer = slack.send(body, "application/x-www-form-urlencoded", **headers)
    assert answer.status_code == 401, why
    assert answer.headers["content-type"] == "application/problem+json"
    time.sleep(0.2)
    assert slack.platform.asked == []


def test_a_body_changed_on_the_way_is_refused(slack: Slack) -> None:
    stamp = str(int(time.time()))
    signed = hmac.new(SIGNING.encode(), f"v0:{stamp}:text=a".encode(), hashlib.sha256).hexdigest()
    answer = slack.send(b"text=b", "application/x-www-form-urlencoded", stamp=stamp, signature=f"v0={signed}")
    assert answer.status_code == 401


@pytest.mark.parametrize("body", [b"{", b"[" * 100_000, b"\xff\xfe", b"", b"null"])
def test_signed_nonsense_does_no_harm(slack: Slack, body: bytes) -> None:
    assert 200 <= slack.send(body, "application/json").status_code < 500
    assert "bug:" not in slack.server.logged()


def test_slacks_check_of_the_address_is_answered(slack: Slack) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "c-17"}).encode()
    assert "c-17" in slack.send(body, "application/json").text


def test_a_retry_of_what_is_under_way_is_not_answered_twice(slack: Slack) -> None:
    retry = {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}
    assert slack.event(mention(LORA), **retry).status_code == 200
    assert slack.event(mention(LORA, bot_id="B1")).status_code == 200
    slack.event(mention(LORA))
    slack.platform.wait(POST)
    time.sleep(0.3)
    assert len(slack.platform.asked) == 1


def test_secrets_and_mentions_of_a_paste_come_out_nowhere(slack: Slack) -> None:
    mentions = "&lt;!channel&gt; <!channel> @everyone <https://x.example|x> <!here>"
    paste = f"{mentions} *b* token={SECRET}\n{LORA} {SECRET} {mentions}"
    command(slack, paste)
    slack.event(mention(paste))
    for message in (slack.platform.wait("/commands/1").value, slack.platform.wait(POST).value):
        text = all_text(message)
        assert SECRET not in text
        assert "<!" not in text
        assert "LoRA rank" in text
    assert SECRET not in slack.server.logged()
    assert "max_lora_rank" not in slack.server.logged()


def test_an_answer_goes_nowhere_but_to_slack(slack: Slack) -> None:
    """The address is in a signed request, and still must be Slack's."""
    slack.form(
        command="/diagnose", text=LORA, team_id="T1", user_id="U1", response_url="http://127.0.0.1:9/steal"
    )
    slack.server.wait_for_log("the address for the answer is not Slack's")


def test_without_its_secret_slack_is_not_there(running: Running) -> None:
    answer = httpx.post(f"{running.url}/api/bots/slack", content=b"{}", timeout=10)
    assert answer.status_code == 404
