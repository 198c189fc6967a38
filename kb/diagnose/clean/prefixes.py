"""Prefixes off, into what is known of a line.

Several are often stacked (docker compose, then a time, then vLLM's tag, then vLLM's level), so rows are
applied until none fits. What stands nearer to the message knows better and wins, but for the time: the outer
stamp stands on every line and makes lines comparable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from kb.diagnose.clean.origin import part, whole
from kb.diagnose.clean.prefix_row import Row
from kb.diagnose.clean.prefix_rows import ROWS
from kb.diagnose.clean.text import Line, Piece, Process

MOST_STACKED = 12
Processes = dict[tuple[str | None, ...], Process]
_WORDS = {
    "debug": ("trace", "debug", "t", "d", "v"),
    "info": ("info", "notice", "i", "information"),
    "warning": ("warn", "warning", "w"),
    "error": ("err", "error", "e", "severe", "abort"),
    "critical": ("critical", "fatal", "f", "c", "alert", "emergency", "panic"),
}
_LEVELS = {
    written: level for level, words in _WORDS.items() for word in words for written in (word, word.upper())
}
# Tags such as "Worker_TP1" and "DP0 TP1" name the rank when tensor parallelism is all there is.
_PARALLEL = re.compile(r"(?<![A-Za-z])([A-Z]{2,3})(\d{1,4})(?!\d)")


def level_of(word: str | None) -> str | None:
    """One of debug, info, warning, error, critical for a level as written, or None for another word."""
    return (_LEVELS.get(word) or _LEVELS.get(word.lower())) if word else None


def strip_prefixes(lines: Iterable[Line]) -> list[Line]:
    """Lines without their prefixes."""
    processes: Processes = {}
    return [strip_prefix(line, processes) for line in lines]


def strip_prefix(line: Line, processes: Processes) -> Line:
    """A line without its prefixes; `processes` keeps one value for each process that was seen."""
    read = _read(line.text, line.time is not None)
    if read is None:
        return line
    pieces = line.pieces
    at, found = read
    if len(pieces) == 1:
        pieces = (Piece(0, pieces[0].line, pieces[0].column + at),)
    elif at:
        pieces = part(line, at).pieces
    return _told(line, line.text[at:], pieces, found, processes)


def has_prefix(text: str) -> bool:
    """Whether a text starts with a prefix that a row knows and that would be cut."""
    read = _read(text, timed=False)
    return read is not None and read[0] > 0


def strip_whole(texts: Iterable[tuple[int, str]]) -> list[Line]:
    """Numbered lines of the paste without their prefixes: the short way when nothing else was cut."""
    processes: Processes = {}
    lines = []
    for number, text in texts:
        read = _read(text, timed=False)
        if read is None:
            lines.append(whole(text, number))
        else:
            at, found = read
            lines.append(_told(_NOTHING, text[at:], (Piece(0, number, at),), found, processes))
    return lines


_NOTHING = whole("", 0)


def _read(text: str, timed: bool) -> tuple[int, dict[str, str]] | None:
    """Where the message starts and what the prefixes say, or None when there is no prefix."""
    reader = _reader(text[0], timed) if text else None
    match = reader.pattern.match(text) if reader is not None else None
    if match is None or reader is None:
        return None
    found: dict[str, str] = {}
    at = 0
    for _ in range(MOST_STACKED):
        row = reader.rows[match.lastgroup or ""]
        for name, value in zip(row.names, match.group(0, 0, *row.groups)[2:], strict=True):
            if value and (name not in found or (name != "time" and not row.keep)):
                found[name] = value
        if row.keep or match.end() == at:
            break
        at = match.end()
        timed = timed or "time" in found
        if at == len(text) or (row.last and text[at] not in "[(0123456789"):
            break
        reader = _reader(text[at], timed)
        match = reader.pattern.match(text, at) if reader is not None else None
        if match is None or reader is None:
            break
    return at, found


def _told(
    line: Line, text: str, pieces: tuple[Piece, ...], found: dict[str, str], processes: Processes
) -> Line:
    """What is left of the line, with what was found said of it."""
    get = found.get
    old = line.process
    key = (
        get("host") or old.host,
        get("rank") or old.rank,
        get("local_rank") or old.local_rank,
        get("role") or old.role,
        get("pid") or old.pid,
    )
    process = processes.get(key)
    if process is None:
        host, rank, local_rank, role, pid = key
        process = Process(host, rank or _rank_of(role), local_rank, role, pid)
        processes[key] = process
    return Line(
        text,
        pieces,
        process,
        level_of(get("level")) or line.level,
        line.time or get("time"),
        get("place") or line.place,
        get("logger") or line.logger,
    )


def _rank_of(role: str | None) -> str | None:
    """The rank that a tag names: "TP1" of "Worker_TP1". Not of "DP2 TP1", which is one of several groups."""
    ranks = [(kind, number) for kind, number in _PARALLEL.findall((role or "").replace("_", " "))]
    apart = [number for kind, number in ranks if kind != "TP" and number != "0"]
    return next((number for kind, number in ranks if kind == "TP" and not apart), None)


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A row inside an alternation: its fields and the numbers of their groups there."""

    keep: bool
    last: bool
    names: tuple[str, ...]
    groups: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Reader:
    """All rows that can start with one character, as one pattern."""

    pattern: re.Pattern[str]
    rows: dict[str, _Compiled]


@cache
def _reader(first: str, timed: bool) -> _Reader | None:
    """The rows that can start with a character; rows for times only when the line has told its time."""
    rows = tuple(row for row in ROWS if first in row.starts and (timed or not row.timed))
    return _compile(rows) if rows else None


@cache
def _compile(rows: tuple[Row, ...]) -> _Reader:
    """One alternation of rows. The name of the outermost group tells which row it was."""
    branches = [
        f"(?P<row{number}>{row.pattern.replace('(?P<', f'(?P<row{number}_')})"
        for number, row in enumerate(rows)
    ]
    pattern = re.compile("|".join(branches))
    compiled = {}
    for number, row in enumerate(rows):
        lead = f"row{number}_"
        inner = {name: group for name, group in pattern.groupindex.items() if name.startswith(lead)}
        names = tuple(name.removeprefix(lead).rstrip("0123456789") for name in inner)
        compiled[f"row{number}"] = _Compiled(row.keep, row.last, names, tuple(inner.values()))
    return _Reader(pattern, compiled)
