"""A platform for the bots: a real server on this machine that takes what they send and gives them files.
And the pastes that people show them.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import httpx

from tests.api.server_process import Running
from tests.conftest import ENTRIES

SECRET = "hf_" + "Abcd1234" * 4
LORA = "(EngineCore_DP0 pid=4711) ValueError: LoRA rank 64 is greater than max_lora_rank 16."
UNSURE = min((ENTRIES / "cuda-out-of-memory").glob("match-*.txt")).read_text()

Answer = tuple[int, dict[str, str], bytes]
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Asked:
    """One request that the platform got."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def value(self) -> dict[str, Any]:
        """Its body: JSON, or a form whose values may be JSON."""
        if self.headers.get("content-type", "").startswith("application/json"):
            return dict(json.loads(self.body))
        form = {name: values[0] for name, values in parse_qs(self.body.decode()).items()}
        return {name: json.loads(text) if text[:1] in "[{" else text for name, text in form.items()}


@dataclass
class Platform:
    """What it was asked, and what it answers to a path; all else is answered `{"ok": true}`."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    answers: dict[str, Answer | Callable[[Asked], Answer]] = field(default_factory=dict)

    def wait(self, path: str, number: int = 1) -> Asked:
        """The request to a path, when it comes."""
        deadline = time.monotonic() + 20
        while len(found := [each for each in self.asked if each.path == path]) < number:
            assert time.monotonic() < deadline, f"not asked: {path}; {[each.path for each in self.asked]}"
            time.sleep(0.02)
        return found[number - 1]

    def forget(self) -> None:
        """Be as at the beginning."""
        self.asked.clear()
        self.answers.clear()

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        found = self.answers.get(asked.path, (200, JSON, b'{"ok": true}'))
        return found(asked) if callable(found) else found


@dataclass(frozen=True)
class Chat:
    """A server with a chat switched on, and the platform that it speaks with."""

    server: Running
    platform: Platform

    def deliver(self, bot: str, body: bytes, headers: dict[str, str]) -> httpx.Response:
        """A request as a platform sends it: it wants its answer within three seconds."""
        return httpx.post(f"{self.server.url}/api/bots/{bot}", content=body, headers=headers, timeout=3)


@contextmanager
def platform() -> Iterator[Platform]:
    """A platform, while the block runs."""
    made = Platform()

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, more, content = made.answer(Asked(self.command, self.path, headers, body))
            self.send_response(status)
            for name, value in {**more, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = handle_any  # noqa: N815 - the names that the standard library calls

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
