"""/mcp: the Model Context Protocol over HTTP, without sessions.

Each request stands alone, so any worker can answer it and nothing is kept. Answers are JSON; a stream from
the server (GET) is declined with 405, as the protocol allows: Faultbook never speaks unasked.
"""

from __future__ import annotations

import asyncio
import importlib
from typing import Any
from urllib.parse import urlsplit

from anyio import to_thread
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from api.body import read_body
from api.problems import Refused
from api.service import Service
from api.settings import Settings

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def mcp_route(service: Service) -> Route:
    return Route(PATH, Endpoint(service), include_in_schema=False)


class Endpoint:
    """Loads the SDK with the first question, in a thread: it takes a third of a second."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._loading = asyncio.Lock()
        self._server: Any = None
        self._transport: Any = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if request.method != "POST":
            raise Refused(405, "Assistants ask by POST; there is no stream.", headers={"Allow": "POST"})
        settings = self._service.settings
        check_origin(request, settings)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refused(415, "Assistants send JSON-RPC, as application/json and not packed.")
        body = await read_body(request, settings.max_body, settings.body_seconds)
        async with self._loading:
            if self._server is None:
                await to_thread.run_sync(self._load)
        # A manager is for one run; without sessions it holds nothing that would outlive the request.
        manager = self._transport.StreamableHTTPSessionManager(
            self._server, json_response=True, stateless=True, max_request_body_size=settings.max_body
        )
        async with manager.run():
            await manager.handle_request(scope, replay(body, receive), send)

    def _load(self) -> None:
        self._transport = importlib.import_module("mcp.server.streamable_http_manager")
        self._server = importlib.import_module("api.assistants.protocol").protocol(self._service)


def check_origin(request: Request, settings: Settings) -> None:
    """Refuse what a page of another site makes a browser ask; assistants name no origin.

    A server on a loopback address also wants to be called so: else any site could give itself that address
    by its own name server (DNS rebinding) and read a knowledge base that is only for this machine.
    """
    host, own = request.headers.get("host", ""), urlsplit(settings.site_url).netloc
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] not in (host, own):
        raise Refused(403, "A page of another site may not ask here.")
    if settings.host in LOOPBACK and host != own and name_of(host) not in LOOPBACK:
        raise Refused(
            403,
            f"This server is for its own machine and is not called {host[:80]!r}. Set FAULTBOOK_SITE_URL.",
        )


def name_of(host: str) -> str | None:
    """The name in a Host header, without the port; None where it is none."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def replay(body: bytes, receive: Receive) -> Receive:
    """A body that was read already, once more."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again
