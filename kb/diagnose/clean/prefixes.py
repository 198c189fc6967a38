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

from kb.diagnose.clean.prefix_rows import ROWS, Row
from kb.diagnose.clean.text import Line, Piece, Process

MOST_STACKED = 12
Processes = dict[tuple[str | None, ...], Process]
_LEVELS = {
    **dict.fromkeys(("trace", "debug", "t", "d", "v"), "debug"),
    **dict.fromkeys(("info", "notice", "i", "information"), "info"),
    **dict.fromkeys(("warn", "warning", "w"), "warning"),
    **dict.fromkeys(("err", "error", "e", "severe", "abort"), "error"),
    **dict.fromkeys(("critical", "fatal", "f", "c", "alert", "emergency", "panic"), "critical"),
}
# Tags such as "Worker_TP1" and "DP0 TP1" name the rank when tensor parallelism is all there is.
_PARALLEL = re.compile(r"(?<![A-Za-z])([A-Z]{2,3})(\d{1,4})(?!\d)")


def level_of(word: str | None) -> str | None:
    """One of debug, info, warning, error, critical for a level as written, or None for another word."""
    return _LEVELS.get(word.lower()) if word else None


def strip_prefixes(lines: Iterable[Line]) -> list[Line]:
    """Lines without their prefixes."""
    processes: Processes = {}
    return [strip_prefix(line, processes) for line in lines]


def strip_prefix(line: Line, processes: Processes) -> Line:
    """A line without its prefixes; `processes` keeps one value for each process that was seen."""
    text = line.text
    if not text or (reader := _reader(text[0], line.time is not None)) is None:
        return line
    found: dict[str, str] = {}
    at = 0
    timed = line.time is not None
    for _ in range(MOST_STACKED):
        match = reader.pattern.match(text, at)
        if match is None:
            break
        row = reader.rows[match.lastgroup or ""]
        if row.keep:
            for name, group in row.fields:
                found.setdefault(name, match[group] or "")
            break
        _note(found, match, row)
        if match.end() == at:
            break
        at = match.end()
        timed = timed or "time" in found
        if at == len(text) or (further := _reader(text[at], timed)) is None:
            break
        reader = further
    return _told(line, at, found, processes) if found or at else line


def _note(found: dict[str, str], match: re.Match[str], row: _Compiled) -> None:
    for name, group in row.fields:
        value = match[group]
        if value and (name != "time" or name not in found):
            found[name] = value.strip()


def _told(line: Line, at: int, found: dict[str, str], processes: Processes) -> Line:
    """The line from `at` on, with what was found said of it."""
    get = found.get
    old = line.process
    role = get("role") or old.role
    key = (
        get("host") or old.host,
        get("rank") or old.rank or (_rank_of(role) if role else None),
        get("local_rank") or old.local_rank,
        role,
        get("pid") or old.pid,
    )
    process = processes.get(key)
    if process is None:
        process = processes[key] = Process(*key)
    return Line(
        line.text[at:],
        _behind(line.pieces, at),
        process,
        level_of(get("level")) or line.level,
        line.time or get("time"),
        get("place") or line.place,
        get("logger") or line.logger,
        line.quoted,
    )


def _behind(pieces: tuple[Piece, ...], at: int) -> tuple[Piece, ...]:
    """The pieces of what stands from `at` on."""
    if len(pieces) == 1:
        piece = pieces[0]
        return (Piece(0, piece.line, piece.column + at),)
    first, *later = [piece for piece in pieces if piece.offset <= at][-1:] + [
        piece for piece in pieces if piece.offset > at
    ]
    return (
        Piece(0, first.line, first.column + at - first.offset),
        *(Piece(piece.offset - at, piece.line, piece.column) for piece in later),
    )


def _rank_of(role: str) -> str | None:
    ranks = {kind: number for kind, number in _PARALLEL.findall(role.replace("_", " ")) if number}
    ranks = {kind: number for kind, number in ranks.items() if kind == "TP" or number != "0"}
    return ranks["TP"] if list(ranks) == ["TP"] else None


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A row inside an alternation: its fields and the names of their groups there."""

    keep: bool
    fields: tuple[tuple[str, str], ...]


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
    branches = []
    compiled = {}
    for number, row in enumerate(rows):
        outer = f"row{number}"
        names = re.compile(row.pattern).groupindex
        fields = [(name.rstrip("0123456789"), f"{outer}_{name}") for name in names]
        branches.append(f"(?P<{outer}>{row.pattern.replace('(?P<', f'(?P<{outer}_')})")
        compiled[outer] = _Compiled(row.keep, tuple(fields))
    return _Reader(re.compile("|".join(branches)), compiled)
