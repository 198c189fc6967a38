"""Prefixes of several writers that no row knows: `[pod/api-1] ` on some lines, `[pod/train-7] ` on others.

No shape is on most of the lines, so each prefix is proved by itself: the same text, but for its numbers,
stands before the head of a traceback and before a frame. Each writer becomes a process of its own, or the
lines of two tracebacks would be read as one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import part
from kb.diagnose.clean.text import Line
from kb.diagnose.clean.told import who_in

HEADER = "Traceback (most recent call last):"
FRAME = '  File "'
LONGEST = 80
MOST_SOURCES = 64
_NUMBER = re.compile(r"\d+")
# `pod/api-1`, `worker 3`, but not the hour behind it.
_NAME = re.compile(r"[A-Za-z][\w./=-]*(?: \d+(?![\d:.]))?")
_COUNTED = "0123456789-:= "
FEWEST_LINES = 3  # of each writer, on average: a number that rises from line to line names nobody
# grep writes a colon behind the name of a file where it found something, and a dash on the lines around it.
_FOLDED = str.maketrans(":", "-")


def strip_sources(lines: Sequence[Line], texts: Sequence[str]) -> list[Line] | None:
    """Lines without the prefixes that a traceback proves, or None. `texts` are those that are not blank."""
    headers = {_key(text, text.find(HEADER)) for text in texts if HEADER in text}
    headers.discard("")
    if not headers:
        return None
    frames = {_key(text, text.find(FRAME)) for text in texts if FRAME in text}
    keys = sorted(headers & frames, key=len, reverse=True)[:MOST_SOURCES]
    if not keys:
        return None
    return cut_prefixes(lines, [_end(line.text, keys) for line in lines])


def cut_prefixes(lines: Sequence[Line], ends: Sequence[int]) -> list[Line]:
    """Lines without their first characters, each told who wrote it where the prefixes name several."""
    prefixes = [line.text[:end] for line, end in zip(lines, ends, strict=True)]
    hosts = _writers(prefixes)
    return [
        _without(line, end, hosts.get(prefix))
        for line, end, prefix in zip(lines, ends, prefixes, strict=True)
    ]


def _writers(prefixes: Sequence[str]) -> dict[str, str]:
    """What each prefix names its writer, where there are several and none of them is a count of lines."""
    borne = [prefix for prefix in prefixes if prefix]
    named = {prefix: match[0] for prefix in set(borne) if (match := _NAME.search(prefix)) is not None}
    plain = {prefix: name.rstrip(_COUNTED) for prefix, name in named.items()}
    for names in (named, plain):
        if 1 < len(set(names.values())) <= len(borne) / FEWEST_LINES:
            return names
    return {}


def _key(text: str, at: int) -> str:
    """What stands before `at`, with all numbers made equal; empty when it is no prefix, or a long one."""
    if not 0 < at <= LONGEST or not any(map(str.isalnum, text[:at])):
        return ""
    return _folded(text[:at])


def _folded(text: str) -> str:
    return _NUMBER.sub("0", text).translate(_FOLDED)


def _end(text: str, keys: Sequence[str]) -> int:
    """Where the prefix of a line ends; 0 when it has none of them."""
    head = _folded(text[: 2 * LONGEST] + " ")
    key = next((key for key in keys if head.startswith(key)), None)
    if key is None:
        return 0
    at = offset = 0
    while offset < len(key) and at < len(text):
        number = _NUMBER.match(text, at) if key[offset] == "0" else None
        at = number.end() if number is not None else at + 1
        offset += 1
    return at


def _without(line: Line, end: int, host: str | None) -> Line:
    if not end:
        return line
    process = who_in(line.text[:end], line.process)
    if host is not None and process == line.process and process.host is None:
        process = process._replace(host=host)
    return part(line, end, said={"process": process})
