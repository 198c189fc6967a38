"""A small service whose route, start or port fails, asked a few times by a thread of its own."""

from __future__ import annotations

import asyncio
import http.client
import logging
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI

from bench.lab.scripts.told import told


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def broken_start(app: FastAPI) -> AsyncIterator[None]:
    told("ValueError: adapter 'summaries' has rank 64, at most 16 are allowed")
    if app.title == "broken":
        raise ValueError("adapter 'summaries' has rank 64, at most 16 are allowed")
    yield


def build(broken: bool) -> FastAPI:
    app = FastAPI(title="broken", lifespan=broken_start if broken else None)

    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/generate/{number}")
    async def generate(number: int) -> dict[str, int]:
        if number == 2:
            told("KeyError: 'max_tokens'")
            return {"limit": {"temperature": 1}["max_tokens"]}
        if number == 3:
            await asyncio.sleep(0.05)
        return {"number": number}

    return app


def ask(port: int, server: uvicorn.Server, failing: int) -> None:
    while not server.started:
        time.sleep(0.05)
    for path in ("/health", "/generate/1", f"/generate/{failing}", "/health", "/generate/3", "/nothing"):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", path)
        connection.getresponse().read()
        connection.close()
    server.should_exit = True


def serve(mode: str) -> None:
    port = free_port()
    holder = socket.socket()
    if mode == "port":
        holder.bind(("127.0.0.1", port))
        holder.listen()
        told("[Errno 98] error while attempting to bind on address")
    server = uvicorn.Server(uvicorn.Config(build(mode == "start"), port=port, log_level=logging.INFO))
    if mode in ("route", "healthy"):
        failing = 2 if mode == "route" else 4
        threading.Thread(target=ask, args=(port, server, failing), daemon=True).start()
    server.run()
    if not server.started:
        sys.exit(3)


if __name__ == "__main__":
    serve(sys.argv[1])
