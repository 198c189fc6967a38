"""The one way to run the app: one port, one process or several.

Several processes share the port; each reads the build for itself. SIGHUP to the first of them replaces the
others one after the other, each when its successor answers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory

import uvicorn
from fastapi import FastAPI
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from api.app import create_app
from api.book import BrokenBuild
from api.connection import Connection
from api.log import logging_config
from api.metrics import SHARED
from api.settings import Settings


def serve(settings: Settings) -> None:
    """Serve until stopped. Raises BrokenBuild when the build folder cannot be served.

    The log is ours: no line holds a paste. Forwarded addresses are read by ours too, from those whom the
    settings trust.
    """
    if settings.workers == 1:
        uvicorn.Server(config(create_app(settings), settings)).run()
        return
    with TemporaryDirectory(prefix="faultbook-metrics-") as shared:
        os.environ[SHARED] = shared
        several = config(partial(worker_app, settings), settings)
        supervisor = Multiprocess(several, sockets=[several.bind_socket()])
        supervisor.run()
        if any(process.exitcode == STARTUP_FAILURE for process in supervisor.processes):
            sys.exit(STARTUP_FAILURE)


def config(app: FastAPI | Callable[[], FastAPI], settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app, factory=not isinstance(app, FastAPI), host=settings.host, port=settings.port,
        workers=settings.workers, http=Connection, ws="none", access_log=False, server_header=False,
        log_config=logging_config(settings.log_format), proxy_headers=False,
        timeout_graceful_shutdown=settings.stop_seconds,
    )  # fmt: skip


def worker_app(settings: Settings) -> FastAPI:
    """The app of one of several processes. One that cannot start ends all, with the reason once."""
    try:
        return create_app(settings)
    except BrokenBuild as error:
        print(f"api: {error}", file=sys.stderr)
        sys.exit(STARTUP_FAILURE)
