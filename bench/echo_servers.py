"""Servers that only answer what they are sent: `echo_servers.py asgi` and `echo_servers.py fastapi`."""

from __future__ import annotations

import sys

import uvicorn
from fastapi import FastAPI, Request, Response
from starlette.types import ASGIApp, Receive, Scope, Send


async def bare(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the body, answer it."""
    assert scope["type"] == "http"
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": body})


def framework() -> FastAPI:
    """The same as a route of FastAPI."""
    app = FastAPI()

    @app.post("/")
    async def echo(request: Request) -> Response:
        return Response(await request.body())

    return app


if __name__ == "__main__":
    app: ASGIApp = framework() if sys.argv[1] == "fastapi" else bare
    uvicorn.run(app, port=0, access_log=False, lifespan="off")
