"""One line for each request, without anything of a paste; and bugs told without their message.

uvicorn's own access log costs a quarter of all requests, and it and the framework's log of unhandled
exceptions print what may hold text of a paste: queries and exception messages.
"""

from __future__ import annotations

import logging
from time import perf_counter
from traceback import extract_tb
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import Refused, problem

requests = logging.getLogger("faultbook.requests")
bugs = logging.getLogger("faultbook.bugs")

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(message)s"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"}
    },
    "loggers": {
        "uvicorn": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "faultbook": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}


class RequestLog:
    """Logs each request when it is over, and answers for bugs: 500 where nothing was answered yet."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status, received, sent = perf_counter(), 0, 0, 0

        async def counting_receive() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message

        async def counting_send(message: Message) -> None:
            nonlocal status, sent
            status = message.get("status", status)
            sent += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, counting_receive, counting_send)
        except ClientDisconnect:
            status = status or 499  # nobody is there to read an answer
        except Exception as error:  # noqa: BLE001 - the last place where a bug can be told without its message
            tell_bug(error)
            if not status:
                await problem(BUG)(scope, receive, counting_send)
        finally:
            # The path as it came, still percent-encoded: no line breaks, no control characters.
            path = scope.get("raw_path", b"").decode("latin-1")[:200]
            requests.info(
                "%s %s %d in=%d out=%d ms=%.1f",
                scope["method"], path, status, received, sent, (perf_counter() - start) * 1000,
            )  # fmt: skip


BUG = Refused(
    500, "Faultbook met a bug of its own; nothing of the paste was kept. The server's log names the place."
)


def tell_bug(error: BaseException) -> None:
    """Log the kind of an error and the way to it, without its message."""
    places = " < ".join(
        f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
        for frame in reversed(extract_tb(error.__traceback__))
    )
    bugs.error("bug: %s at %s", type(error).__name__, places)
