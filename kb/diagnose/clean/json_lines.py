"""Log lines inside JSON: Docker's json-file, CloudWatch, Stackdriver, structlog, journald, and their like.

An envelope becomes the lines it carries, with what it says of them. The JSON body of an HTTP error is no
envelope: it is the failure itself and stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.diagnose.clean import json_keys as keys
from kb.diagnose.clean.backslashes import unescaped
from kb.diagnose.clean.json_members import Found, Member, read_object
from kb.diagnose.clean.origin import Said, part, tell
from kb.diagnose.clean.prefixes import level_of
from kb.diagnose.clean.text import Line, Process

MOST_OBJECTS = 5_000


def is_json(text: str) -> bool:
    """Whether a text could be an envelope, at the cost of a glance."""
    start = text.lstrip()[:2]
    return start.startswith(('{"', "[{")) or start == "{ "


def open_envelope(line: Line) -> list[Line] | None:
    """The lines that an envelope carries, or None when the line is none."""
    text = line.text
    at = len(text) - len(text.lstrip(" [\t"))
    lines: list[Line] = []
    for _ in range(MOST_OBJECTS):
        found = read_object(text, at) if text.startswith("{", at) else None
        if found is None:
            break
        record = _Record(found)
        if not record.is_envelope():
            return None
        lines += record.lines(line)
        at = found.end + len(text[found.end :][:200]) - len(text[found.end :][:200].lstrip(" ,]\t"))
    return lines or None


class _Record:
    """One object as a log record: its values by short names."""

    def __init__(self, found: Found) -> None:
        self.objects = found.objects
        self.members: dict[str, list[Member]] = {}
        for member in found.members:
            self.members.setdefault(_short(member.path), []).append(member)

    def first(self, names: Iterable[str]) -> Member | None:
        for name in names:
            if name in self.members:
                return self.members[name][0]
        return None

    def message(self) -> Member | None:
        for name in (*keys.MESSAGES, *(keys.WEAK_MESSAGES if self.written() else ())):
            for member in self.members.get(name, ()):
                if member.string:
                    return member
        return None

    def written(self) -> bool:
        """Whether a logger or a shipper wrote it: it tells a time, a level, or where it came from."""
        told = self.first((*keys.TIMES, *keys.LEVELS)) is not None
        return told or bool(keys.SHIPPED & self.members.keys()) or ("kubernetes",) in self.objects

    def is_envelope(self) -> bool:
        names = self.members.keys()
        spoken = self.message() is not None or bool(keys.DETAILS & names)
        if not spoken:
            return False
        if self.written():
            return "object" not in names
        if ("error",) in self.objects or keys.ANSWERS & names:
            return False
        return self.message() is not None and len(names) <= 3

    def lines(self, line: Line) -> Iterator[Line]:
        said = self.said(line)
        message = self.message()
        if message is not None:
            yield from _carried(line, message, said)
        seen = {line.text[message.start : message.end]} if message is not None else set()
        for name, members in self.members.items():
            if name not in keys.DETAILS:
                continue
            for member in members:
                value = line.text[member.start : member.end]
                if member.string and value not in seen and any(character.isalpha() for character in value):
                    seen.add(value)
                    yield from _carried(line, member, said)

    def said(self, line: Line) -> Said:
        def value(*names: str) -> str | None:
            member = self.first(names)
            return (line.text[member.start : member.end].strip() or None) if member is not None else None

        old = line.process
        role = value(
            "processname", "process_name", "container_name", "container", "kubernetes.container_name"
        )
        process = Process(
            value(*keys.HOSTS) or old.host,
            value("rank", "global_rank") or old.rank,
            value("local_rank") or old.local_rank,
            role or old.role,
            value(*keys.PIDS) or old.pid,
        )
        name = value(*keys.FILES)
        number = value(*keys.LINES)
        level = level_of(value(*keys.LEVELS)) or level_of(value("level.name"))
        return Said(
            process=process,
            level=level or keys.PRIORITIES.get(value("priority") or "") or line.level,
            time=value(*keys.TIMES) or line.time,
            place=f"{name}:{number}" if name and number else name or line.place,
            logger=value(*keys.LOGGERS) or line.logger,
        )


def _short(path: tuple[str, ...]) -> str:
    """`jsonPayload.message` is a message, `error.message` a part of the error."""
    names = [key.lower() for key in path]
    while len(names) > 1 and names[0] in keys.WRAPS:
        del names[0]
    return ".".join(names[-2:])


def _carried(line: Line, member: Member, said: Said) -> Iterator[Line]:
    if member.string:
        carried = unescaped(line, member.start, member.end)
    else:
        carried = [part(line, member.start, member.end)]
    for inner in carried:
        yield tell(inner, said)
