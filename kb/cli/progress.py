"""Tell a person at a terminal that a long step is running; say nothing in a pipe or a log."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 2.0  # seconds before anything is shown


@contextmanager
def progress(what: str, patience: float = PATIENCE) -> Iterator[None]:
    """While the block runs longer than `patience`, show on stderr what runs and for how long."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    teller = threading.Thread(target=_tell, args=(what, done, patience), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell(what: str, done: threading.Event, patience: float) -> None:
    started = time.monotonic()
    wait, shown = patience, False
    while not done.wait(wait):
        wait, shown = 1.0, True
        print(f"\r{what} ... {time.monotonic() - started:.0f} s", end="", file=sys.stderr, flush=True)
    if shown:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
