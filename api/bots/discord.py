"""Discord: a slash command, a message command, and buttons, through the interactions endpoint.

Discord signs the time stamp and the body with Ed25519, and checks that a wrong signature is refused.
https://docs.discord.com/developers/interactions/receiving-and-responding
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from api.bots.jobs import Jobs
from api.bots.paste import from_discord, from_file
from api.bots.platform import Unreached, download, is_of, send
from api.bots.reply import USAGE, Reply, answer, chosen
from api.bots.state import is_state
from api.problems import Refused
from api.service import Service
from kb.render.chat import discord, discord_message

Json = dict[str, Any]
PING, COMMAND, COMPONENT, FORM = 1, 2, 3, 5  # kinds of interactions
PONG, MESSAGE, LATER, ASK = 1, 4, 5, 9  # kinds of answers
MESSAGE_COMMAND = 3
ONLY_TO_THE_PERSON = 64
OLDEST = 300  # seconds; Discord itself names none
HOSTS = ("cdn.discordapp.com", "media.discordapp.net")
UNREADABLE = ("image/", "video/", "audio/")
LONGEST_FIELD = 4000
FIELD = "paste"


class DiscordBot:
    """The interactions of one application."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._jobs = Jobs("discord", service.settings.queue)
        self._key = VerifyKey(bytes.fromhex(service.settings.discord_public_key))

    async def handle(self, request: Request, body: bytes) -> Response:
        """The answer to one interaction. Raises Refused (401) where the signature is not fresh."""
        stamp = request.headers.get("x-signature-timestamp", "")
        if not self._is_signed(request.headers.get("x-signature-ed25519", ""), stamp, body):
            raise Refused(401, "The signature is not Discord's, or is older than five minutes.")
        try:
            asked: Json = json.loads(body)
            reply = self._answer(asked)
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            raise Refused(400, "The body is not an interaction of Discord.") from None
        return JSONResponse(reply)

    def _is_signed(self, signature: str, stamp: str, body: bytes) -> bool:
        if not (stamp.isascii() and stamp.isdecimal() and abs(time.time() - int(stamp[:15])) <= OLDEST):
            return False
        try:
            self._key.verify(stamp.encode() + body, bytes.fromhex(signature))
        except (BadSignatureError, ValueError):
            return False
        return True

    def _answer(self, asked: Json) -> Json:
        """What is said at once: most often that the answer is on its way."""
        kind, data = asked["type"], asked.get("data", {})
        if kind == PING:
            return {"type": PONG}
        if kind == COMPONENT:
            return self._button(data)
        if kind == FORM:
            return self._later(asked, partial(self._of_text, written(data)))
        if kind == COMMAND and data.get("type") == MESSAGE_COMMAND:
            message = data["resolved"]["messages"][data["target_id"]]
            return self._later(asked, partial(self._of_message, message), flags=0)
        if kind == COMMAND:
            given = {option["name"]: option["value"] for option in data.get("options", [])}
            if "log" in given:
                file = data["resolved"]["attachments"][given["log"]]
                return self._later(asked, partial(self._of_files, [file]))
            if "text" in given:
                return self._later(asked, partial(self._of_text, str(given["text"])))
            return FORM_TO_FILL
        return said("This version of Faultbook does not know what was asked.")

    def _button(self, data: Json) -> Json:
        """What the check showed: answered at once, there is no paste to read."""
        state = str(data["custom_id"])
        if not is_state(state):
            return said("This button is not one of ours.")
        try:
            reply = chosen(state, self._service)
        except Refused as refused:
            return said(refused.detail)
        return {"type": MESSAGE, "data": self._message(reply)}

    def _later(
        self, asked: Json, reply: Callable[[], Awaitable[Reply]], flags: int = ONLY_TO_THE_PERSON
    ) -> Json:
        """Acknowledge now; the answer takes the place of "is thinking" when it is ready."""
        api = self._service.settings.discord_api_url
        url = f"{api}webhooks/{int(asked['application_id'])}/{token(asked)}/messages/@original"

        async def work() -> None:
            await send("PATCH", url, self._message(await reply()))

        async def say(text: str) -> None:
            await send("PATCH", url, sentence(text))

        self._jobs.start(work, say)
        return {"type": LATER, "data": {"flags": flags}}

    def _message(self, reply: Reply) -> Json:
        return discord_message(reply.brief, self._service.settings.site_url, reply.choices)

    async def _of_text(self, text: str) -> Reply:
        return await answer(from_discord(text), self._service)

    async def _of_message(self, message: Json) -> Reply:
        """The answer to a message: its files, else its text, else what a bot's cards say."""
        files = [file for file in message.get("attachments", []) if is_readable(file)]
        if files:
            return await self._of_files(files[:3])
        cards = "\n".join(str(card.get("description") or "") for card in message.get("embeds", []))
        return await self._of_text(str(message.get("content") or "") or cards)

    async def _of_files(self, files: list[Json]) -> Reply:
        return await answer("\n".join([await self._file(file) for file in files]), self._service)

    async def _file(self, file: Json) -> str:
        settings, url = self._service.settings, str(file.get("url", ""))
        if not is_readable(file):
            raise Refused(415, "A picture cannot be read. Paste the log as text, or attach it as a file.")
        if not is_of(url, settings.discord_api_url, HOSTS):
            raise Unreached("the file is not on Discord")
        data = await download(url, settings.max_body, {})
        return from_file(data, str(file.get("filename", "")), settings.max_body)


def is_readable(file: Json) -> bool:
    return not str(file.get("content_type") or "").startswith(UNREADABLE)


def token(asked: Json) -> str:
    """The token of an interaction, which becomes a part of an address. Raises ValueError."""
    value = str(asked["token"])
    if not value.replace("-", "").replace("_", "").replace(".", "").isalnum() or not value.isascii():
        raise ValueError("no token")
    return value


def written(data: Json) -> str:
    """What was written into the form."""
    fields = [field for row in data["components"] for field in row["components"]]
    return str(next(field["value"] for field in fields if field["custom_id"] == FIELD))


def said(text: str) -> Json:
    """A sentence to the person alone."""
    return {"type": MESSAGE, "data": {**sentence(text), "flags": ONLY_TO_THE_PERSON}}


def sentence(text: str) -> Json:
    return {"content": discord(text), "allowed_mentions": {"parse": []}}


FORM_TO_FILL: Json = {
    "type": ASK,
    "data": {
        "custom_id": "diagnose",
        "title": "Diagnose",
        "components": [
            {
                "type": 1,
                "components": [
                    {
                        "type": 4,
                        "custom_id": FIELD,
                        "style": 2,
                        "label": "Traceback or log",
                        "placeholder": USAGE[:100],
                        "max_length": LONGEST_FIELD,
                    }
                ],
            }
        ],
    },
}
