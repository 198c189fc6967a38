"""Mattermost and others: slash commands in Slack's old form, proven by a token.

The form carries the whole text, so the answer goes back at once. Buttons are Mattermost's: they ask our own
address with what they carry, and prove by a code that it is what we gave them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from api.bots.paste import from_discord
from api.bots.reply import USAGE, Reply, answer, chosen
from api.problems import Refused
from api.service import Service
from kb.render.chat import mattermost_message, without_mentions

Json = dict[str, Any]


class SlashBot:
    """The slash commands of those who have a token, and Mattermost's buttons."""

    def __init__(self, service: Service) -> None:
        tokens = service.settings.slash_tokens.get_secret_value().split(",")
        self._service = service
        self._tokens = [token.strip().encode() for token in tokens if token.strip()]

    async def handle(self, request: Request, body: bytes) -> Response:
        """The answer to a command or a button. Raises Refused (401) where the proof is missing or wrong."""
        try:
            if request.headers.get("content-type", "").startswith("application/json"):
                return self._button(json.loads(body))
            form = parse_qs(body.decode(), max_num_fields=50)
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            raise Refused(400, "The body is not a slash command.") from None
        return await self._command(form)

    async def _command(self, form: dict[str, list[str]]) -> Response:
        given = form.get("token", [""])[0].encode()
        if not any(hmac.compare_digest(given, token) for token in self._tokens):
            raise Refused(401, "The token is not one of FAULTBOOK_SLASH_TOKENS.")
        text = from_discord(form.get("text", [""])[0])
        if not text:
            return said(USAGE)
        try:
            reply = await answer(text, self._service)
        except Refused as refused:
            return said(refused.detail)
        return JSONResponse({"response_type": "ephemeral", **self._message(reply)})

    def _button(self, body: Json) -> Response:
        """What a check showed: Mattermost sends back what the button carries."""
        context = body["context"]
        state, proof = str(context["state"]), str(context["proof"]).encode()
        if not any(hmac.compare_digest(proof, code(state, token).encode()) for token in self._tokens):
            raise Refused(401, "The button was not made by this server.")
        try:
            reply = chosen(state, self._service)
        except Refused as refused:
            return JSONResponse({"ephemeral_text": without_mentions(refused.detail)})
        return JSONResponse({"ephemeral_text": self._message(reply)["text"]})

    def _message(self, reply: Reply) -> Json:
        site = self._service.settings.site_url
        made = {
            name: {"state": state, "proof": code(state, self._tokens[0])}
            for name, state in reply.choices.items()
        }
        return mattermost_message(reply.brief, site, f"{site}api/bots/slash" if site else "", made)


def code(state: str, token: bytes) -> str:
    """What proves that a button was made by who has the token."""
    return hmac.new(token, state.encode(), hashlib.sha256).hexdigest()


def said(text: str) -> Response:
    return JSONResponse({"response_type": "ephemeral", "text": without_mentions(text)})
