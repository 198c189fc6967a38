"""Read HTTP error bodies: `{"error": {"message": ...}}`, the flat form, and SGLang's `success: false`.

A body can stand alone, behind `Error code: 404 - ` as a Python literal, or in a log line. It is scanned,
never evaluated; texts with escapes are taken as they stand.
"""

from __future__ import annotations

import re

from kb.diagnose.clean.text import CleanText
from kb.diagnose.report import Event, Passage, Spot

# "message": "..." in JSON, 'message': "..." or '...' in a Python literal.
FIELD = re.compile(
    r"""["'](?P<key>message|error_message|detail|type|param|code|object|success|status)["']\s*:\s*
    (?: "(?P<double>(?:[^"\\]|\\.)*)(?:"|$) | '(?P<single>(?:[^'\\]|\\.)*)(?:'|$) | (?P<bare>[\w.-]+) )""",
    re.VERBOSE,
)
TEXT_KEYS = ("error_message", "message", "detail")
MAX_BODY = 20_000
MAX_LINES = 40


def read_bodies(clean: CleanText) -> list[Event]:
    """An event for each error body, at most one for each line; a pretty-printed object is one body."""
    events, behind = [], 0
    for at, line in enumerate(clean.lines):
        if at < behind or "{" not in line.text:
            continue
        joined, offsets = join_pretty(clean, at)
        if "essage" not in joined and "detail" not in joined:
            continue
        event = read_body(clean, at, joined, offsets)
        if event is not None:
            events.append(event)
            behind = offsets[-1][1] + 1
    return events


def read_body(clean: CleanText, at: int, joined: str, offsets: list[tuple[int, int]]) -> Event | None:
    """The error body in a line, or None when the JSON in it is something else."""
    fields: dict[str, str] = {}
    text: tuple[int, str] | None = None
    for match in FIELD.finditer(joined):
        value = next((match[g] for g in ("double", "single", "bare") if match[g] is not None), "")
        key = match["key"]
        if key in TEXT_KEYS and text is None and match["bare"] is None:
            text = (match.start("double") if match["double"] is not None else match.start("single"), value)
        fields.setdefault(key, value)
    if text is None or not is_error(joined, fields):
        return None
    start, value = text
    line_number, column = locate(offsets, start)
    line = clean.lines[at]
    return Event(
        on="body", passage=Passage(value, (Spot(0, line_number, column),)), at=line_number, type=fields.get("type"),
        process=line.process, level=line.level or "error", time=line.time, fields=fields,
    )  # fmt: skip


def is_error(text: str, fields: dict[str, str]) -> bool:
    """Whether the object is an error answer and not some JSON with a `message`."""
    return (
        '"error"' in text
        or "'error'" in text
        or fields.get("object") == "error"
        or fields.get("success", "").lower() == "false"
        or "error_message" in fields
        or fields.get("type", "").endswith("Error")
    )


def join_pretty(clean: CleanText, at: int) -> tuple[str, list[tuple[int, int]]]:
    """The line, with the lines of a pretty-printed object behind it; offsets say where each line starts."""
    text, offsets = clean.lines[at].text, [(0, at)]
    open_braces = text.count("{") - text.count("}")
    last = min(at + MAX_LINES, len(clean.lines))
    for index in range(at + 1, last):
        if open_braces <= 0 or len(text) > MAX_BODY:
            break
        offsets.append((len(text) + 1, index))
        more = clean.lines[index].text
        text += "\n" + more
        open_braces += more.count("{") - more.count("}")
    return text, offsets


def locate(offsets: list[tuple[int, int]], position: int) -> tuple[int, int]:
    """Clean line and column of an offset in joined text."""
    start, line = max((pair for pair in offsets if pair[0] <= position), key=lambda pair: pair[0])
    return line, position - start
