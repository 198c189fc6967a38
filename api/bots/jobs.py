"""Answers that are worked on after their request was acknowledged: a few at a time, the rest refused."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from api.bots.platform import Unreached
from api.bots.reply import BUG, BUSY
from api.log import tell_bug
from api.problems import Refused

log = logging.getLogger("faultbook.bots")
Work = Callable[[], Awaitable[None]]
Say = Callable[[str], Awaitable[None]]


class Jobs:
    """The answers of one platform that are under way."""

    def __init__(self, platform: str, most: int) -> None:
        self._platform = platform
        self._most = max(most, 1)
        self._under_way: set[asyncio.Task[None]] = set()

    def start(self, work: Work, say: Say) -> None:
        """Begin an answer, in the event loop. Who asks when too many are under way is told so, or nothing at
        all when even that is too much."""
        if len(self._under_way) >= 2 * self._most:
            log.warning("%s: a request was dropped, too many are under way", self._platform)
            return
        todo = work if len(self._under_way) < self._most else refuse
        task = asyncio.create_task(self._run(todo, say))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _run(self, work: Work, say: Say) -> None:
        try:
            problem = await self._problem(work)
            if problem:
                await say(problem)
        except Unreached as error:
            log.warning("%s: %s", self._platform, error)
        except Exception as error:  # noqa: BLE001 - the last place where a bug can be told
            tell_bug(error, self._platform)

    async def _problem(self, work: Work) -> str | None:
        """Do the work; what is to be said where it did not go well."""
        try:
            await work()
        except Refused as refused:
            return refused.detail
        except Unreached as error:
            log.warning("%s: %s", self._platform, error)
            return f"The answer did not come through: {error}."
        except Exception as error:  # noqa: BLE001 - its message may quote a paste
            tell_bug(error, self._platform)
            return BUG
        return None


async def refuse() -> None:
    raise Refused(503, BUSY)
