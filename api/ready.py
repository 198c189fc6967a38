"""Answers that are ready before anyone asks: bytes, the tag by which a client says that it has them already,
and for the large ones the same bytes packed.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass

from fastapi import Request, Response


@dataclass(frozen=True, slots=True)
class Page:
    """A ready JSON answer and its entity tag."""

    body: bytes
    etag: str
    packed: bytes | None = None  # by gzip, where that is done


def page(body: bytes) -> Page:
    return Page(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def packed_page(body: bytes) -> Page:
    """One that is packed once and for all."""
    plain = page(body)
    return Page(body, plain.etag, gzip.compress(body, 6, mtime=0))


def send(request: Request, page: Page) -> Response:
    """A page, packed where the client takes that, or 304 when the client has it already."""
    body, etag = page.body, page.etag
    headers = {"Cache-Control": "no-cache"}
    if page.packed is not None:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in accepted(request.headers.get("accept-encoding", "")):
            body, etag = page.packed, f'{page.etag[:-1]}-gzip"'  # other bytes, another tag
            headers["Content-Encoding"] = "gzip"
    headers["ETag"] = etag
    known = request.headers.get("if-none-match", "")
    if known.strip() == "*" or etag in (tag.strip().removeprefix("W/") for tag in known.split(",")):
        headers.pop("Content-Encoding", None)  # of a body that does not come
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


def accepted(header: str) -> set[str]:
    """The codings that an Accept-Encoding header allows by name; `br;q=0` forbids one."""
    allowed = set()
    for part in header.lower().split(","):
        coding, _, weight = part.partition(";")
        if not re.fullmatch(r"\s*q=0(\.0*)?\s*", weight):
            allowed.add(coding.strip())
    return allowed
