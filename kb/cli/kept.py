"""What is kept of a command's output: its beginning and its end, however much it prints.

The beginning names versions and settings, the end says what failed; what lies between is mostly progress.
"""

from __future__ import annotations

from collections import deque

FIRST = 1_000_000  # bytes kept of the beginning
LAST = 4_000_000  # bytes kept of the end
LONGEST_LINE = 64_000  # bytes that wait for their line end; a progress bar may never print one


class Kept:
    """Lines of several streams in the order in which they were completed, within fixed bounds."""

    def __init__(self, first: int = FIRST, last: int = LAST) -> None:
        self._first, self._last = first, last
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._in_tail = 0
        self.left_out = 0  # bytes
        self._begun: dict[int, bytes] = {}

    def add(self, stream: int, data: bytes) -> None:
        """Take what a stream has printed. An unfinished line waits, so that streams never mix within one."""
        data = self._begun.pop(stream, b"") + data
        end = len(data) if len(data) > LONGEST_LINE else data.rfind(b"\n") + 1
        if data[end:]:
            self._begun[stream] = data[end:]
        self._keep(data[:end])

    def finish(self) -> None:
        """Take the lines that were never finished."""
        for rest in self._begun.values():
            self._keep(rest + b"\n")
        self._begun.clear()

    def text(self) -> str:
        """Beginning and end; where something was left out between them, a line says so."""
        head, tail = bytes(self._head), b"".join(self._tail)
        if self.left_out:
            whole_head, whole_tail = head.rfind(b"\n") + 1, tail.find(b"\n") + 1
            left_out = self.left_out + len(head) - whole_head + whole_tail
            note = f"[kb left out {left_out} bytes here]\n".encode()
            head, tail = head[:whole_head] + note, tail[whole_tail:]
        return (head + tail).decode("utf-8", "replace")

    def _keep(self, data: bytes) -> None:
        room = self._first - len(self._head)
        self._head += data[:room]
        rest = data[room:]
        if not rest:
            return
        self._tail.append(rest)
        self._in_tail += len(rest)
        while self._in_tail - len(self._tail[0]) >= self._last:
            dropped = len(self._tail.popleft())
            self._in_tail -= dropped
            self.left_out += dropped
