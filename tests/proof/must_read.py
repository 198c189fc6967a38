"""The pastes of `must_read/`, each of a kind that must be read, with what is right about it.

A file holds many pastes. One begins with `=== name`; what is right stands in the lines up to `---`:

    fact: what is odd about it             also: a part of the line that begins a second failure
    line: a part of the initiating line    process: rank=3 host=a, or - where the paste shows none
    message: the whole message             quiet: nothing failed
    written: escaped characters            through: what the paste went through, see `WAYS`
    wrong: why it is still read wrongly
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent / "must_read"
Lines = list[tuple[int, str]]  # the line that each comes from, and its text


@dataclass(frozen=True)
class Paste:
    """One paste and what is right about it; `lines` are the lines of the text that hold the right one."""

    name: str
    fact: str
    text: str
    lines: frozenset[int]
    also: frozenset[int]
    process: dict[str, str] | None
    message: str | None
    quiet: bool
    wrong: str | None


def pastes() -> list[Paste]:
    """All pastes of all files, in their order."""
    return [paste for file in sorted(HERE.glob("*.pastes")) for paste in read(file.read_text())]


def read(text: str) -> Iterator[Paste]:
    """The pastes of one file."""
    for block in re.split(r"(?m)^=== ", text)[1:]:
        head, _, body = block.partition("\n---\n")
        name, *told = head.splitlines()
        yield make(name, dict(row.split(": ", 1) for row in told), body.removesuffix("\n"))


def make(name: str, told: dict[str, str], body: str) -> Paste:
    if told.get("written") == "escaped":
        body = re.sub(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|r)", unescaped, body)
    lines = list(enumerate(body.split("\n"), 1))
    right, also = (
        {number for number, line in lines if part in line} if (part := told.get(key)) else set()
        for key in ("line", "also")
    )
    for way in told.get("through", "").split():
        lines = gone(way, lines)
    text = "\n".join(line for _, line in lines) + "\n"
    # A carriage return ends a line too, alone or with the line feed behind it.
    lines = [(number, own) for number, line in lines for own in line.removesuffix("\r").split("\r")]
    processed = told.get("process")
    return Paste(
        name,
        told["fact"],
        text,
        now(lines, right),
        now(lines, also),
        None if processed is None else dict(re.findall(r"(\w+)=(.+?)(?= \w+=|$)", processed)),
        told.get("message"),
        told.get("quiet") == "yes",
        told.get("wrong"),
    )


def now(lines: Lines, right: set[int]) -> frozenset[int]:
    """Where lines stand after all ways: the first of what each became."""
    origins = [origin for origin, _ in lines]
    return frozenset(origins.index(number) + 1 for number in right)


def unescaped(match: re.Match[str]) -> str:
    return "\r" if match[1] == "r" else chr(int(match[1][1:], 16))


def gone(way: str, lines: Lines) -> Lines:
    """Lines after one way; its last word may be a number."""
    name, _, number = way.rpartition("-") if re.search(r"-\d+$", way) else (way, "", "0")
    return WAYS[name](lines, int(number))


def misread(encoding: str, mark: str = "") -> Callable[[Lines, int], Lines]:
    """UTF-16 that was read byte by byte. A line end is two bytes, so one stays with a neighbour."""
    low = encoding.endswith("le")

    def work(lines: Lines, _: int) -> Lines:
        texts = [line.encode(encoding).decode("latin-1") for _, line in lines]
        last = len(texts) - 1
        return [
            (
                number,
                (mark if at == 0 else "")
                + ("\0" if low and at else "")
                + text
                + ("\0" if not low and at < last else ""),
            )
            for at, ((number, _), text) in enumerate(zip(lines, texts, strict=True))
        ]

    return work


def wrap(lines: Lines, width: int) -> Lines:
    return [
        (number, line[at : at + width]) for number, line in lines for at in range(0, max(len(line), 1), width)
    ]


def pad(lines: Lines, width: int) -> Lines:
    return [(number, line.ljust(width)) for number, line in wrap(lines, width)]


def split_records(lines: Lines, width: int) -> Lines:
    """Docker's json-file: a record for each part of a line, the last with the line's end."""
    parts = [
        (number, text[at : at + width], at + width >= len(text))
        for number, text in padded(lines, 2 * width)
        for at in range(0, len(text), width)
    ]
    return [
        (number, json.dumps({"log": part + "\n" * end, "stream": "stderr", "time": "2026-06-03T06:00:00Z"}))
        for number, part, end in parts
    ]


def cut_by(head: str) -> Callable[[Lines, int], Lines]:
    """A logger that cuts long lines and puts its head before each part."""

    def work(lines: Lines, width: int) -> Lines:
        return [(number, head + text) for number, text in wrap(padded(lines, 2 * width), width - len(head))]

    return work


def padded(lines: Lines, size: int) -> Lines:
    filling = " ".join(f"layer.{n}" for n in range(size // 9))
    return [(number, line.replace("PADDING", filling)) for number, line in lines]


def blob(lines: Lines, size: int) -> Lines:
    text = base64.b64encode(bytes(range(256)) * (size // 8)).decode()
    return [(number, line.replace("BASE64", text)) for number, line in lines]


def bury(lines: Lines, count: int) -> Lines:
    healthy = [(0, f"2026-06-03 05:00:00,000 INFO step {n} loss {n % 7}.{n % 10}") for n in range(count)]
    return [*healthy[: count // 2], *lines, *healthy[count // 2 :]]


WAYS: dict[str, Callable[[Lines, int], Lines]] = {
    "utf-16-le": misread("utf-16-le"),
    "utf-16-be": misread("utf-16-be"),
    "utf-16-le-marked": misread("utf-16-le", "\xff\xfe"),
    "utf-16-be-marked": misread("utf-16-be", "\xfe\xff"),
    "no-nuls": lambda lines, _: [(number, line.replace("\0", "")) for number, line in lines],
    "wrap": wrap,
    "pad": pad,
    "repeat": lambda lines, count: lines * count,
    "json-file": split_records,
    "syslog": cut_by("Jun  3 06:10:00 n5 app[71]: "),
    "base64": blob,
    "bury": bury,
}
