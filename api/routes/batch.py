"""POST /api/match/batch: many pastes in, a line for each, a line of answer for each, as they come."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from api.body import content_encoding, decode
from api.book import Book
from api.json_text import read_json
from api.problems import ALWAYS, Refused, problem_body, responses
from api.service import Service, request_of
from kb.diagnose.wire import to_wire

NDJSON = "application/x-ndjson"
MEDIA = {NDJSON, "application/jsonl", "application/ndjson", "application/json-lines"}
LINE = '{"id": "run-17", "text": "ValueError: LoRA rank 64 is greater than max_lora_rank 16."}\n'
BODY: dict[str, Any] = {
    "required": True,
    "content": {NDJSON: {"schema": {"type": "string"}, "example": LINE}},
}


class Streamed(StreamingResponse):
    """A response that is sent while the request is still read.

    Starlette would listen for the client's leaving meanwhile, and thereby take the request's lines away.
    """

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await self.stream_response(send)


def batch_routes(service: Service) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["match"], responses=responses(*ALWAYS))

    @router.post(
        "/match/batch",
        summary="Diagnose many pastes",
        openapi_extra={"requestBody": BODY},
        responses={
            200: {
                "description": "one line for each line, in order: `{id, diagnosis}` or `{id, error}`",
                "content": {NDJSON: {"schema": {"type": "string"}}},
            },
            **responses(415),
        },
        response_class=StreamingResponse,
    )
    async def match_batch(request: Request) -> Streamed:
        """Lines of JSON, `{"id", "text", "given"}` each. The answers are sent while lines still come in; one
        bad line does not end it: its answer says what is wrong."""
        media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media not in MEDIA or content_encoding(request) != "identity":
            raise Refused(415, f"A batch is sent as {NDJSON}, a line of JSON for each paste, not packed.")
        headers = {"Cache-Control": "no-store"}
        return Streamed(answers(request, service), media_type=NDJSON, headers=headers)

    return router


async def answers(request: Request, service: Service) -> AsyncIterator[bytes]:
    """The answer to each line that is not blank, in order. Ends when the client has gone."""
    number = 0
    try:
        async for line in lines(request, service.settings.max_body, service.settings.body_seconds):
            number += 1
            if isinstance(line, Refused):
                yield line_of(None, error=line)
            elif line.strip():
                yield await one(line, number, service)
            if number >= service.settings.batch_lines:
                yield line_of(None, error=too_many(service.settings.batch_lines))
                return
    except Refused as late:
        yield line_of(None, error=late)
    except ClientDisconnect:
        return


async def one(line: bytes, number: int, service: Service) -> bytes:
    """The answer to one line. What is wrong with it is told in its place."""
    book = service.book
    while True:
        try:
            return await service.in_turn(lambda: answer_line(line, number, service, book), len(line))
        except Refused:
            await asyncio.sleep(0.05)  # the batch waits its turn; single pastes are refused instead


def answer_line(line: bytes, number: int, service: Service, book: Book) -> bytes:
    """A line's diagnosis, or what is wrong with the line, under its id."""
    name: Any = None
    try:
        item = read_json(decode(line).removeprefix("\ufeff"), f"Line {number}")
        if not isinstance(item, dict):
            raise Refused(400, f"Line {number} is no object.")
        name = item.pop("id", None)
        text, given = request_of(item)
        diagnosis = to_wire(service.counted(text, given, book.index))
    except Refused as error:
        return line_of(name, error=error)
    return json.dumps({"id": name, "diagnosis": diagnosis}, separators=(",", ":")).encode() + b"\n"


def line_of(name: Any, *, error: Refused) -> bytes:
    problem = problem_body(error.status, error.detail, error.errors)
    return b'{"id": %s, "error": %s}\n' % (json.dumps(name).encode(), problem)


def too_many(most: int) -> Refused:
    return Refused(413, f"A batch has at most {most:,} lines. Send the others in another one.")


async def chunks(request: Request, seconds: float) -> AsyncIterator[bytes]:
    """A body as it arrives. Raises Refused (408) when nothing comes for some seconds."""
    stream = request.stream()
    while True:
        try:
            async with asyncio.timeout(seconds):
                chunk = await anext(stream, None)
        except TimeoutError:
            raise Refused(408, f"No line came for {seconds:g} seconds. Send the others anew.") from None
        if chunk is None:
            return
        yield chunk


async def lines(request: Request, most: int, seconds: float) -> AsyncIterator[bytes | Refused]:
    """The lines of a body as they arrive; in the place of one longer than `most`, why it is not read."""
    held = bytearray()
    skipping = False
    async for chunk in chunks(request, seconds):
        held += chunk
        while (end := held.find(b"\n")) >= 0:
            line = bytes(held[:end])
            del held[: end + 1]
            if skipping or len(line) > most:
                yield too_long(most)
            else:
                yield line
            skipping = False
        if len(held) > most:
            held.clear()
            skipping = True
    if skipping:
        yield too_long(most)
    elif held:
        yield bytes(held)


def too_long(most: int) -> Refused:
    return Refused(413, f"A line is longer than {most:,} bytes. Send the part around the first error.")
