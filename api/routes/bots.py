"""POST /api/bots/...: what chat platforms send. Each is there only when its secrets are set."""

from __future__ import annotations

import importlib
from typing import Protocol

from fastapi import APIRouter, Request, Response

from api.body import read_body
from api.service import Service

BOTS = {
    "slack": ("slack_signing_secret", "api.bots.slack", "SlackBot"),
    "discord": ("discord_public_key", "api.bots.discord", "DiscordBot"),
    "slash": ("slash_tokens", "api.bots.slash", "SlashBot"),
}
MOST = 1024 * 1024  # bytes of a request; logs are attached, not in it


class Bot(Protocol):
    """Answers what its platform sends, when that proves to come from there."""

    async def handle(self, request: Request, body: bytes) -> Response: ...


def bot_routes(service: Service) -> APIRouter:
    """The routes of the bots that are switched on. Their modules are imported only then."""
    router = APIRouter(prefix="/api/bots", include_in_schema=False)
    for name, (secret, module, kind) in BOTS.items():
        value = getattr(service.settings, secret)
        if value if isinstance(value, str) else value.get_secret_value():
            bot = getattr(importlib.import_module(module), kind)(service)
            add(router, f"/{name}", bot, service)
    return router


def add(router: APIRouter, path: str, bot: Bot, service: Service) -> None:
    @router.post(path)
    async def handle(request: Request) -> Response:
        settings = service.settings
        body = await read_body(request, min(settings.max_body, MOST), settings.body_seconds)
        return await bot.handle(request, body)
