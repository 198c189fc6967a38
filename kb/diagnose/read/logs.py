"""Read failures that are no exceptions: lines of level WARNING and above, and lines that look like one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from kb.diagnose.clean.text import CleanText, Line, Process
from kb.diagnose.read import shapes, starts
from kb.diagnose.read.declared import declared
from kb.diagnose.read.messages import ends_message, goes_on, telling_line
from kb.diagnose.read.named import own_process
from kb.diagnose.read.prose import is_prose
from kb.diagnose.read.streams import Stream, passage
from kb.diagnose.report import Event

MAX_CONTINUATION = 20
LEVELS = frozenset({"warning", "error", "critical"})
# Python's own warnings: `/srv/app/load.py:12: UserWarning: the text`, from `warnings.warn`.
PYTHON_WARNING = re.compile(r"\s*\S.{0,300}?\.py:\d+: (?P<type>(?:[\w.]+\.)?\w*Warning):(?: |$)")
# NCCL has no level ERROR: `NCCL WARN Call to posix_fallocate failed : No space left on device`.
NCCL_FAILS = re.compile(
    r"(?i)\b(?:fail(?:ed|ure)|error|unable|could not|no such|mismatch|not found|invalid)\b|status=(?!0\b)"
)
# An inner class is believed behind these, or anything that is no English.
BEFORE_INNER = re.compile(r"(?:^|[:|>\"'(\[=,]|[^\x00-\x7f])\s?$")


# A field of `kubectl describe`, below the heading of its section: `      Reason:       OOMKilled`
DESCRIBED = re.compile(r" +[A-Z][\w ]{0,30}:(?: {2,}\S|\s*$)")


# What quotes one: `warnings.warn("RuntimeError: is only mentioned here")`, a point of a list with quotes.
QUOTING = re.compile(r"(?:\w\([rbfu]{0,2}|^\s*[-*] )[\"'`]$")


def read_logs(
    clean: CleanText, stream: Stream, used: AbstractSet[int], heads: AbstractSet[int] = frozenset()
) -> list[Event]:
    """An event for each line that says by its level or its beginning that something went wrong.

    `used` are the lines of tracebacks. No events of their own are lines that only announce one: right above
    one of `heads` and of its level, as `logger.exception` writes, or the beginning of an object that holds a
    traceback: `ERROR:torch.distributed.elastic.multiprocessing.errors.error_handler:{`.
    """
    events, position, at = [], 0, stream.at
    while position < len(at):
        line = clean.lines[at[position]]
        level = None if at[position] in used else line_level(line)
        if level is None:
            position += 1
            continue
        behind = continuation_end(clean, at, position, used)
        below = at[behind] if behind < len(at) else None
        same = below in heads and clean.lines[at[behind]].level == level
        if not same and not (below in used and line.text.strip() == "{"):
            events.append(line_event(clean, at[position:behind], level, stream.process))
        position = behind
    return events


def line_level(line: Line) -> str | None:
    """The level of a line that is a failure, else None. A line without a level is judged by its text."""
    text = line.text
    if not text or text.isspace():
        return None
    if declared(text) is not None:
        return "error"
    if ".py:" in text and PYTHON_WARNING.match(text):
        return "warning"
    if line.level == "warning" and line.logger == "NCCL" and NCCL_FAILS.search(text):
        return "error"
    if line.level == "info" and starts.FOREIGN_START.match(text):
        return "error"
    if line.level is not None:
        return line.level if line.level in LEVELS and not starts.PROGRESS.match(text) else None
    if shapes.CPP_FRAME.match(text):
        return None
    if starts.is_device_assert(text) or starts.is_failure(text):
        return "error"
    return "error" if inner_class(line) else None


def inner_class(line: Line) -> str | None:
    """The class of an exception that is named in the middle of a line."""
    text = line.text
    if "Error" not in text and "Exception" not in text:
        return None
    for match in shapes.INNER.finditer(text):
        start = match.start()
        known = line.level in LEVELS or BEFORE_INNER.search(text, max(0, start - 2), start) is not None
        if known and not is_prose(line, start) and not QUOTING.search(text, max(0, start - 60), start):
            return match["type"]
    return None


def line_event(
    clean: CleanText, at: Sequence[int], level: str | None, writer: Process | None = None
) -> Event:
    """The event of some lines that belong together: a line and its indented continuation.

    `writer`: who wrote them, where the stream knows more than the line's own prefix.
    """
    line = clean.lines[at[0]]
    warned = PYTHON_WARNING.match(line.text) if ".py:" in line.text else None
    column = warned.end() if warned else shapes.indentation(line.text)
    event = Event(
        on="message",
        passage=passage(clean, at, column),
        at=telling_line(clean, at, column) if warned else at[0],
        type=warned["type"] if warned else inner_class(line),
        process=line.process if writer is None else writer,
        level=level,
        time=line.time,
        place=line.place,
        fields=line_fields(line.text),
    )
    who = own_process(event)
    return event if who == event.process else replace(event, process=who)


def line_fields(text: str) -> dict[str, str]:
    """What a line is, beside a message."""
    if starts.is_device_assert(text):
        return {"assertion": "device"}
    said = declared(text)
    return {"declared": said} if said is not None else {}


def continuation_end(clean: CleanText, at: Sequence[int], position: int, used: AbstractSet[int]) -> int:
    """Position behind the indented lines that continue the message of the line at `position`."""
    first = clean.lines[at[position]]
    indent = shapes.indentation(first.text)
    end = position + 1
    if end < len(at) and "panicked" in first.text and starts.PANIC.match(first.text):
        end += not ends_message(clean.lines[at[end]].text)
    while end < len(at) and end - position <= MAX_CONTINUATION:
        line = clean.lines[at[end]]
        if at[end] in used or at[end] != at[end - 1] + 1 or line.level not in (None, first.level):
            break
        if not line.process.within(first.process):
            break  # written by another process between the lines of this one
        if not line.text.strip():
            break
        # An indented line goes on even with a stamp of its own: Kubernetes and Docker stamp every line.
        if shapes.indentation(line.text) <= indent and not (
            first.level is not None and goes_on(clean.lines[at[end - 1]], line)
        ):
            break
        if ends_message(line.text) or (first.level not in LEVELS and DESCRIBED.match(line.text)):
            break
        end += 1
    return end
