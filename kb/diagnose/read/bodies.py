"""Read HTTP error bodies: `{"error": {"message": ...}}`, the flat form, `success: false`, `{"detail": ...}`.

A body can stand alone, behind `Error code: 404 - ` as a Python literal, or in a log line. It is scanned from
left to right once, never evaluated; texts with escapes are taken as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.diagnose.clean.text import CleanText
from kb.diagnose.report import Event, Passage, Spot
from kb.diagnose.words import WordMap

KEY = re.compile(
    r"""["'](?P<key>error|message|error_message|msg|detail|type|error_type|param|code|object|success|status)["']\s*:\s*"""
)
ANY_KEY = re.compile(r"[{,]\s*[\"'][\w-]+[\"']\s*:")
BARE = re.compile(r"[\w.-]+")
INSIDE = {'"': re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+'), "'": re.compile(r"[^'\\]*+(?:\\.[^'\\]*+)*+")}
TEXT_KEYS = ("error_message", "message", "msg", "detail", "error")  # the one that says the most comes first
TEXT_WORDS = frozenset(TEXT_KEYS)
MAX_BODY = 20_000
MAX_LINES = 40


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object: its key, its value, and where the value's text begins."""

    key: str
    value: str
    start: int
    is_text: bool


def read_bodies(clean: CleanText, words: WordMap) -> list[Event]:
    """An event for each error body, at most one for each line; a pretty-printed object is one body."""
    events: list[Event] = []
    told: set[int] = set()
    for hit, _ in words.near(TEXT_WORDS):
        if hit in told:
            continue
        at = object_start(clean, hit, told)
        if at is None:
            continue
        joined, offsets = join_pretty(clean, at)
        event = read_body(clean, at, joined, offsets)
        if event is not None:
            events.append(event)
            told.update(index for _, index in offsets)
    return events


def object_start(clean: CleanText, hit: int, told: set[int]) -> int | None:
    """The line in which the object begins that has a member on line `hit`; None when there is none."""
    if "{" in clean.lines[hit].text:
        return hit
    start = None
    process = clean.lines[hit].process
    for at in range(hit - 1, max(hit - MAX_LINES, -1), -1):
        if clean.lines[at].process != process:
            continue  # another process wrote in between
        if at in told:
            break
        text = clean.lines[at].text.rstrip()
        if text.endswith("{"):
            start = at
        elif start is not None or not text.endswith(","):
            break
    return start


def read_body(clean: CleanText, at: int, joined: str, offsets: list[tuple[int, int]]) -> Event | None:
    """The error body in a line, or None when the JSON in it is something else."""
    found = list(members(joined))
    texts = {member.key: member for member in reversed(found) if member.is_text and member.key in TEXT_KEYS}
    fields = {
        member.key: member.value for member in reversed(found) if member.key != "error" or member.is_text
    }
    said = [texts[key] for key in TEXT_KEYS if key in texts and texts[key].value.strip()]
    # `"msg": "process_completed"` names a kind of message and is none.
    told = next((member for member in said if " " in member.value.strip()), said[0] if said else None)
    if told is None or not is_error(joined, found, fields):
        return None
    line_number, column = locate(offsets, told.start)
    line = clean.lines[at]
    return Event(
        on="body",
        passage=Passage(told.value, (Spot(0, line_number, column),)),
        at=line_number,
        type=fields.get("type") or fields.get("error_type"),
        process=line.process,
        level=line.level or "error",
        time=line.time,
        fields=fields,
    )


def members(text: str) -> Iterator[Member]:
    """The members whose keys are known, in order. Each character is read a fixed number of times."""
    position = 0
    while (match := KEY.search(text, position)) is not None:
        start = position = match.end()
        inside = INSIDE.get(text[start : start + 1])
        if inside is not None:
            start += 1
            value = inside.match(text, start)
            assert value is not None  # it also matches nothing
            position = value.end() + 1
            yield Member(match["key"], value[0], start, is_text=True)
        elif text[start : start + 1] in ("{", "["):
            yield Member(match["key"], "", start, is_text=False)
        elif (bare := BARE.match(text, start)) is not None:
            position = bare.end()
            yield Member(match["key"], bare[0], start, is_text=False)


def is_error(joined: str, found: list[Member], fields: dict[str, str]) -> bool:
    """Whether the object is an error answer and not some JSON with a `message`."""
    errors = [m for m in found if m.key == "error" and (not m.value or m.value.lower() not in NO_ERROR)]
    return (
        any(not member.is_text or member.value.strip() for member in errors)
        or fields.get("object") == "error"
        or fields.get("success", "").lower() == "false"
        or "error_message" in fields
        or fields.get("type", "").endswith("Error")
        or (found[0].key == "detail" and len(ANY_KEY.findall(joined)) == 1)
    )


NO_ERROR = frozenset({"null", "none", "false", "0"})


def join_pretty(clean: CleanText, at: int) -> tuple[str, list[tuple[int, int]]]:
    """The line, with the lines of a pretty-printed object behind it; offsets say where each line starts.

    An object that is not closed within a few lines is none, unless the paste ends inside it.
    """
    texts, offsets = [clean.lines[at].text], [(0, at)]
    open_braces = texts[0].count("{") - texts[0].count("}")
    size = len(texts[0])
    process = clean.lines[at].process
    for index in range(at + 1, len(clean.lines)):
        if open_braces <= 0:
            break
        if index - at == MAX_LINES or size > MAX_BODY:
            return texts[0], offsets[:1]
        if clean.lines[index].process != process:
            continue
        more = clean.lines[index].text
        offsets.append((size + 1, index))
        texts.append(more)
        size += 1 + len(more)
        open_braces += more.count("{") - more.count("}")
    return "\n".join(texts), offsets


def locate(offsets: list[tuple[int, int]], position: int) -> tuple[int, int]:
    """Clean line and column of an offset in joined text."""
    start, line = max((pair for pair in offsets if pair[0] <= position), key=lambda pair: pair[0])
    return line, position - start
