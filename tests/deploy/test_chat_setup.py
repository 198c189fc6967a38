"""What sets the chats up: manifests that name our routes, and the script that tells Discord its commands."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
import yaml

from tests.api.chat_platform import JSON, Platform, platform
from tests.conftest import ENTRIES

DEPLOY = ENTRIES.parent / "deploy"
HOST = "https://faultbook.example.com"
TOKEN = "token-of-the-test"
COMMANDS = "/applications/42/commands"
ENDPOINT = f"{HOST}/api/bots/discord"


def register(discord: Platform, *arguments: str, token: str = TOKEN) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", DEPLOY / "discord" / "register.py", "--api", discord.url, *arguments],
        env={"PATH": os.environ["PATH"], "DISCORD_BOT_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def application(discord: Platform) -> None:
    discord.answers["/applications/@me"] = (200, JSON, b'{"id": "42", "verify_key": "ab12"}')


def test_discord_gets_the_commands_that_the_bot_answers() -> None:
    with platform() as discord:
        application(discord)
        done = register(discord)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "registered: diagnose, Diagnose\nFAULTBOOK_DISCORD_PUBLIC_KEY=ab12\n"
    assert [(each.method, each.path) for each in discord.asked] == [
        ("GET", "/applications/@me"),
        ("PUT", COMMANDS),
    ]
    assert all(each.headers["authorization"] == f"Bot {TOKEN}" for each in discord.asked)
    assert all(each.headers["user-agent"].startswith("DiscordBot (") for each in discord.asked)
    slash, on_message = json.loads(discord.asked[1].body)
    assert (slash["type"], on_message["type"]) == (1, 3)
    assert [option["name"] for option in slash["options"]] == [
        "log",
        "text",
    ]  # as api.bots.discord reads them
    texts = [slash, *slash["options"]]
    assert all(1 <= len(each["description"]) <= 100 for each in texts)
    assert "description" not in on_message  # Discord declines one


def test_discord_gets_the_endpoint_after_the_commands() -> None:
    with platform() as discord:
        application(discord)
        done = register(discord, "--guild", "7", "--endpoint", ENDPOINT)
    assert done.returncode == 0
    assert [(each.method, each.path) for each in discord.asked][1:] == [
        ("PUT", "/applications/42/guilds/7/commands"),
        ("PATCH", "/applications/@me"),
    ]
    assert discord.asked[2].value == {"interactions_endpoint_url": ENDPOINT}


def test_what_discord_declines_is_said_without_a_traceback() -> None:
    with platform() as discord:
        discord.answers["/applications/@me"] = (401, JSON, b'{"message": "401: Unauthorized"}')
        done = register(discord)
    assert done.returncode == 1
    assert done.stderr == 'Discord answered 401: {"message": "401: Unauthorized"}\n'


def test_a_missing_token_is_said() -> None:
    with platform() as discord:
        done = register(discord, token="")
    assert done.returncode == 2
    assert "set DISCORD_BOT_TOKEN" in done.stderr
    assert not discord.asked


@pytest.fixture
def manifest() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "slack" / "manifest.yaml").read_text()))


def test_slacks_manifest_names_one_address_everywhere(manifest: dict[str, Any]) -> None:
    settings, features = manifest["settings"], manifest["features"]
    assert {
        settings["event_subscriptions"]["request_url"],
        settings["interactivity"]["request_url"],
        *(each["url"] for each in features["slash_commands"]),
    } == {f"{HOST}/api/bots/slack"}


def test_slacks_manifest_asks_for_what_the_bot_does_and_no_more(manifest: dict[str, Any]) -> None:
    scopes = set(manifest["oauth_config"]["scopes"]["bot"])
    assert scopes == {"app_mentions:read", "chat:write", "commands", "files:read"}
    assert manifest["settings"]["event_subscriptions"]["bot_events"] == ["app_mention"]
    assert [(each["callback_id"], each["type"]) for each in manifest["features"]["shortcuts"]] == [
        ("diagnose", "message")
    ]
    assert not manifest["features"]["slash_commands"][0]["should_escape"]  # a paste comes as it was typed


def test_slacks_manifest_is_within_slacks_limits(manifest: dict[str, Any]) -> None:
    about, features = manifest["display_information"], manifest["features"]
    assert len(about["name"]) <= 35
    assert len(about["description"]) <= 140
    assert all(len(each["name"]) <= 24 and len(each["description"]) <= 150 for each in features["shortcuts"])
    command = features["slash_commands"][0]
    assert len(command["command"]) <= 32
    assert len(command["description"]) <= 2000
    assert len(command["usage_hint"]) <= 1000


def test_mattermosts_command_is_a_post_to_our_route() -> None:
    command = json.loads((DEPLOY / "mattermost" / "command.json").read_text())
    assert command["url"] == f"{HOST}/api/bots/slash"
    assert command["method"] == "P"
    assert command["trigger"] == "diagnose"
    assert len(command["description"]) <= 128
    assert len(command["display_name"]) <= 64
