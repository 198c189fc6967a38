"""Read failures that are no exceptions: log lines of level WARNING and above, and lines that look like one."""

from __future__ import annotations

from kb.diagnose.clean.text import CleanText
from kb.diagnose.read import shapes
from kb.diagnose.read.streams import Stream, passage
from kb.diagnose.read.tracebacks import ends_message, indentation
from kb.diagnose.report import Event

MAX_CONTINUATION = 20


def read_logs(clean: CleanText, stream: Stream, used: set[int]) -> list[Event]:
    """An event for each line that says by its level or its beginning that something went wrong."""
    events, position, at = [], 0, stream.at
    while position < len(at):
        line = clean.lines[at[position]]
        level = line_level(line.level, line.text)
        if at[position] in used or level is None or not line.text.strip() or line.quoted:
            position += 1
            continue
        behind = continuation_end(clean, at, position, used)
        events.append(line_event(clean, list(at[position:behind]), level))
        position = behind
    return events


def line_level(level: str | None, text: str) -> str | None:
    """The level of a line that is a failure, else None. A line without a level is judged by its beginning."""
    if level is not None:
        return level if level in shapes.LEVELS else None
    if shapes.CPP_FRAME.match(text):
        return None
    if "Assertion" in text and shapes.DEVICE_ASSERT.search(text):
        return "error"
    return "error" if shapes.FAILURE_START.match(text) else None


def line_event(clean: CleanText, at: list[int], level: str | None) -> Event:
    """The event of some lines that belong together: a line and its indented continuation."""
    line = clean.lines[at[0]]
    failed = shapes.DEVICE_ASSERT.search(line.text) if "Assertion" in line.text else None
    return Event(
        on="message", passage=passage(clean, at, indentation(line.text)), at=at[0], process=line.process,
        level=level, time=line.time, place=line.place, fields={"assertion": "device"} if failed else {},
    )  # fmt: skip


def continuation_end(clean: CleanText, at: tuple[int, ...], position: int, used: set[int]) -> int:
    """Position behind the indented lines that continue the message of the line at `position`."""
    first = clean.lines[at[position]]
    end = position + 1
    while end < len(at) and end - position <= MAX_CONTINUATION:
        line = clean.lines[at[end]]
        if at[end] in used or at[end] != at[end - 1] + 1 or line.level not in (None, first.level):
            break
        if (
            not line.text.strip()
            or indentation(line.text) <= indentation(first.text)
            or ends_message(line.text)
        ):
            break
        if line.time is not None and first.time is not None and line.time != first.time:
            break
        end += 1
    return end
