"""Servers that only answer what they are sent: `echo_servers.py asgi` and `echo_servers.py fastapi`.

`echo_servers.py matcher` diagnoses it, too, and throws that away: the least that matching costs in a server.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from kb.diagnose import diagnose
from kb.diagnose.index import Index, load_index
from kb.diagnose.wire import to_wire


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


def framework(index: Index | None = None) -> FastAPI:
    """The same as a route of FastAPI; with an index, it matches meanwhile."""
    app = FastAPI()

    @app.post("/")
    async def echo(request: Request) -> Response:
        body = await request.body()
        if index:
            to_wire(diagnose(body.decode(), index))
        return Response(body)

    return app


def named(kind: str) -> ASGIApp:
    if kind == "matcher":
        return framework(load_index(Path(os.environ["FAULTBOOK_BUILD_DIR"]) / "index.json"))
    return framework() if kind == "fastapi" else bare


if __name__ == "__main__":
    uvicorn.run(named(sys.argv[1]), port=0, access_log=False, lifespan="off")
