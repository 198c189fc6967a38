"""Log lines inside JSON: Docker's json-file, CloudWatch, Stackdriver, structlog, journald, and their like.

An envelope becomes the lines it carries, with what it says of them. The JSON body of an HTTP error is no
envelope: it is the failure itself and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.diagnose.clean import json_keys as keys
from kb.diagnose.clean.backslashes import unescaped
from kb.diagnose.clean.json_members import Found, Member, read_object
from kb.diagnose.clean.origin import Said, join, part, tell
from kb.diagnose.clean.prefixes import level_of
from kb.diagnose.clean.signs import is_sign
from kb.diagnose.clean.text import Line, Process

MOST_OBJECTS = 5_000
LONGEST_HEAD = 120
_BEFORE = re.compile(r"[ \t]*\[?[ \t]*")
_BETWEEN = re.compile(r"[ \t]*[,\]]?[ \t]*")
_NOTHING = frozenset(("", "null", "None", "-"))


def is_json(text: str) -> bool:
    """Whether a text could hold an envelope, at the cost of a glance."""
    return '{"' in text[:LONGEST_HEAD] or text.lstrip()[:2] == "{ "


def open_envelope(line: Line) -> list[Line] | None:
    """The lines that an envelope carries, or None when the line is none."""
    text = line.text
    at = _end(_BEFORE, text, 0)
    if not text.startswith("{", at):
        return _open_behind(line)
    lines: list[Line] = []
    for _ in range(MOST_OBJECTS):
        found = read_object(text, at) if text.startswith("{", at) else None
        if found is None:
            break
        record = _Record(found, text)
        if not record.is_envelope():
            return None
        lines += record.lines(line)
        at = _end(_BETWEEN, text, found.end)
    if lines and any(character.isalpha() for character in text[at:]):
        lines.append(part(line, at))
    return lines or None


def _open_behind(line: Line) -> list[Line] | None:
    """A record behind a head ("my.app ERROR {...}") that says nothing which the record does not."""
    at = line.text.find('{"')
    found = read_object(line.text, at) if at > 0 and not is_sign(line.text) else None
    if found is None:
        return None
    record = _Record(found, line.text)
    if not record.written or record.message is None or not record.is_envelope():
        return None
    return list(record.lines(line))


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match is not None else at


class _Record:
    """One object as a log record."""

    def __init__(self, found: Found, text: str) -> None:
        self.text = text
        self.names: set[str] = set()
        self.best: dict[str, tuple[int, Member]] = {}
        self.details: list[Member] = []
        for member in found.members:
            name = _short(member.path)
            self.names.add(name)
            if name in keys.DETAILS and member.string:
                self.details.append(member)
            field, place = keys.FIELDS.get(name, ("", 0))
            if not field or (field in ("message", "weak") and not member.string):
                continue
            if field not in self.best or place < self.best[field][0]:
                self.best[field] = place, member
        self.nested_error = ("error",) in found.objects
        # Whether a logger or a shipper wrote it: it tells a time, a level, or where it came from.
        shipped = bool(keys.SHIPPED & self.names) or ("kubernetes",) in found.objects
        self.written = shipped or "time" in self.best or "level" in self.best
        spoken = self.best.get("message") or (self.best.get("weak") if self.written else None)
        self.message = spoken[1] if spoken is not None else None

    def is_envelope(self) -> bool:
        if self.message is None and not self.details:
            return False
        if self.nested_error and self.message is None and "level" not in self.best:
            return False
        if self.written:
            return "object" not in self.names
        return not keys.ANSWERS & self.names and self.message is not None and len(self.names) <= 3

    def lines(self, line: Line) -> Iterator[Line]:
        """The message, then what failed, unless it says the same."""
        said = self.said(line)
        seen: set[str] = set()
        for member in ([self.message] if self.message is not None else []) + self.details:
            value = self.text[member.start : member.end]
            if member is not self.message and (value in seen or not any(map(str.isalpha, value))):
                continue
            seen.add(value)
            for number, inner in enumerate(unescaped(line, member.start, member.end)):
                told = member is self.message and number == 0
                yield tell(self.with_target(line, inner) if told else inner, said)

    def with_target(self, line: Line, message: Line) -> Line:
        """A message as Rust's tracing writes it in plain text: behind the part of the program that spoke."""
        target = self.best.get("logger", (0, None))[1]
        if target is None or target.path[-1].lower() != "target" or is_sign(message.text):
            return message
        return join([part(line, target.start, target.end), message], [": "])

    def said(self, line: Line) -> Said:
        old = line.process
        process = Process(
            self.value("host") or old.host,
            self.value("rank") or old.rank,
            self.value("local_rank") or old.local_rank,
            self.value("role") or old.role,
            self.value("pid") or old.pid,
        )
        name = self.value("file")
        number = self.value("line")
        level = level_of(self.value("level")) or keys.PRIORITIES.get(self.value("priority") or "")
        return Said(
            process=process,
            level=level or line.level,
            time=self.value("time") or line.time,
            place=f"{name}:{number}" if name and number else name or line.place,
            logger=self.value("logger") or line.logger,
        )

    def value(self, field: str) -> str | None:
        if field not in self.best:
            return None
        member = self.best[field][1]
        value = self.text[member.start : member.end].strip()
        return None if value in _NOTHING else value


def _short(path: tuple[str, ...]) -> str:
    """`jsonPayload.message` is a message, `error.message` a part of the error."""
    if len(path) == 1:
        return path[0].lower()
    names = [key.lower() for key in path]
    while len(names) > 1 and names[0] in keys.WRAPS:
        del names[0]
    return ".".join(names[-2:])
