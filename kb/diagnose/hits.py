"""Signatures found in events, and whether they may stand there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kb.diagnose import template
from kb.diagnose.clean.text import Line
from kb.diagnose.index import Signature
from kb.diagnose.read.prose import is_compared, is_mention
from kb.diagnose.report import Event

MAX_UNIT = 70_000  # characters of one message that are searched
MESSAGE_PLACES = {"message", "body"}


@dataclass(frozen=True, slots=True)
class Hit:
    """A signature found in an event. `found` is None for facts, which have no text of their own."""

    entry: int
    signature: Signature
    event: int
    found: template.Found | None
    count: int = 1


@dataclass(frozen=True, slots=True)
class Candidates:
    """The report's events, with those added for matched lines, and the signatures found in them."""

    events: tuple[Event, ...]
    hits: tuple[Hit, ...]

    def entries(self) -> dict[int, frozenset[int]]:
        """Event number -> numbers of the entries that have a signature in it."""
        found: dict[int, set[int]] = {}
        for hit in self.hits:
            found.setdefault(hit.event, set()).add(hit.entry)
        return {event: frozenset(entries) for event, entries in found.items()}


def fits_place(on: str, event: Event) -> bool:
    """Whether a signature that natively stands at `on` may be found in this event.

    Clients repeat a body's text as an exception's message, and servers send an exception's message as a body.
    """
    if on == "log":
        return True
    if on in MESSAGE_PLACES:
        return event.on in MESSAGE_PLACES
    return on == event.on


def fits_level(signature: Signature, level: str | None) -> bool:
    """Whether a signature may stand at a level: what says that it is an error is none where it only warns."""
    return signature.level != "error" or level != "warning"


def stands_in(path: str, where: str) -> bool:
    """Whether a frame's path is the file that a signature names, or lies in the folder."""
    return f"/{where}" in f"/{path}" if where.endswith("/") else path.endswith(where)


def unraised(event: Event, found: template.Found, lines: Sequence[Line]) -> bool:
    """Whether a message was not raised: a line without class mentions it, or an assertion compares it."""
    if event.type is None:
        return mentioned(event, found, lines)
    return is_compared(event.type, event.passage.text)


def mentioned(event: Event, found: template.Found, lines: Sequence[Line]) -> bool:
    """Whether a message is only spoken of in the line in which it begins."""
    spot = next(spot for spot in reversed(event.passage.spots) if spot.offset <= found.start)
    line, start = lines[spot.at], spot.column + found.start - spot.offset
    return is_mention(line, start, min(start + found.end - found.start, len(line.text)))
