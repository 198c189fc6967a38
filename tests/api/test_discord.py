"""Discord's interactions, really signed, to a real server; Discord itself is a server on this machine."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from nacl.signing import SigningKey

from tests.api.chat_platform import LORA, SECRET, UNSURE, Chat, platform
from tests.api.server_process import Running, serve

KEY = SigningKey.generate()
ORIGINAL = "/api/webhooks/17/token-of-the_interaction/messages/@original"
PERSON_ALONE = 64


class Discord(Chat):
    """What Discord sends."""

    def post(self, body: bytes, stamp: str = "", signature: str | None = None) -> httpx.Response:
        """A signed request."""
        stamp = stamp or str(int(time.time()))
        signed = KEY.sign(stamp.encode() + body).signature.hex() if signature is None else signature
        headers = {
            "Content-Type": "application/json",
            "X-Signature-Timestamp": stamp,
            "X-Signature-Ed25519": signed,
        }
        return self.deliver("discord", body, headers)

    def ask(self, kind: int, data: dict[str, Any]) -> dict[str, Any]:
        interaction = {
            "type": kind,
            "application_id": "17",
            "token": "token-of-the_interaction",
            "data": data,
        }
        answer = self.post(json.dumps(interaction).encode())
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def file(self, name: str, content: bytes, status: int = 200, **more: str) -> dict[str, str]:
        self.platform.answers[f"/{name}"] = (status, {"Content-Type": "text/plain"}, content)
        file = {
            "id": "5",
            "filename": name,
            "url": f"{self.platform.url}/{name}",
            "content_type": "text/plain",
        }
        return {**file, **more}


@pytest.fixture(scope="module")
def connected(site_build: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Discord]:
    log = tmp_path_factory.mktemp("discord") / "server.log"
    with platform() as made:
        settings = {
            "discord_public_key": KEY.verify_key.encode().hex(),
            "discord_api_url": f"{made.url}/api/",
            "site_url": "https://kb.example/",
        }
        with serve(site_build, log, **settings) as server:
            yield Discord(server, made)


@pytest.fixture
def discord(connected: Discord) -> Discord:
    """Discord, which has not been asked anything yet."""
    connected.platform.forget()
    return connected


def on_message(**message: Any) -> dict[str, Any]:
    return {"type": 3, "name": "Diagnose", "target_id": "9", "resolved": {"messages": {"9": message}}}


def within_limits(message: dict[str, Any]) -> bool:
    """Of embeds and components: docs.discord.com/developers/resources/message."""
    for embed in message["embeds"]:
        texts = [
            embed["title"],
            embed["description"],
            *(t for f in embed["fields"] for t in (f["name"], f["value"])),
        ]
        assert len(embed["title"]) <= 256
        assert len(embed["description"]) <= 4096
        assert all(len(field["value"]) <= 1024 for field in embed["fields"])
        assert sum(map(len, texts)) <= 6000
    rows = message.get("components", [])
    for row in rows:
        assert len(row["components"]) <= 5
        assert all(len(b["label"]) <= 80 and len(b["custom_id"]) <= 100 for b in row["components"])
    ids = [button["custom_id"] for row in rows for button in row["components"]]
    assert len(ids) == len(set(ids))
    return len(rows) <= 5


def test_discord_asks_whether_we_are_there(discord: Discord) -> None:
    assert discord.ask(1, {}) == {"type": 1}


def test_a_message_command_is_acknowledged_and_answered_for_all(discord: Discord) -> None:
    assert discord.ask(2, on_message(content=f"why?\n```py\n{LORA}\n```")) == {
        "type": 5,
        "data": {"flags": 0},
    }
    asked = discord.platform.wait(ORIGINAL)
    assert asked.method == "PATCH"
    answer = asked.value
    assert within_limits(answer)
    assert answer["allowed_mentions"] == {"parse": []}
    assert answer["embeds"][0]["url"] == "https://kb.example/errors/vllm-lora-rank-exceeds-max/"
    text = json.dumps(answer)
    for part in ("line 1", "LoRA rank 64", "--max-lora-rank 64"):
        assert part in text


def test_a_command_with_a_text_is_answered_to_the_person_alone(discord: Discord) -> None:
    data = {"type": 1, "name": "diagnose", "options": [{"name": "text", "type": 3, "value": LORA}]}
    assert discord.ask(2, data) == {"type": 5, "data": {"flags": PERSON_ALONE}}
    assert "--max-lora-rank 64" in json.dumps(discord.platform.wait(ORIGINAL).value)


def test_a_command_with_an_attached_log_reads_it(discord: Discord) -> None:
    file = discord.file("job.log", "\n".join(["INFO step"] * 3000 + [LORA]).encode())
    option = {"name": "log", "type": 11, "value": "5"}
    data = {"type": 1, "name": "diagnose", "options": [option], "resolved": {"attachments": {"5": file}}}
    discord.ask(2, data)
    assert "line 3001" in json.dumps(discord.platform.wait(ORIGINAL).value)


def test_a_message_with_an_attached_log_is_read(discord: Discord) -> None:
    picture = discord.file("a.png", b"", content_type="image/png")
    discord.ask(2, on_message(content="look", attachments=[picture, discord.file("job.log", LORA.encode())]))
    assert "max_lora" in json.dumps(discord.platform.wait(ORIGINAL).value)


def test_a_command_without_anything_opens_a_form_whose_text_is_diagnosed(discord: Discord) -> None:
    form = discord.ask(2, {"type": 1, "name": "diagnose"})
    assert form["type"] == 9
    field = form["data"]["components"][0]["components"][0]
    assert len(field["label"]) <= 45
    assert len(field["placeholder"]) <= 100
    filled = {"custom_id": field["custom_id"], "value": f"Traceback:\n{LORA}"}
    discord.ask(5, {"custom_id": "diagnose", "components": [{"type": 1, "components": [filled]}]})
    assert "line 2" in json.dumps(discord.platform.wait(ORIGINAL).value)


def test_buttons_lead_from_check_to_check_without_the_paste(discord: Discord) -> None:
    discord.ask(2, on_message(content=UNSURE))
    message = discord.platform.wait(ORIGINAL).value
    assert within_limits(message)
    told: list[dict[str, Any]] = []
    while message.get("components") and len(told) < 10:
        told.append(message["embeds"][0])
        button = message["components"][0]["components"][0]
        answer = discord.ask(3, {"component_type": 2, "custom_id": button["custom_id"]})
        assert answer["type"] == 4
        message = answer["data"]
        assert within_limits(message)
    assert 1 <= len(told) < 10
    assert message["embeds"][0] not in told


@pytest.mark.parametrize("state", ["fb1.", "fb1.AAAA", "fb1.!!", "else", "fb1." + "A" * 96])
def test_a_button_of_another_time_is_said(discord: Discord, state: str) -> None:
    answer = discord.ask(3, {"custom_id": state})
    assert answer["data"]["flags"] == PERSON_ALONE
    assert "button" in answer["data"]["content"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"content_type": "image/png"}, "picture"),
        ({"url": "https://elsewhere.example/job.log"}, "not on Discord"),
        ({"url": "http://cdn.discordapp.com/job.log"}, "not on Discord"),
        ({"url": "https://cdn.discordapp.com.evil.example/x"}, "not on Discord"),
        ({"status": 404}, "answered 404"),
    ],
)
def test_a_file_that_cannot_be_read_is_said(discord: Discord, more: dict[str, Any], said: str) -> None:
    file = discord.file("job.log", LORA.encode(), **more)
    option = {"name": "log", "type": 11, "value": "5"}
    discord.ask(2, {"type": 1, "options": [option], "resolved": {"attachments": {"5": file}}})
    assert said in discord.platform.wait(ORIGINAL).value["content"]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"signature": "00" * 64}, "wrong"),
        ({"signature": ""}, "missing"),
        ({"signature": "zz"}, "no hexadecimal"),
        ({"stamp": str(int(time.time()) - 400)}, "old"),
        ({"stamp": "soon"}, "no number"),
        ({"stamp": "9" * 400}, "too long a number"),
        ({"signature": KEY.sign(b"1" + b"{}").signature.hex()}, "of another body"),
        ({"signature": SigningKey.generate().sign(b"x").signature.hex()}, "of another key"),
    ],
)
def test_what_discord_did_not_sign_just_now_is_refused(
    discord: Discord, changed: dict[str, str], why: str
) -> None:
    answer = discord.post(json.dumps({"type": 1}).encode(), **changed)
    assert answer.status_code == 401, why


def with_text(**more: Any) -> bytes:
    """A command with a text, and something odd beside it."""
    data = {"type": 1, "options": [{"name": "text", "value": "x"}]}
    return json.dumps({"type": 2, "application_id": "1", "token": "t", "data": data, **more}).encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[" * 100_000,
        b"\xff",
        b"{}",
        b'{"type": 2, "data": {"type": 3}}',
        with_text(application_id="x/.."),
        with_text(token="../x"),
        with_text(data={"type": 1, "options": [{"name": "log", "value": "5"}]}),
    ],
)
def test_signed_nonsense_does_no_harm(discord: Discord, body: bytes) -> None:
    assert discord.post(body).status_code == 400
    assert "bug:" not in discord.server.logged()


def test_secrets_and_mentions_of_a_paste_come_out_nowhere(discord: Discord) -> None:
    paste = f"@everyone <@&123> <@99> @here token={SECRET}\n**b** {LORA} {SECRET} @everyone <@&123>"
    discord.ask(2, on_message(content=paste))
    answer = discord.platform.wait(ORIGINAL).value
    assert answer["allowed_mentions"] == {"parse": []}
    assert "content" not in answer  # only a content can mention somebody, an embed cannot
    assert SECRET not in json.dumps(answer)
    for text in (SECRET, "max_lora_rank"):
        assert text not in discord.server.logged()


def test_without_its_key_discord_is_not_there(running: Running) -> None:
    assert httpx.post(f"{running.url}/api/bots/discord", content=b"{}", timeout=10).status_code == 404
