"""Python tracebacks in a text, taken apart so that they can be drawn as other programs draw them."""

from __future__ import annotations

import re
from dataclasses import dataclass

HEADER = "Traceback (most recent call last):"
_FRAME = re.compile(r'^  File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>.+))?$')
_LAST = re.compile(r"^[A-Za-z_][\w.]*(?:: .*)?$")


@dataclass(frozen=True)
class Frame:
    """One frame: where, and the source lines below it (without markers)."""

    path: str
    line: int
    function: str
    source: str


@dataclass(frozen=True)
class Block:
    """One traceback: lines `start` to `stop` (exclusive) of a text."""

    start: int
    stop: int
    frames: tuple[Frame, ...]
    message: tuple[str, ...]  # `ValueError: ...` and the lines below that belong to it


def blocks(lines: list[str]) -> list[Block]:
    """All whole tracebacks, also behind a tag that stands before each of their lines."""
    found = []
    at = 0
    while at < len(lines):
        block = read_block(lines, at) if lines[at].endswith(HEADER) else None
        if block is not None:
            found.append(block)
        at = block.stop if block else at + 1
    return found


def read_block(lines: list[str], start: int) -> Block | None:
    """The traceback that begins in a line, None when it has no frames or no last line."""
    tag = lines[start].removesuffix(HEADER)
    frames: list[Frame] = []
    at = start + 1
    while at < len(lines) and lines[at].startswith(tag):
        line = lines[at].removeprefix(tag)
        if frame := _FRAME.match(line):
            frames.append(
                Frame(frame["path"], int(frame["line"]), (frame["function"] or "<module>").strip(), "")
            )
        elif line.startswith("    ") and frames:
            if not frames[-1].source and line.strip(" ^~"):
                frames[-1] = Frame(
                    frames[-1].path, frames[-1].line, frames[-1].function, line.removeprefix("    ")
                )
        else:
            break
        at += 1
    if not frames or at >= len(lines) or not _LAST.match(lines[at].removeprefix(tag)):
        return None
    message = [lines[at].removeprefix(tag)]
    at += 1
    while at < len(lines) and lines[at].startswith((f"{tag}\t", f"{tag}  ")):
        message.append(lines[at].removeprefix(tag))
        at += 1
    return Block(start, at, tuple(frames), tuple(message))
