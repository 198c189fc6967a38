"""Work in the event loop, a piece in each round, so that health checks come between any two of them."""

from __future__ import annotations

import asyncio
from collections import deque


class Turns:
    """Who comes first works first. Whoever waits costs nothing meanwhile."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Wait for the turn. It lasts until the loop comes round again: to the next `await` that waits."""
        loop = asyncio.get_running_loop()
        if self._taken:
            turn = loop.create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if not turn.cancelled():
                    self._next()  # it was ours already
                raise
        self._taken = True
        loop.call_soon(self._next)

    def _next(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._taken = False
