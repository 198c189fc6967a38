"""Errors above a consequence that could not be read: the consequence must not be sold as the answer.

A log in capitals, from a picture or inside a quoted string may hold the first error in a form that no reader
takes apart, and below it the well-known words of the wrapper. The wrapper is right, and says nothing.
"""

from __future__ import annotations

import re

from kb.diagnose.context import Context
from kb.diagnose.diagnosis import Evidence
from kb.diagnose.hits import Hit
from kb.diagnose.index import Entry

UNREAD = -3.0  # nats
# `VALUEERROR: ...`, `Va1ueError : ...`, `"message": "RuntimeError: ...`
CLASS = re.compile(r"\b[a-z_0-9.]{0,80}?(?:err[o0]r|excepti[o0]n)['\"]? ?:", re.IGNORECASE)
FAR = 400  # lines above the consequence that are looked at


def unread_evidence(entry: Entry, hit: Hit, context: Context) -> list[Evidence]:
    """For an entry about consequences: an error class above its line that is no part of what was read."""
    if entry.role != "secondary":
        return []
    at = context.candidates.events[hit.event].at
    lines = context.report.clean.lines
    read = read_lines(context)
    for above in range(max(0, at - FAR), at):
        line = lines[above]
        if above not in read and line.level not in ("info", "debug") and CLASS.search(line.text):
            note = "this line may be the first error; it could not be read"
            return [Evidence(UNREAD, note, hit.signature.id, line.number)]
    return []


def read_lines(context: Context) -> set[int]:
    """The lines that events and their tracebacks tell."""
    read: set[int] = set()
    for event in context.candidates.events:
        read.add(event.at)
        read.update(spot.at for spot in event.passage.spots)
        read.update(frame.at for frame in event.frames)
        read.update(frame.source_at for frame in event.frames if frame.source_at is not None)
    return read
