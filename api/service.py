"""What the routes share: the settings, the book that is served, and the way of a paste to its answer."""

from __future__ import annotations

import json

from anyio import CapacityLimiter, to_thread
from pydantic import ValidationError

from api.body import decode
from api.book import Book, read_book
from api.formats import FORMS, Form
from api.models import MatchRequest
from api.problems import Refused, invalid
from api.settings import Settings
from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Given
from kb.diagnose.index import Index
from kb.diagnose.wire import given_from_wire


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
        index = self.book.index
        if len(body) <= self.settings.inline_body:
            return answer(index, body, media, form, self.settings.site_url)
        if self._threads.statistics().tasks_waiting >= self.settings.queue:
            raise Refused(
                503,
                "Too many large pastes are waiting. Try again in some seconds, or send a shorter part.",
                headers={"Retry-After": "5"},
            )
        site = self.settings.site_url
        return await to_thread.run_sync(answer, index, body, media, form, site, limiter=self._threads)


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
