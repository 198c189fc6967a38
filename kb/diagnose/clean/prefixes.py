"""Prefixes off, into what is known of a line.

Several are often stacked (docker compose, then a time, then vLLM's tag, then vLLM's level), so rows are
applied until none fits. What stands nearer to the message knows better and wins, but for the time: the outer
stamp stands on every line and makes lines comparable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial

from kb.diagnose.clean.origin import part, whole
from kb.diagnose.clean.prefix_chains import Chains
from kb.diagnose.clean.prefix_readers import Values, read_prefixes
from kb.diagnose.clean.text import Line, Piece, Process

Processes = dict[Values, Process]
FEW = 200  # lines up to which no order of prefixes comes often enough to be learned
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
_RANK_NAME = re.compile(r"(?:global[-_]?)?rank[-_]?(?P<rank>\d{1,6})", re.IGNORECASE)
_PARALLEL = re.compile(r"(?<![A-Za-z])([A-Z]{2,3})(\d{1,4})(?!\d)")


_new = tuple.__new__  # makes a named tuple without the step of Python that its class takes


def level_of(word: str | None) -> str | None:
    """One of debug, info, warning, error, critical for a level as written, or None for another word."""
    return (_LEVELS.get(word) or _LEVELS.get(word.lower())) if word else None


def strip_prefixes(lines: Iterable[Line]) -> list[Line]:
    """Lines without their prefixes."""
    processes: Processes = {}
    return [strip_prefix(line, processes) for line in lines]


def strip_prefix(line: Line, processes: Processes) -> Line:
    """A line without its prefixes; `processes` keeps one value for each process that was seen."""
    read = read_prefixes(line.text, line.time is not None)
    if read is None:
        return line
    at, found = read
    pieces = line.pieces
    if len(pieces) == 1:
        pieces = (Piece(0, pieces[0].line, pieces[0].column + at),)
    elif at:
        pieces = part(line, at).pieces
    host, rank, local_rank, role, pid, level, time, place, logger = found
    old = line.process
    who = (host or old.host, rank or old.rank, local_rank or old.local_rank, role or old.role, pid or old.pid)
    return Line(
        line.text[at:],
        pieces,
        _process(who, processes),
        level_of(level) or line.level,
        line.time or time,
        place or line.place,
        logger or line.logger,
    )


def has_prefix(text: str) -> bool:
    """Whether a text starts with a prefix that a row knows and that would be cut."""
    read = read_prefixes(text, timed=False)
    return read is not None and read[0] > 0


def strip_whole(texts: Sequence[tuple[int, str]]) -> list[Line]:
    """Numbered lines of the paste without their prefixes: the short way when nothing else was cut."""
    processes: Processes = {}
    read = Chains().read if len(texts) > FEW else partial(read_prefixes, timed=False)
    lines = []
    for number, text in texts:
        found = read(text)
        if found is None:
            lines.append(whole(text, number))
            continue
        at, values = found
        who, (level, time, place, logger) = values[:5], values[5:]
        process = processes.get(who) or _process(who, processes)
        level = _LEVELS.get(level) or level_of(level) if level else None
        pieces = (_new(Piece, (0, number, at)),)
        lines.append(_new(Line, (text[at:], pieces, process, level, time, place, logger)))
    return lines


def _process(who: Values, processes: Processes) -> Process:
    """The one value for a process."""
    known = processes.get(who)
    if known is None:
        host, rank, local_rank, role, pid = who
        if rank is None and host is not None and (rank := rank_in_name(host)) is not None:
            host = None
        known = processes[who] = Process(host, rank or _rank_of(role), local_rank, role, pid)
    return known


def rank_in_name(name: str) -> str | None:
    """The rank when that is all that a name says: `rank17` of a file, a logger or a window."""
    match = _RANK_NAME.fullmatch(name)
    return match["rank"] if match is not None else None


def _rank_of(role: str | None) -> str | None:
    """The rank that a tag names: "TP1" of "Worker_TP1". Not of "DP2 TP1", which is one of several groups."""
    ranks = [(kind, number) for kind, number in _PARALLEL.findall((role or "").replace("_", " "))]
    apart = [number for kind, number in ranks if kind != "TP" and number != "0"]
    return next((number for kind, number in ranks if kind == "TP" and not apart), None)
