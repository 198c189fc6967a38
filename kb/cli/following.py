"""Read a file as it grows: also when it is not there yet, replaced by another (rotated) or cut to nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from kb.cli.stop import StopError

CHUNK = 1_000_000
WINDOW = 1_000_000  # bytes of the log in which a failure is looked for


class Follower:
    """What a file has gained since the last look."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def read(self) -> Iterator[bytes | None]:
        """The new bytes in pieces; None where another file begins, behind the rest of the one before."""
        if self._file is not None:
            yield from self._rest(self._file)
            if not self._replaced(self._file):
                return
            self._file.close()
        before, self._file = self._file, self._open()
        if before is not None:
            yield None
        if self._file is not None:
            yield from self._rest(self._file)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _open(self) -> BinaryIO | None:
        if self._path.is_dir():
            raise StopError(f"{self._path} is a folder; name the log file in it")
        try:
            return self._path.open("rb")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StopError(f"cannot read {self._path}: {(error.strerror or str(error)).lower()}") from error

    def _replaced(self, file: BinaryIO) -> bool:
        """Whether the name stands for another file by now, or this one was cut short."""
        try:
            now = self._path.stat()
        except FileNotFoundError:
            return False  # moved away; the next one may not have been made yet
        return not os.path.samestat(now, os.fstat(file.fileno())) or now.st_size < file.tell()

    @staticmethod
    def _rest(file: BinaryIO) -> Iterator[bytes]:
        while data := file.read(CHUNK):
            yield data


class Window:
    """The last part of a log, in whole lines, and the number of its first line."""

    def __init__(self, most: int = WINDOW) -> None:
        self._most = most
        self.clear()

    def clear(self) -> None:
        self._data = b""
        self.first_line = 1

    def add(self, data: bytes) -> None:
        self._data += data
        over = len(self._data) - self._most
        if over > 0:
            cut = self._data.find(b"\n", over) + 1 or over
            self.first_line += self._data.count(b"\n", 0, cut)
            self._data = self._data[cut:]

    def text(self) -> str:
        return self._data.decode("utf-8", "replace")
