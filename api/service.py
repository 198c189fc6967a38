"""What the routes share: the settings, the book that is served, and the way of a paste to its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from pydantic import ValidationError

from api.body import decode
from api.book import Book, BrokenBuild, State, read_book, state_of
from api.formats import FORMS, Form
from api.json_text import read_json
from api.metrics import Metrics
from api.models import MatchRequest
from api.problems import Refused, invalid
from api.settings import Settings
from api.turns import Turns
from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Diagnosis, Given
from kb.diagnose.index import Index
from kb.diagnose.wire import given_from_wire
from kb.redact import redact

Work = TypeVar("Work")


class Service:
    """One server's state. Only `reload` changes it, by exchanging the whole book."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.stopping = False  # set once, when the server has been told to stop and drains
        self._threads = CapacityLimiter(settings.concurrency)
        self._turns = Turns()
        self.read: State
        self.book: Book
        self.reload()

    def reload(self) -> None:
        """Serve what was built anew. Raises BrokenBuild, and goes on with the old book, when it is broken."""
        self.read = state_of(self.settings.build_dir)  # before: what changes meanwhile is looked at again
        try:
            self.book = read_book(self.settings.build_dir)
        except BrokenBuild:
            self.metrics.build(None)
            raise
        self.metrics.build(len(self.book.index))

    async def match(self, body: bytes, media: str, form: Form = FORMS["json"]) -> bytes:
        """The diagnosis of a request's body, in a form."""
        book = self.book
        return await self.in_turn(lambda: self.answer(body, media, form, book), len(body))

    async def diagnose(self, text: str, given: Given) -> Diagnosis:
        """The diagnosis of a paste and of what is given, without their secrets: for chats and assistants."""
        book = self.book
        size = len(text) + sum(map(len, given.outputs.values()))
        return await self.in_turn(lambda: self.counted(*redacted(text, given), book.index), size)

    async def in_turn(self, work: Callable[[], Work], size: int) -> Work:
        """Do the work for a paste of some size where it keeps nobody waiting.

        Small ones in the event loop, one in each of its rounds: some milliseconds for a hundred lines. Large
        ones in one of a few threads. Raises Refused (503) when too many wait for one already: a client is
        told to come back instead.
        """
        if size <= self.settings.inline_body:
            await self._turns.take()
            return work()
        if self._threads.statistics().tasks_waiting >= self.settings.queue:
            raise Refused(
                503,
                "Too many large pastes are waiting. Try again in some seconds, or send a shorter part.",
                headers={"Retry-After": "5"},
            )
        return await to_thread.run_sync(work, limiter=self._threads)

    def answer(self, body: bytes, media: str, form: Form, book: Book) -> bytes:
        """The diagnosis of a body in a form. Raises Refused."""
        text, given = read_request(body, media)
        if form.for_chat:
            text, given = redacted(text, given)
        return form.render(self.counted(text, given, book.index), self.settings.site_url)

    def counted(self, text: str, given: Given, index: Index) -> Diagnosis:
        """The diagnosis of a paste, which the metrics count."""
        begin = perf_counter()
        diagnosis = diagnose(text, index, given)
        self.metrics.match(diagnosis, perf_counter() - begin)
        return diagnosis


def redacted(text: str, given: Given) -> tuple[str, Given]:
    """A paste and what is given without secrets, addresses and user names."""
    outputs = {check: redact(output).text for check, output in given.outputs.items()}
    return redact(text).text, replace(given, outputs=outputs)


def read_request(body: bytes, media: str) -> tuple[str, Given]:
    """The paste and what was given. Raises Refused: 400 when it cannot be decoded, 422 for its fields."""
    text = decode(body).removeprefix("\ufeff")
    if media == "text/plain":
        return not_empty(text), Given()
    return request_of(read_json(text))


def request_of(value: Any) -> tuple[str, Given]:
    """The paste and what was given, of a request's JSON. Raises Refused (422) for its fields."""
    try:
        request = MatchRequest.model_validate(value)
    except ValidationError as error:
        raise invalid(error.errors(include_url=False, include_input=False, include_context=False)) from None
    return not_empty(request.text), given_from_wire(request.given.model_dump())


def not_empty(text: str) -> str:
    if not text.strip():
        raise Refused(400, "The paste is empty. Send the log or traceback itself.")
    return text
