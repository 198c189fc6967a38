"""Read what the person hands in: a file or a pipe, in whatever encoding it was saved."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

from kb.cli.stop import StopError

BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
BINARY = 0.1  # share of control characters above which bytes are no log


def read_bytes(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. Stops with a sentence when there are none."""
    if name == "-":
        if sys.stdin.isatty():
            print("Paste the traceback or log, then press Ctrl-D:", file=sys.stderr)
        return sys.stdin.buffer.read()
    path = Path(name)
    if path.is_dir():
        raise StopError(f"{name} is a folder; name the log file in it")
    try:
        return path.read_bytes()
    except OSError as error:
        raise StopError(f"cannot read {name}: {(error.strerror or str(error)).lower()}") from error


def decode(data: bytes, name: str) -> tuple[str, str | None]:
    """Text of the bytes, and what had to be said about it. Stops when it is no text or empty."""
    text, note = _text(data)
    shown = "standard input" if name == "-" else name
    if not text.strip():
        raise StopError(f"{shown} is empty; hand in the traceback or log, as a file or through a pipe")
    control = sum(character < " " and character not in "\t\n\r\x1b\x08\f" for character in text[:4096])
    if control > BINARY * min(len(text), 4096):
        raise StopError(f"{shown} is no text (many control characters); hand in the log itself, unpacked")
    return text, note and f"{shown} {note}"


def _text(data: bytes) -> tuple[str, str | None]:
    for mark, encoding in BOMS:
        if data.startswith(mark):
            try:
                return data.decode(
                    encoding
                ), None if encoding == "utf-8-sig" else f"was read as {encoding.upper()}"
            except UnicodeDecodeError:
                break
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return data.decode("latin-1"), f"is not UTF-8 (line {line}); it was read as Latin-1"
