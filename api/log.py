"""One line for each request, without anything of a paste; and bugs told without their message.

uvicorn's own access log costs a quarter of all requests, and it and the framework's log of unhandled
exceptions print what may hold text of a paste: queries and exception messages. A request's line is written
straight to stderr, for by way of `logging` it costs a twentieth of what a small paste does.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import count
from secrets import token_hex
from time import gmtime, perf_counter, strftime, time
from traceback import extract_tb
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.metrics import Metrics
from api.problems import Refused, problem

bugs = logging.getLogger("faultbook.bugs")

REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
HEADER = b"x-request-id"
PROCESS, NUMBERS = token_hex(5), count(1)


class Lines(logging.Formatter):
    """A line of text for each, for people."""

    def format(self, record: logging.LogRecord) -> str:
        line = f"{stamp(record.created)} {record.levelname} {record.getMessage()}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """An object for each line, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        fields = record.args if isinstance(record.args, dict) else {"message": record.getMessage()}
        if record.exc_info:
            fields = {**fields, "exception": self.formatException(record.exc_info)}
        return json_line(record.created, record.levelname, record.name, fields)


def json_line(seconds: float, level: str, logger: str, fields: Mapping[str, object]) -> str:
    return json.dumps({"time": stamp(seconds), "level": level, "logger": logger, **fields})


def stamp(seconds: float) -> str:
    """A time in UTC, to the millisecond."""
    return f"{second(int(seconds))}.{int(seconds % 1 * 1000):03d}Z"


@lru_cache(maxsize=2)
def second(since_1970: int) -> str:
    """A second in UTC; a busy server logs many lines in each."""
    return strftime("%Y-%m-%dT%H:%M:%S", gmtime(since_1970))


def logging_config(log_format: str) -> dict[str, Any]:
    """Where the server's lines go and how they look, as `logging.config` takes it."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": "api.log.Lines"},
            "json": {"()": "api.log.JsonLines"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": log_format,
                "stream": "ext://sys.stderr",
            }
        },
        "loggers": {
            "uvicorn": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
            "faultbook": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        },
    }


class RequestLog:
    """Logs and counts each request when it is over, gives it an id, and answers for bugs: 500 where nothing
    was answered yet. The id is the client's own where it sends a plain one as X-Request-ID."""

    def __init__(self, app: ASGIApp, metrics: Metrics, log_format: str = "line") -> None:
        self.app = app
        self.metrics = metrics
        self.as_json = log_format == "json"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status, received, sent = perf_counter(), 0, 0, 0
        name = request_id(scope)

        async def counting_receive() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message

        async def counting_send(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (HEADER, name.encode())]
            sent += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, counting_receive, counting_send)
        except ClientDisconnect:
            status = status or 499  # nobody is there to read an answer
        except Exception as error:  # noqa: BLE001 - the last place where a bug can be told without its message
            tell_bug(error, name)
            if not status:
                await problem(BUG)(scope, receive, counting_send)
        finally:
            seconds = perf_counter() - start
            tell_request(scope, status, (received, sent), seconds, name, as_json=self.as_json)
            self.metrics.request(route_of(scope), scope["method"], status, seconds, (received, sent))


BUG = Refused(
    500, "Faultbook met a bug of its own; nothing of the paste was kept. The server's log names the place."
)


def request_id(scope: Scope) -> str:
    """The id that the client sends, when nothing odd stands in it, else a new one."""
    given = Headers(scope=scope).get("x-request-id", "")
    return given if REQUEST_ID.fullmatch(given) else f"{PROCESS}-{next(NUMBERS):x}"


def route_of(scope: Scope) -> str:
    """The route that answered, as it is declared; all pages are one."""
    return getattr(scope.get("route"), "path", "") or "page"


def tell_request(
    scope: Scope, status: int, sizes: tuple[int, int], seconds: float, name: str, *, as_json: bool
) -> None:
    """Write the line of a request that is over; `sizes` are its body's and its answer's."""
    # The path as it came, still percent-encoded: no line breaks, no control characters.
    path = scope.get("raw_path", b"")[:200].decode("ascii", "backslashreplace")
    method, (received, sent), ms = scope["method"], sizes, round(seconds * 1000, 1)
    if as_json:
        fields = {
            "method": method, "path": path, "status": status,
            "in": received, "out": sent, "ms": ms, "id": name,
        }  # fmt: skip
        line = json_line(time(), "INFO", "faultbook.requests", fields)
    else:
        told = f"{method} {path} {status} in={received} out={sent} ms={ms:.1f} id={name}"
        line = f"{stamp(time())} INFO {told}"
    with suppress(OSError, ValueError):  # nobody reads it any more: no reason to stop answering
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def tell_bug(error: BaseException, name: str) -> None:
    """Log the kind of an error, the way to it and the request's id, without its message."""
    places = " < ".join(
        f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
        for frame in reversed(extract_tb(error.__traceback__))
    )
    bugs.error("bug: %(bug)s at %(at)s id=%(id)s", {"bug": type(error).__name__, "at": places, "id": name})
