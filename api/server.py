"""The one way to run the app: one process, one port."""

from __future__ import annotations

import uvicorn
from fastapi import FastAPI

from api.log import LOGGING
from api.settings import Settings


def server(app: FastAPI, settings: Settings) -> uvicorn.Server:
    """A server that `run()` starts and `should_exit = True` stops. Its log is ours: no line holds a paste."""
    config = uvicorn.Config(
        app, host=settings.host, port=settings.port,
        access_log=False, log_config=LOGGING, server_header=False, ws="none", timeout_graceful_shutdown=10,
    )  # fmt: skip
    return uvicorn.Server(config)
