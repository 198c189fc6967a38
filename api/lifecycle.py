"""From start to stop: a new build is served when there is one, and a stop is announced before it comes.

A build is read beside the one that is served and put in its place whole, so that no request meets half of it
or is dropped. It is looked for by size and time of what it consists of, and read when two looks in a row
found the same: a build that is still being written is left alone.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from types import FrameType

from anyio import to_thread

from api.book import BrokenBuild, state_of
from api.service import Service

log = logging.getLogger("faultbook.build")

# A thread with a large paste gives the event loop its turn after so many seconds; Python's own 0.005 add up
# to a tenth of a second for a health check, which needs several turns.
TURN = 0.0005


@asynccontextmanager
async def running(service: Service) -> AsyncIterator[None]:
    """Around the time in which the server answers: it reloads, and drains before it stops."""
    now = asyncio.Event()
    on_hangup(now)
    on_stop(service)
    settle()
    sys.setswitchinterval(TURN)
    watching = asyncio.create_task(watch(service, now))
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


def settle() -> None:
    """Take what was loaded out of the collector's rounds: all of it stays, and looking through it now and
    then would stop every request for a tenth of a second. After a reload the old build is freed first."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def on_hangup(now: asyncio.Event) -> None:
    """SIGHUP asks for a reload; of a server in a terminal it still means that the terminal is gone."""
    if hasattr(signal, "SIGHUP") and not sys.stdin.isatty():
        with suppress(RuntimeError, ValueError):  # not in the main thread, as in tests
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, now.set)


def on_stop(service: Service) -> None:
    """With `drain_seconds`, the first SIGTERM makes /readyz say 503; the server goes on for that long."""
    seconds = service.settings.drain_seconds
    handler = signal.getsignal(signal.SIGTERM)  # the server's, which is there before the app starts
    if not seconds or not callable(handler):
        return
    loop, stop = asyncio.get_running_loop(), handler

    def drain(number: int, frame: FrameType | None) -> None:
        if service.stopping:
            stop(number, frame)  # asked twice: at once
        else:
            service.stopping = True
            log.info("stopping in %g s; /readyz says so", seconds)
            loop.call_soon_threadsafe(loop.call_later, seconds, stop, number, None)

    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGTERM, drain)


async def watch(service: Service, now: asyncio.Event) -> None:
    """Reload when asked, and when the build folder has changed and come to rest."""
    settings = service.settings
    before = service.read
    while True:
        asked = await is_set(now, settings.reload_seconds or None)
        now.clear()
        found = await to_thread.run_sync(state_of, settings.build_dir)
        if asked or (found == before and found != service.read):
            await reload(service)
        before = found


async def is_set(event: asyncio.Event, seconds: float | None) -> bool:
    """Wait for an event, at most so long; whether it came."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True


async def reload(service: Service) -> None:
    """Read the build and serve it; a broken one is told and the one before goes on."""
    before = service.book.index.digest
    try:
        await to_thread.run_sync(service.reload)
    except BrokenBuild as error:
        log.error("still serving the build before: %s", error)
        return
    settle()
    index = service.book.index
    change = "the same index" if index.digest == before else f"{len(index)} entries, {index.digest}"
    log.info("the new build is served: %s", change)
