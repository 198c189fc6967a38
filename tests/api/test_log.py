"""Bugs are answered and logged without their message, which may quote a paste."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route
from starlette.types import Message

from api.app import create_app
from api.log import RequestLog
from api.metrics import Metrics
from api.settings import Settings

SECRET = "hunter2-of-the-paste"


async def fail(request: Request) -> PlainTextResponse:
    raise KeyError(SECRET + (await request.body()).decode())


async def fail_late(request: Request) -> StreamingResponse:
    async def body() -> AsyncIterator[bytes]:
        yield b"the beginning"
        raise ValueError(SECRET)

    return StreamingResponse(body())


# Only the router: Starlette's own answer to bugs stands outside of ours in the app, and is never reached.
APP = RequestLog(
    Starlette(routes=[Route("/fail", fail, methods=["POST"]), Route("/late", fail_late)]).router, Metrics()
)


def ask(method: str, path: str, **more: bytes) -> httpx.Response:
    async def once() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(APP), base_url="http://test") as client:
            return await client.request(method, path, content=more.get("body"))

    return asyncio.run(once())


def test_a_bug_is_answered_500_and_logged_with_its_place_alone(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.INFO, logger="faultbook"):
        answer = ask("POST", "/fail", body=b"and of the body")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert answer.json()["title"] == "Internal Server Error"
    assert "bug: KeyError at test_log.py:" in caplog.text
    told = capsys.readouterr().err
    assert " INFO POST /fail 500 in=15 " in told
    for text in (caplog.text, told, answer.text):
        assert SECRET not in text
        assert "of the body" not in text


def test_a_log_that_nobody_reads_any_more_stops_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path(os.devnull).open("w") as gone:
        monkeypatch.setattr("sys.stderr", gone)
    assert ask("GET", "/nowhere").status_code == 404


def test_a_bug_after_the_answer_began_is_logged_and_the_answer_stays_unfinished(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"spec_version": "2.4"},
        "method": "GET",
        "path": "/late",
        "raw_path": b"/late",
        "headers": [],
    }
    with caplog.at_level(logging.INFO, logger="faultbook"):
        asyncio.run(APP(scope, receive, send))
    assert [message.get("body") for message in sent] == [None, b"the beginning"]  # the server cuts it off
    assert "bug: ValueError at test_log.py:" in caplog.text
    assert SECRET not in caplog.text


def test_the_app_has_it_outside_of_all_routes(build_dir: Path) -> None:
    """A route that fails is answered by it, not by the framework, whose log prints messages."""
    app = create_app(Settings(build_dir=build_dir))

    @app.get("/api/broken")
    async def broken() -> None:
        raise RuntimeError(SECRET)

    async def once() -> httpx.Response:
        # Exceptions that reached the server would be raised here.
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
            return await client.get("/api/broken")

    answer = asyncio.run(once())
    assert answer.status_code == 500
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "bug of its own" in answer.json()["detail"]
