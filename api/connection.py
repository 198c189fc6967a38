"""A connection that has to say what it wants: in time, and in few words.

The server by itself waits for the head of a request without end, and keeps all of it: a client that sends a
byte now and then, or a header of gigabytes, would hold a connection or the memory.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.problems import MEDIA_TYPE, problem_body

HEAD_SECONDS = 15.0
HEAD_BYTES = 64 * 1024


class Connection(HttpToolsProtocol):
    """uvicorn's, with an end to the head of a request, and with refusals in our form."""

    _late: TimerHandle | None = None  # None once the head is there: then there is a `cycle`, too
    _head = 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        if self._late is None and self.cycle.response_complete:
            self._expect_head()
        super().data_received(data)
        if self._late is not None:
            self._head += len(data)
            if self._head > HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response("The head of the request is too large.")

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is refused in the form that all refusals have."""
        body = problem_body(400, f"{msg} Nothing of it was read.")
        head = f"content-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\n" + head.encode() + body)
        self.transport.close()

    def on_headers_complete(self) -> None:
        self._head_is_there()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_there()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        self._head = 0
        self._late = self.loop.call_later(HEAD_SECONDS, self.timeout_keep_alive_handler)

    def _head_is_there(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
