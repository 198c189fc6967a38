"""Before the API: no more requests at a time than can be answered soon, and no client takes all of them.

What is over a limit is refused at once, with the time after which it is worth asking again; nothing waits in
a queue that grows. Pages and probes pass: they cost next to nothing, and a probe that is refused would have a
busy server killed.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from math import ceil

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.client import Clients, name_of, networks_of, within
from api.problems import Refused, problem
from api.settings import Settings

MOST_CLIENTS = 20_000


class Rate:
    """How often each client may ask: `burst` times at once, then so many times in a minute.

    One number is kept for each client: when all that it asked for would be paid off at the steady rate. The
    clients that asked longest ago are forgotten first.
    """

    def __init__(self, a_minute: int, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._each = 60 / a_minute if a_minute else 0.0
        self._ahead = self._each * burst
        self._paid_off: dict[str, float] = {}
        self._clock = clock

    def wait(self, client: str) -> float:
        """0 when the client may ask now, which is then counted; else the seconds until it may."""
        if not self._each:
            return 0
        now = self._clock()
        paid_off = max(self._paid_off.pop(client, now), now) + self._each
        late = paid_off - now - self._ahead
        if late > 1e-9:
            self._paid_off[client] = paid_off - self._each
            return late
        self._paid_off[client] = paid_off
        while len(self._paid_off) > MOST_CLIENTS:
            del self._paid_off[next(iter(self._paid_off))]
        return 0


class Gate:
    """Lets requests to the API in, or refuses them: 429 to a client that asks too often or too much at a
    time, 503 to everyone when too many are being answered, 503 to a request that takes too long."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self._inside = 0
        self._of_client: Counter[str] = Counter()  # how many of them are of one client
        self._client = Clients(settings.trusted_proxies)
        self._rate = Rate(settings.rate_limit, settings.rate_burst)
        self._exempt = networks_of(settings.rate_exempt)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_limited(scope["path"]):
            await self.app(scope, receive, send)
            return
        client = self._client(scope)
        name = "" if client is not None and within(client, self._exempt) else name_of(client)
        refused = (self._too_often(name) if name else None) or self._too_many(name)
        if refused:
            await problem(refused)(scope, receive, send)
            return
        self._inside += 1
        self._of_client[name] += 1
        try:
            await self._in_time(scope, receive, send)
        finally:
            self._inside -= 1
            self._of_client[name] -= 1
            if not self._of_client[name]:
                del self._of_client[name]

    def _too_often(self, name: str) -> Refused | None:
        late = self._rate.wait(name)
        if not late:
            return None
        seconds = ceil(late)
        return Refused(
            429,
            f"More than {self.settings.rate_limit} requests in a minute from one address. Ask again in "
            f"{seconds} s; many pastes go into one request to /api/match/batch.",
            headers={"Retry-After": str(seconds)},
        )

    def _too_many(self, name: str) -> Refused | None:
        """Of all clients, or of one that has a name: bodies that do not come must not take all places."""
        settings = self.settings
        if self._inside >= settings.in_flight:
            return Refused(
                503,
                f"{settings.in_flight} requests are being answered already. Try again in a second or two.",
                headers={"Retry-After": "1"},
            )
        if name and self._of_client[name] >= settings.client_in_flight:
            return Refused(
                429,
                f"{settings.client_in_flight} requests of one address are being answered already. "
                "Send the next when one of them has its answer.",
                headers={"Retry-After": "1"},
            )
        return None

    async def _in_time(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, within the time that a request has. An answer that has begun is broken off."""
        begun = False

        async def noting_send(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        seconds = self.settings.request_seconds
        try:
            async with asyncio.timeout(seconds) as deadline:
                await self.app(scope, receive, noting_send)
        except TimeoutError:
            if not deadline.expired():
                raise
            if begun:
                return  # the server closes a connection whose answer was not finished
            late = Refused(
                503,
                f"The request was not answered within {seconds:g} seconds. Try again with a shorter part.",
                headers={"Retry-After": "5", "Connection": "close"},
            )
            await problem(late)(scope, receive, send)


def is_limited(path: str) -> bool:
    """Whether a path belongs to the API, the chats or the assistants."""
    return path.startswith(("/api/", "/mcp"))
