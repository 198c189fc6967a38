"""A request's body as bytes, then as text: never more than allowed, never longer than allowed.

The size is counted while the body comes in, because `Content-Length` is only a promise and a chunked body
has none. A body somewhat too large is read to its end and thrown away, so that its sender reads the answer
instead of a broken connection; beyond twice the limit the connection is closed.
"""

from __future__ import annotations

import asyncio
import json
import re

from starlette.requests import Request

from api.json_text import read_json
from api.problems import Refused
from api.unpack import form_parts, gunzip

CLOSE = {"Connection": "close"}
CHARSET = re.compile(r';\s*charset\s*=\s*"?([^\s";]+)', re.IGNORECASE)
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


async def read_body(request: Request, most: int, seconds: float) -> bytes:
    """The body. Raises Refused: 413 when it has more than `most` bytes, 408 when it takes too long."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > 2 * most:
        raise too_large(most, close=True)
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                size += len(chunk)
                if size > 2 * most:
                    raise too_large(most, close=True)
                if size <= most:
                    chunks.append(chunk)
    except TimeoutError:
        raise Refused(
            408,
            f"The body did not arrive within {seconds:g} seconds. Send it again, or a shorter part.",
            headers=CLOSE,
        ) from None
    if size > most:
        raise too_large(most, close=False)
    return b"".join(chunks)


def too_large(most: int, *, close: bool) -> Refused:
    detail = (
        f"The paste is larger than {most:,} bytes. Send the part around the first error: some hundred lines "
        "before and after it are enough."
    )
    return Refused(413, detail, headers=CLOSE if close else None)


FORM = "multipart/form-data"


def media_type(request: Request) -> str:
    """JSON, plain text or a form. Raises Refused (415) for all else, and for what is not UTF-8."""
    header = request.headers.get("content-type", "")
    media = header.partition(";")[0].strip().lower()
    if media not in {"application/json", "text/plain", FORM}:
        sent = f"not {media[:80]}" if media else "but there is no Content-Type"
        raise Refused(
            415,
            'A paste is sent as text/plain, as application/json {"text": ...} or as the file of a form, '
            f"{sent}. With curl: -H 'Content-Type: text/plain' --data-binary @FILE",
        )
    charset = CHARSET.search(header)
    if charset and charset[1].lower() not in {"utf-8", "utf8", "us-ascii", "ascii"}:
        raise Refused(
            415, f"The charset must be utf-8, not {charset[1][:40]}. Convert the file first: iconv -t utf-8"
        )
    encoding = content_encoding(request)
    if encoding not in {"identity", "gzip"}:
        raise Refused(
            415, f"A body with Content-Encoding {encoding[:40]} is not read. Send it as it is, or as gzip."
        )
    return media


def content_encoding(request: Request) -> str:
    return request.headers.get("content-encoding", "identity").strip().lower()


async def read_paste(request: Request, most: int, seconds: float) -> tuple[bytes, str]:
    """The paste of a request, unpacked, and its media type. Raises Refused.

    A form becomes what it stands for: plain text, or JSON where it has a field `given` beside its file.
    """
    media = media_type(request)
    body = await read_body(request, most, seconds)
    if content_encoding(request) == "gzip":
        body = gunzip(body, most)
    if media == FORM:
        return from_form(*form_parts(body, request.headers["content-type"]))
    return body, media


def from_form(paste: bytes, given: bytes) -> tuple[bytes, str]:
    """The body that a form stands for, and its media type. Raises Refused."""
    if not given.strip():
        return paste, "text/plain"
    known = read_json(decode(given), "The field `given`")
    text = decode(paste).removeprefix("\ufeff")
    return json.dumps({"text": text, "given": known}).encode(), "application/json"


def decode(body: bytes) -> str:
    """The body as text. Raises Refused (400) when it is empty or not UTF-8."""
    if not body:
        raise Refused(
            400, 'The body is empty. Send the log or traceback as text/plain, or as JSON {"text": ...}.'
        )
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        if body.startswith(UTF_16):
            hint = "it looks like UTF-16, which PowerShell writes: save it as UTF-8"
        else:
            hint = "drop what cannot be read: iconv -f utf-8 -t utf-8 -c FILE"
        raise Refused(400, f"The body is not UTF-8 (byte {error.start + 1}); {hint}.") from None
