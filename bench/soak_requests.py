"""Requests that mean harm, each as the bytes that go over the wire: for `make soak`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from gzip import compress
from random import Random
from typing import Any
from urllib.parse import quote

from bench.hostile import HOSTILE

zipped = partial(compress, mtime=0)
MARK = "planted-7Q2Zk-soak"
"""Stands in every paste and query, and must never stand in a log."""

EVIL = f"<script>alert('{MARK}')</script>"
METHODS = (
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "TRACE",
    "PROPFIND",
    "CONNECT",
    "get",
    "X" * 50,
)
PATHS = (
    "/",
    "/api",
    "/api/",
    "/api/match",
    "/api/match/batch",
    "/api/entries",
    "/api/entries/vllm-lora-rank-exceeds-max",
    "/api/errors/x",
    "/api/checks/x",
    "/api/signatures",
    "/api/search",
    "/api/index",
    "/api/schema",
    "/api/docs",
    "/api/openapi.json",
    "/healthz",
    "/readyz",
    "/metrics",
    "/mcp",
    "/api/bots/slack",
    "/api/bots/discord",
    "/api/bots/slash",
    "/api/entries/../../secret",
    "/..%2f..%2fetc/passwd",
    "/%00",
    "/%ff%fe",
    "//x",
    "/a" * 3000,
    "/errors/%0d%0aSet-Cookie:x=1",
    "/api/entries/%0d%0aX-Evil:1",
    "/assets/../../index.json",
    "/C:\\windows",
    "*",
    "http://elsewhere.example/api/match",
    "/api/entries/" + "%F0%9F%94%A5" * 500,
)
TYPES = (
    "text/plain",
    "application/json",
    "multipart/form-data; boundary=b",
    "application/x-ndjson",
    "",
    "text/html",
    "text/plain; charset=utf-16",
    "application/json; charset=x",
    "multipart/form-data",
    "a" * 5000,
    "application/xml",
    'multipart/form-data; boundary="' + "b" * 500 + '"',
)
ODD_HEADERS = (
    "Accept: " + "text/html;q=0.1," * 300,
    "Accept: */*;q=x",
    "Accept: \x00",
    "X-Forwarded-For: " + "1.2.3.4," * 800,
    "X-Forwarded-For: <script>",
    "Range: bytes=0-0," + "1-2," * 400,
    "Range: bytes=9-1",
    "If-None-Match: " + '"x",' * 900,
    "X-Request-ID: a\tb",
    f"X-Request-ID: {EVIL}",
    "Content-Encoding: gzip",
    "Content-Encoding: br",
    "Content-Encoding: gzip, gzip",
    "Expect: 100-continue",
    "Upgrade: websocket",
    "Transfer-Encoding: chunked, chunked",
    "Host: elsewhere.example\r\nHost: b",
    "Origin: https://elsewhere.example",
    "Cookie: " + "a=b;" * 900,
    "X-Slack-Signature: v0=00\r\nX-Slack-Request-Timestamp: 1",
    "X-Signature-Ed25519: " + "00" * 64 + "\r\nX-Signature-Timestamp: 1",
    "Authorization: Token x",
    "Accept-Encoding: br;q=nan, gzip;q=-1",
    "If-Modified-Since: x",
    "Mcp-Session-Id: ../x",
)
BROKEN = (
    b"\r\n\r\n",
    b"\x00" * 100,
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
    b"POST /api/match HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST /api/match HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    b"POST /api/match HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x",
    b"POST /api/match HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
    b"POST /api/match HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc",
    b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 3000 + b"\r\n",
    b"GET /" + b"a" * 90000 + b" HTTP/1.1\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n",
)


@dataclass(frozen=True)
class Sent:
    """A request as bytes, of which kind it is, and whether it is HTTP at all."""

    kind: str
    data: bytes
    is_http: bool = True


def requests(count: int, seed: int) -> Iterable[Sent]:
    """So many requests of all kinds, the same for the same seed."""
    random = Random(seed)
    for _ in range(count):
        kind = random.choice([*KINDS])
        yield KINDS[kind](random)


def post(kind: str, path: str, body: bytes, media: str, *more: str) -> Sent:
    return Sent(
        kind, head("POST", path, f"Content-Type: {media}", f"Content-Length: {len(body)}", *more) + body
    )


def head(method: str, path: str, *headers: str) -> bytes:
    lines = (f"{method} {path} HTTP/1.1", "Host: x", "Connection: close", *headers, "", "")
    return "\r\n".join(lines).encode("latin-1", "replace")


def text_of(random: Random) -> str:
    """A text made to be slow, to break out of markup, or to be odd in its characters."""
    name = random.choice([*HOSTILE])
    size = random.choice((50, 500, 5000, 30_000))
    odd = "".join(
        chr(random.choice((0, 9, 13, 27, 0x7F, 0x85, 0x200B, 0x202E, 0x2028, 0xFEFF, 0x1F525)))
        for _ in range(20)
    )
    parts = [HOSTILE[name](size), f"ValueError: {EVIL} {odd} <!channel> @everyone ``` $(id)", MARK]
    random.shuffle(parts)
    return "\n".join(parts)


def paste(random: Random) -> Sent:
    form = random.choice(("json", "markdown", "text", "html", "slack", "discord", EVIL, ""))
    path = f"/api/match?format={quote(form)}" if random.random() < 0.7 else "/api/match"
    return post("paste", path, text_of(random).encode("utf-8", "surrogatepass"), "text/plain")


def fields(random: Random) -> Sent:
    """JSON of the right shape with wrong things in it."""
    odd: Any = random.choice(
        (None, -1, 1e308, [], {}, "", "x" * 3000, [[]] * 50, {"a": {"b": [1]}}, True, "\ud800", MARK)
    )
    given = {random.choice(("versions", "components", "outcomes", "outputs", "__proto__")): odd}
    body = random.choice(
        ({"text": text_of(random), "given": given}, {"text": odd}, {"text": "a", MARK: odd}, odd)
    )
    return post("fields", "/api/match", json.dumps(body).encode(), "application/json")


def shapes(random: Random) -> Sent:
    """JSON that is deep, wide, broken, or no JSON."""
    body = random.choice(
        (
            b"[" * 100_000,
            b'{"a":' * 50_000,
            b'{"text": "' + b"\\" * 9999,
            b'{"text": 1e999999}',
            b'{"text": NaN}',
            b'{"text": "a", "text": "b"}',
            b"\xff\xfe{\x00}\x00",
            b'{"text": "\\ud800"}',
            b'"' * 9000,
            b"",
            b"null",
            b'{"text": "a", "given": {"components": [' + b"1," * 40_000 + b"1]}}",
            b"1" * 20_000,
            b"{" + b'"a":1,' * 9000,
        )
    )
    return post("shapes", random.choice(("/api/match", "/mcp")), body, "application/json")


def packed(random: Random) -> Sent:
    """gzip: bombs, cut off, many members, packed twice, none at all."""
    plain = text_of(random).encode("utf-8", "surrogatepass")
    body = random.choice(
        (
            zipped(b"\n" * 60_000_000),
            zipped(plain)[:-9],
            zipped(plain) * 3,
            zipped(b"") * 500,
            zipped(zipped(plain)),
            plain,
            b"\x1f\x8b" + b"\0" * 99,
            zipped(plain) + b"tail",
            b"",
        )
    )
    return post("packed", "/api/match", body, random.choice(TYPES[:4]), "Content-Encoding: gzip")


def forms(random: Random) -> Sent:
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n'
    body = random.choice(
        (
            part + b"\r\n" + text_of(random).encode("utf-8", "surrogatepass") + b"\r\n--b--\r\n",
            part * 5000,
            b"--b" * 20_000,
            part + b"X: y\r\n" * 9000 + b"\r\nx",
            part,
            b"--b--",
            b"",
            part.replace(b"file", b"text") + b"\r\n\xff\xfe\r\n--b--",
        )
    )
    return post("forms", "/api/match", body, random.choice((TYPES[2], TYPES[2], TYPES[8], TYPES[11])))


def batch(random: Random) -> Sent:
    good = json.dumps({"id": MARK, "text": text_of(random)[:3000]}).encode()
    odd = (
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b'{"id": [1], "text": 5}',
        b"\xff",
        b"",
        b"[" * 9000,
        b'{"id": 1, "text": ""}',
        good,
    )
    body = b"\n".join(random.choice(odd) for _ in range(random.randrange(1, 12)))
    media = random.choice(("application/x-ndjson", "application/x-ndjson", "application/jsonl", "text/plain"))
    return post("batch", "/api/match/batch", body, media)


def paths(random: Random) -> Sent:
    method, path = random.choice(METHODS), random.choice(PATHS)
    query = random.choice(
        (
            "",
            f"?q={quote(text_of(random)[:600])}",
            "?limit=-1&after=%00",
            "?" + "a=b&" * 900,
            f"?format={MARK}",
        )
    )
    return Sent(
        "paths",
        head(method, (path + query).replace(" ", "%20"), random.choice(ODD_HEADERS), "Content-Length: 0"),
    )


def queries(random: Random) -> Sent:
    text = quote(text_of(random)[: random.choice((10, 200, 4000))], safe="")
    word = text.replace(MARK, "")  # paths are logged
    path = random.choice(
        (
            f"/api/search?q={text}",
            f"/api/search?q={text[:150]}&limit=1e9",
            f"/api/signatures?text={text}",
            f"/api/entries?component={text[:300]}",
            f"/api/entries?package=vllm&version={text[:300]}",
            "/api/entries?kind=x",
            f"/api/entries?after={text[:300]}&limit=1000",
            f"/api/entries/{word[:400]}",
            f"/api/checks/{word[:400]}",
            "/api/search?q=" + "%20".join("a*b?c~9" for _ in range(20)),
            f"/{word[:500]}",
            f"/errors/{word[:300]}/",
        )
    )
    return Sent("queries", head("GET", path, random.choice(ODD_HEADERS)))


def headers(random: Random) -> Sent:
    body = text_of(random)[:2000].encode("utf-8", "surrogatepass")
    path = random.choice(
        ("/api/match", "/mcp", "/api/bots/slack", "/api/bots/discord", "/api/bots/slash", "/")
    )
    return post("headers", path, body, random.choice(TYPES), *random.sample(ODD_HEADERS, 2))


def broken(random: Random) -> Sent:
    """What is no HTTP, or breaks off."""
    whole = paste(random).data
    data = random.choice((*BROKEN, random.randbytes(300), whole[: random.randrange(len(whole))]))
    return Sent("broken", data, is_http=False)


KINDS: dict[str, Callable[[Random], Sent]] = {
    each.__name__: each
    for each in (paste, fields, shapes, packed, forms, batch, paths, queries, headers, broken)
}
