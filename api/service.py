"""What the routes share: the settings, the book that is served, and the way of a paste to its answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from pydantic import ValidationError

from api.body import decode
from api.book import Book, read_book
from api.formats import FORMS, Form
from api.models import MatchRequest
from api.problems import Refused, invalid
from api.settings import Settings
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
        self.book: Book = read_book(settings.build_dir)
        self._threads = CapacityLimiter(settings.concurrency)

    def reload(self) -> None:
        """Serve what was built anew. Raises BrokenBuild, and goes on with the old book, when it is broken."""
        self.book = read_book(self.settings.build_dir)

    async def match(self, body: bytes, media: str, form: Form = FORMS["json"]) -> bytes:
        """The diagnosis of a request's body, in a form.

        Small pastes are matched in the event loop: some milliseconds for a hundred lines. Large ones would
        keep health checks waiting, so they go to one of a few threads; when too many wait for one already,
        the client is told to come back.
        """
        index, site = self.book.index, self.settings.site_url
        return await self._work(lambda: answer(index, body, media, form, site), len(body))

    async def diagnose(self, text: str, given: Given) -> Diagnosis:
        """The diagnosis of a paste and of what is given, without their secrets: for chats and assistants."""
        index = self.book.index
        size = len(text) + sum(map(len, given.outputs.values()))
        return await self._work(lambda: diagnose_redacted(text, given, index), size)

    async def _work(self, work: Callable[[], Work], size: int) -> Work:
        """Do the work for a paste of some size here or in a thread. Raises Refused (503) when too many wait."""
        if size <= self.settings.inline_body:
            return work()
        if self._threads.statistics().tasks_waiting >= self.settings.queue:
            raise Refused(
                503,
                "Too many large pastes are waiting. Try again in some seconds, or send a shorter part.",
                headers={"Retry-After": "5"},
            )
        return await to_thread.run_sync(work, limiter=self._threads)


def diagnose_redacted(text: str, given: Given, index: Index) -> Diagnosis:
    outputs = {check: redact(output).text for check, output in given.outputs.items()}
    return diagnose(redact(text).text, index, replace(given, outputs=outputs))


def answer(index: Index, body: bytes, media: str, form: Form, site: str) -> bytes:
    """The diagnosis of a body in a form."""
    text, given = read_request(body, media)
    if not text.strip():
        raise Refused(400, "The paste is empty. Send the log or traceback itself.")
    return form.render(diagnose(text, index, given), site)


def read_request(body: bytes, media: str) -> tuple[str, Given]:
    """The paste and what was given. Raises Refused: 400 when it cannot be decoded, 422 for its fields."""
    text = decode(body).removeprefix("\ufeff")
    if media == "text/plain":
        return text, Given()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        place = (
            f" (line {error.lineno}, column {error.colno}: {error.msg})"
            if isinstance(error, json.JSONDecodeError)
            else ""
        )
        raise Refused(
            400, f"The body is not JSON{place}. A paste as it stands is sent as text/plain."
        ) from None
    try:
        request = MatchRequest.model_validate(value)
    except ValidationError as error:
        raise invalid(error.errors(include_url=False, include_input=False, include_context=False)) from None
    return request.text, given_from_wire(request.given.model_dump())
