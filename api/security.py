"""Headers that keep a hostile paste, or a hostile page around ours, from doing harm. Pure ASGI."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.policy import API_POLICY, DOCS_PATH, DOCS_POLICY
from api.service import Service
from api.site import is_api

COMMON = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
POLICY = b"content-security-policy"
OF_API = (*COMMON, (POLICY, API_POLICY.encode()))
OF_DOCS = (*COMMON, (POLICY, DOCS_POLICY.encode()))


class SecurityHeaders:
    """Adds the headers to every response."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app = app
        self.service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self._headers(scope["path"])]
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _headers(self, path: str) -> tuple[tuple[bytes, bytes], ...]:
        if path == DOCS_PATH:
            return OF_DOCS
        if is_api(path):
            return OF_API
        return (*COMMON, (POLICY, self.service.book.page_policy.encode()))
