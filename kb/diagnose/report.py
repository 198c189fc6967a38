"""The values of reading: what failed, where, in which process, in which order.

A `Report` is what the paste says, before any entry is consulted. Nothing here knows of entries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from kb.diagnose.clean.text import UNKNOWN_PROCESS, CleanText, Process
from kb.diagnose.words import WordMap

Place = Literal["message", "source", "body", "log", "fact"]
Because = Literal["wrapper", "peer", "teardown", "advice", "chained", "repeat", "echo"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of a traceback. `at` is the index of its `File` line among the clean lines."""

    path: str
    line: int | None
    function: str | None
    source: str | None
    at: int
    source_at: int | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """From `offset` of a passage on, characters stand at `column` of clean line `at`."""

    offset: int
    at: int
    column: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text that a signature can be found in, with the way back to the clean lines."""

    text: str
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that went wrong, as the paste tells it.

    `on` says what it is: an exception's or log line's message, a bare assert's source line, an HTTP body,
    or a fact (exit code, Xid). `at` is the clean line that names it: the line of the exception's class (or,
    where that is only a heading, the line below it), the source line of a bare assert, the line of the fact.
    `cause` is the index of the event it was raised from. `culprit` is another process that it blames.
    """

    on: Place
    passage: Passage
    at: int
    type: str | None = None
    frames: tuple[Frame, ...] = ()
    process: Process = UNKNOWN_PROCESS
    level: str | None = None
    time: str | None = None
    place: str | None = None
    fields: dict[str, str] = field(default_factory=dict)
    cause: int | None = None
    chain: Literal["cause", "context"] | None = None  # raised from it, or while it was handled
    culprit: Process | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """Values read from the paste that are no message. None when the paste does not say."""

    exit_code: int | None = None
    signal: str | None = None
    http_status: int | None = None
    xid: int | None = None
    k8s_reason: str | None = None
    world_size: int | None = None
    ranks: tuple[str, ...] = ()  # ranks that wrote something
    silent_ranks: tuple[str, ...] = ()  # ranks known to exist that show no failure of their own
    gpu: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What reading a paste yields."""

    clean: CleanText
    events: tuple[Event, ...]
    versions: dict[str, str] = field(default_factory=dict)  # package -> version
    settings: dict[str, str] = field(default_factory=dict)  # max_lora_rank -> 16
    facts: Facts = Facts()
    components: frozenset[str] = frozenset()  # packages whose paths or prefixes stand in the paste
    command: str | None = None  # the person's own command line, when the paste has one
    words: WordMap = field(
        default_factory=lambda: WordMap(()), compare=False, repr=False
    )  # of the clean lines
