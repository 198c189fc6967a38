"""Read Python tracebacks, with chains and groups, and exceptions that stand alone, from one stream.

Never raises on odd text: what it cannot read stays a line. A traceback may lack its header (cut head), its
indentation (chat clients), or its exception (cut tail); blank lines may stand between frames.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from kb.diagnose.clean.text import CleanText
from kb.diagnose.read import shapes
from kb.diagnose.read.frames import read_frame
from kb.diagnose.read.messages import message_end, telling_line
from kb.diagnose.read.shapes import Chain
from kb.diagnose.read.streams import Stream, passage
from kb.diagnose.report import Event, Frame, Passage, Place

LOOK_AHEAD = 3  # lines of other output inside a traceback that are skipped
WITHIN = 3  # lines below `terminate called` or a torn class in which the message is looked for


# Classes that are raised without a message on purpose: the source line is what people know them by.
KNOWN_BY_SOURCE = frozenset({"AssertionError", "NotImplementedError"})


@dataclass(frozen=True, slots=True)
class Taken:
    """An event read from a stream, and the position in the stream behind it."""

    event: Event | None
    behind: int


@dataclass(slots=True)
class Links:
    """What joins the next exception to earlier ones of the stream. Only used inside `read`."""

    events: list[Event] = field(default_factory=list)
    chain: tuple[int, Chain] | None = None  # the next exception was raised from that one
    outer: int | None = None  # the next exception is what that one was raised from
    parents: tuple[int, ...] = ()  # and what these come from: it was raised in a child process

    def see(self, text: str) -> bool:
        """Take note of a line behind a traceback that joins exceptions; whether it is one."""
        word = shapes.chain_word(text)
        if word is not None:
            self.chain = len(self.events) - 1, word
            return True
        # PyTorch repeats a worker's traceback below `Caught ValueError in DataLoader worker process 0.`; an
        # exception group lists its members below itself; Java names causes last.
        group = shapes.GROUP_LINE.match(text)
        if (group and group["number"] == "1") or text.lstrip().startswith(
            ("Original Traceback", "Caused by:")
        ):
            self.outer = len(self.events) - 1
            return group is not None
        return False

    def add(self, event: Event) -> None:
        cause, chain = self.chain or (None, None)
        own = len(self.events)
        self.events.append(replace(event, cause=cause, chain=chain))
        if self.outer is not None and self.events[self.outer].cause is None:
            self.events[self.outer] = replace(self.events[self.outer], cause=own, chain="cause")
        for parent in self.parents:
            self.events[parent] = replace(self.events[parent], cause=own, chain="cause")
        self.chain = self.outer = None
        # vLLM quotes what its child process printed below `RuntimeError: Error raised in subprocess:`: that
        # is what this error, and the failed call that it was raised from, come from.
        quotes = event.passage.text.partition("\n")[0].rstrip().endswith("in subprocess:")
        self.parents = ((own,) if cause is None else (own, cause)) if quotes else ()


class TracebackReader:
    """Walks one stream. `read` gives the events; `used` are the clean lines they consist of.

    `heads` are those lines of `used` with a level on which a traceback begins whose exception was found: the
    log line above one of these only announces it. `signed`: the clean lines in which one of `shapes.SIGNS`
    stands.
    """

    def __init__(self, clean: CleanText, stream: Stream, signed: AbstractSet[int]) -> None:
        self.clean = clean
        self.at = stream.at
        self.process = stream.process
        self.texts = [clean.lines[index].text for index in stream.at]
        self.signed = signed
        self.used: set[int] = set()
        self.heads: set[int] = set()

    def read(self) -> list[Event]:
        """All exceptions of the stream in order; `cause` counts within the returned list."""
        links = Links()
        position = 0
        while position < len(self.texts):
            joins = bool(links.events) and links.see(self.texts[position])
            taken = None if joins else self.read_at(position)
            if taken is not None:
                self.used.update(self.at[position : taken.behind])
                if taken.event is not None:
                    links.add(taken.event)
                    # Where every line has a prefix, the line above is of the same record if it has it too.
                    if "cut" not in taken.event.fields and self.clean.lines[self.at[position]].level:
                        self.heads.add(self.at[position])
            elif joins:
                self.used.add(self.at[position])
            position = max(taken.behind if taken else 0, position + 1)
        return links.events

    def read_at(self, position: int) -> Taken | None:
        """The traceback or exception that begins here, or None."""
        text = self.texts[position]
        if self.at[position] in self.signed:
            if shapes.HEADER in text:
                return self.read_traceback(position, position + 1)
            if shapes.is_frame(text):
                return self.read_traceback(position, position)
            if "what()" in text or "terminate called" in text:
                return self.read_terminate(position)
        if match := shapes.named(text):
            return self.read_exception(position, (), match)
        return self.read_torn(position) if "Error" in text or "Exception" in text else None

    def read_traceback(self, start: int, position: int) -> Taken:
        """Frames from `position` on, then the exception they belong to."""
        frames: list[Frame] = []
        while position < len(self.texts):
            text = self.texts[position]
            if not text.strip() or shapes.MARKERS.match(text):
                position += 1
            elif (found := read_frame(self.texts, position, self.at)) is not None:
                frame, position = found
                frames.append(frame)
            elif (match := self.raised(position, frames)) is not None:
                return self.read_exception(position, tuple(frames), match)
            elif frames and text[0] == ":" and (torn := self.read_torn(position - 1, tuple(frames))):
                return torn
            elif (resume := self.resume(position, frames)) is not None:
                position = resume
            else:
                break
        return Taken(self.cut_traceback(start, frames), position if frames else start + 1)

    def raised(self, position: int, frames: list[Frame]) -> re.Match[str] | None:
        """The class at the end of a traceback, when it stands on this line."""
        text = self.texts[position]
        if not frames:
            return shapes.named(text)
        if shapes.indentation(text) > self.base(frames[0]):
            return None
        return shapes.named_any(text)

    def base(self, frame: Frame) -> int:
        """Indentation of a frame's `File` line."""
        return shapes.indentation(self.clean.lines[frame.at].text)

    def resume(self, position: int, frames: list[Frame]) -> int | None:
        """Past foreign lines, or further source lines, to the next frame of this traceback."""
        if not frames:
            return None
        base = self.base(frames[-1])
        for ahead in range(position + 1, min(position + 1 + LOOK_AHEAD, len(self.texts))):
            text = self.texts[ahead]
            if shapes.HEADER in text:
                return None
            if shapes.is_frame(text) and shapes.indentation(text) == base:
                return ahead
            if shapes.indentation(text) < base and shapes.named(text):
                return ahead
        return position + 1 if shapes.indentation(self.texts[position]) > base else None

    def cut_traceback(self, start: int, frames: list[Frame]) -> Event | None:
        """A traceback whose exception is not in the paste: known by its class, where the head names one, else
        by the last source line that is there.
        """
        headed = shapes.HEADED.match(self.texts[start])
        if headed is not None and shapes.is_error(headed["type"], bare=True):
            at = self.at[start]
            body = passage(self.clean, [at], end=0)
            return self.event(headed["type"], body, at, tuple(frames), fields={"cut": "tail"})
        if not frames:
            return None
        at = frames[-1].source_at or frames[-1].at
        return self.event(None, passage(self.clean, [at], end=0), at, tuple(frames), fields={"cut": "tail"})

    def read_exception(self, position: int, frames: tuple[Frame, ...], match: re.Match[str]) -> Taken:
        """The exception whose class stands on this line, with the lines of its message."""
        bare = match["text"] is None and not self.texts[position].rstrip().endswith(":")
        behind = position + 1 if bare else message_end(self.clean, self.at, position)
        name = shapes.mended(match["type"])
        if name.endswith("Warning") or (not frames and self.is_envelope(position, name, match)):
            return Taken(None, position + 1)
        at = self.at[position:behind]
        column = match.start("text") if match["text"] is not None else len(self.texts[position])
        body = passage(self.clean, at, column)
        source_at = frames[-1].source_at if frames else None
        if not body.text.strip() and source_at is not None and name in KNOWN_BY_SOURCE:
            indent = shapes.indentation(self.clean.lines[source_at].text)
            return Taken(
                self.event(name, passage(self.clean, [source_at], indent), source_at, frames, on="source"),
                behind,
            )
        return Taken(self.event(name, body, telling_line(self.clean, at, column), frames), behind)

    def is_envelope(self, position: int, name: str, match: re.Match[str]) -> bool:
        """Whether a class only stands before the traceback that it carries on the same line of the paste.

        Spark: `PythonException: Traceback (most recent call last):`.
        """
        if name.endswith(shapes.ENVELOPES):
            return True
        if match["text"] is not None or position + 1 == len(self.texts):
            return False
        lines = (self.clean.lines[self.at[each]] for each in (position, position + 1))
        return len({line.number for line in lines}) == 1 and shapes.HEADER in self.texts[position + 1]

    def read_torn(self, position: int, frames: tuple[Frame, ...] = ()) -> Taken | None:
        """A class torn from its message, because two processes wrote at once."""
        torn = shapes.TORN_CLASS.match(self.texts[position])
        if torn is None:
            return None
        for ahead in range(position + 1, min(position + WITHIN, len(self.texts))):
            match = shapes.TORN_TEXT.match(self.texts[ahead])
            if match is not None:
                behind = message_end(self.clean, self.at, ahead)
                at = self.at[ahead:behind]
                column = match.start("text") if match["text"] else len(self.texts[ahead])
                body = passage(self.clean, at, column)
                name = torn["type"] or torn["end"]
                return Taken(self.event(name, body, telling_line(self.clean, at, column), frames), behind)
        return None

    def read_terminate(self, position: int) -> Taken:
        """C++: the class stands in `terminate called ...`, the message behind `what():` on it or below."""
        thrown = shapes.TERMINATE.search(self.texts[position])
        name = thrown["type"] if thrown else "std::exception"
        for ahead in range(position, min(position + WITHIN, len(self.texts))):
            before, sign, text = self.texts[ahead].partition("what():")
            if sign:
                column = len(before) + len(sign) + shapes.indentation(text)
                at = self.at[ahead]
                return Taken(self.event(name, passage(self.clean, [at], column), at), ahead + 1)
        at = self.at[position]
        return Taken(self.event(name if thrown else None, passage(self.clean, [at]), at), position + 1)

    def event(
        self, name: str | None, body: Passage, at: int, frames: tuple[Frame, ...] = (), *,
        on: Place = "message", fields: dict[str, str] | None = None,
    ) -> Event:  # fmt: skip
        """An event at a clean line, known as that line is."""
        line = self.clean.lines[at]
        return Event(
            on=on, passage=body, at=at, type=name, frames=frames, process=self.process, level=line.level,
            time=line.time, place=line.place, fields=fields or {},
        )  # fmt: skip
