"""Calls to a platform: files are read and answers sent, with limits, in a thread.

An address comes out of a signed request, and still only the platform's own hosts are asked: a token goes
nowhere else. Redirects are not followed, for they lead elsewhere or to a page that asks for a password.
"""

from __future__ import annotations

import json
import re
import time
from http.client import HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from anyio import to_thread

from api.problems import Refused

SECONDS = 10.0  # without a byte
LONGEST = 30.0  # for all of them
STEP = 65_536
PLAIN = re.compile(r"[A-Za-z0-9.-]+(?::\d{1,5})?")


class Unreached(Exception):
    """The platform did not take or give something; the text says what, and nothing of a paste."""


def opener() -> OpenerDirector:
    """Speaks HTTP and HTTPS, over a proxy where the environment names one, and nothing else."""
    made = OpenerDirector()
    for handler in (ProxyHandler, HTTPHandler, HTTPSHandler, HTTPDefaultErrorHandler, HTTPErrorProcessor):
        made.add_handler(handler())
    return made


OPENER = opener()


def is_of(url: str, api: str, hosts: tuple[str, ...]) -> bool:
    """Whether an address is on a host of the platform over https, or where its API is said to be."""
    try:
        parts, own = urlsplit(url), urlsplit(api)
    except ValueError:
        return False
    if not PLAIN.fullmatch(parts.netloc):  # readers of addresses differ about all else
        return False
    if (parts.scheme, parts.netloc) == (own.scheme, own.netloc):
        return True
    name = parts.hostname or ""
    return parts.scheme == "https" and any(name == host or name.endswith(f".{host}") for host in hosts)


async def download(url: str, most: int, headers: dict[str, str]) -> bytes:
    """A file of at most so many bytes. Raises Refused when it is larger, Unreached when it is not given."""
    return await to_thread.run_sync(_download, url, most, headers)


def _download(url: str, most: int, headers: dict[str, str]) -> bytes:
    deadline, data = time.monotonic() + LONGEST, bytearray()
    with _open(Request(url, headers=headers)) as response:  # noqa: S310 - `is_of` has seen the address
        if response.headers.get_content_type() == "text/html":
            raise Unreached("a page came instead of the file; may the bot read files?")
        while piece := response.read(STEP):
            data += piece
            if len(data) > most:
                raise Refused(
                    413, f"The file is larger than {most:,} bytes. Send the part around the first error."
                )
            if time.monotonic() > deadline:
                raise Unreached("the file did not come in time")
    return bytes(data)


async def send(method: str, url: str, value: Any) -> None:
    """Send JSON. Raises Unreached when it is not taken."""
    await to_thread.run_sync(_send, method, url, value)


def _send(method: str, url: str, value: Any) -> None:
    body = json.dumps(value).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "DiscordBot (Faultbook, 1)"}
    with _open(Request(url, body, headers, method=method)) as response:  # noqa: S310 - built from our setting
        response.read(STEP)


def _open(request: Request) -> HTTPResponse:
    try:
        response: HTTPResponse = OPENER.open(request, timeout=SECONDS)
    except HTTPError as error:
        error.close()
        raise Unreached(f"{urlsplit(request.full_url).hostname} answered {error.code}") from None
    except (URLError, OSError, ValueError) as error:
        raise Unreached(f"{urlsplit(request.full_url).hostname}: {type(error).__name__}") from None
    return response
