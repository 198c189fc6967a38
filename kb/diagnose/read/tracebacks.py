"""Read Python tracebacks, with chains and groups, and exceptions that stand alone, from one stream.

Never raises on odd text: what it cannot read stays a line. A traceback may lack its header (cut head), its
indentation (chat clients), or its exception (cut tail); blank lines may stand between frames.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kb.diagnose.clean.text import CleanText
from kb.diagnose.read import shapes
from kb.diagnose.read.streams import Stream, passage
from kb.diagnose.read.shapes import Chain
from kb.diagnose.report import Event, Frame

MAX_MESSAGE_LINES = 40
LOOK_AHEAD = 3  # lines of other output inside a traceback that are skipped


@dataclass(frozen=True, slots=True)
class Taken:
    """An event read from a stream, and the position in the stream behind it."""

    event: Event | None
    behind: int


class TracebackReader:
    """Walks one stream. `read` gives the events; `used` are the clean lines they consist of."""

    def __init__(self, clean: CleanText, stream: Stream) -> None:
        self.clean = clean
        self.at = stream.at
        self.process = stream.process
        self.used: set[int] = set()

    def text(self, position: int) -> str:
        return self.clean.lines[self.at[position]].text

    def read(self) -> list[Event]:
        """All exceptions of the stream in order; `cause` counts within the returned list."""
        events: list[Event] = []
        link: tuple[int, Chain] | None = None
        position = 0
        while position < len(self.at):
            taken = self.read_at(position)
            if taken is None:
                word = chain_word(self.text(position))
                if word is not None and events:
                    link = len(events) - 1, word
                    self.used.add(self.at[position])
                position += 1
                continue
            self.used.update(self.at[position : taken.behind])
            position = max(taken.behind, position + 1)
            if taken.event is not None:
                cause, chain = link or (None, None)
                events.append(replace(taken.event, cause=cause, chain=chain))
                link = None
        return events

    def read_at(self, position: int) -> Taken | None:
        """The traceback or exception that begins here, or None."""
        text = self.text(position)
        if shapes.HEADER in text:
            return self.read_traceback(position, position + 1)
        if "File" in text or ".py:" in text:
            if shapes.FRAME.match(text):
                return self.read_traceback(position, position)
        if "what()" in text or "terminate called" in text:
            return self.read_terminate(position)
        return self.read_exception(position, (), shapes.ERROR_CLASS) or self.read_inner(position)

    def read_traceback(self, start: int, position: int) -> Taken:
        """Frames from `position` on, then the exception they belong to."""
        frames: list[Frame] = []
        while position < len(self.at):
            text = self.text(position)
            if not text.strip() or shapes.MARKERS.match(text):
                position += 1
            elif shapes.FRAME.match(text):
                frame, position = self.read_frame(position)
                frames.append(frame)
            elif taken := self.read_exception(position, tuple(frames), self.class_pattern(frames)):
                return taken
            elif (resume := self.resume(position, frames)) is not None:
                position = resume
            else:
                break
        return Taken(self.cut_traceback(frames), position if frames else start + 1)

    def class_pattern(self, frames: list[Frame]):  # type: ignore[no-untyped-def]  # a compiled pattern
        return shapes.ANY_CLASS if frames else shapes.ERROR_CLASS

    def read_frame(self, position: int) -> tuple[Frame, int]:
        """The frame whose `File` line stands here, and the position behind its source."""
        text = self.text(position)
        match = shapes.FRAME.match(text)
        assert match is not None  # the caller has matched it
        groups = match.groupdict()
        path = groups["path"] or groups["ipath"] or groups["rpath"] or ""
        line = groups["line"] or groups["iline"] or groups["rline"]
        function = groups["function"] or groups["ifunction"] or groups["rfunction"]
        frame = Frame(path, int(line) if len(line) < 9 else None, function, None, self.at[position])
        source = self.source_position(position)
        if source is None:
            return frame, position + 1
        return (
            replace(frame, source=self.text(source).strip().lstrip("❱>-").strip(), source_at=self.at[source]),
            source + 1,
        )

    def source_position(self, position: int) -> int | None:
        """Where the source line of the frame at `position` stands, if the next lines have it."""
        indent = indentation(self.text(position))
        for ahead in range(position + 1, min(position + 3, len(self.at))):
            text = self.text(ahead)
            if not text.strip():
                continue
            if (
                shapes.FRAME.match(text)
                or shapes.HEADER in text
                or shapes.MARKERS.match(text)
                or chain_word(text)
            ):
                return None
            deeper = indentation(text) > indent
            if shapes.ERROR_CLASS.match(text) and not deeper:
                return None
            return ahead if deeper or indent == 0 else None
        return None

    def resume(self, position: int, frames: list[Frame]) -> int | None:
        """Past foreign lines, or further source lines, to the next frame of this traceback."""
        if not frames:
            return None
        base = indentation(self.clean.lines[frames[-1].at].text)
        for ahead in range(position + 1, min(position + 1 + LOOK_AHEAD, len(self.at))):
            text = self.text(ahead)
            if shapes.HEADER in text:
                return None
            if shapes.FRAME.match(text) and indentation(text) == base:
                return ahead
            if indentation(text) < base and shapes.ERROR_CLASS.match(text):
                return ahead
        return position + 1 if indentation(self.text(position)) > base else None

    def cut_traceback(self, frames: list[Frame]) -> Event | None:
        """A traceback whose exception is not in the paste."""
        if not frames:
            return None
        at = frames[-1].source_at or frames[-1].at
        line = self.clean.lines[at]
        return Event(
            on="message", passage=passage(self.clean, [at], end=0), at=at, frames=tuple(frames), process=self.process,
            level=line.level, time=line.time, fields={"cut": "tail"},
        )  # fmt: skip

    def read_exception(self, position: int, frames: tuple[Frame, ...], pattern) -> Taken | None:  # type: ignore[no-untyped-def]
        """The exception whose class stands on this line, with the lines of its message."""
        text = self.text(position)
        match = pattern.match(text)
        if match is None or (frames and indentation(text) > indentation(self.clean.lines[frames[0].at].text)):
            return None
        type_ = match["type"]
        if type_.endswith("Warning") or (not frames and type_ in NOT_CLASSES):
            return None
        behind = self.message_end(position)
        at = [self.at[p] for p in range(position, behind)]
        column = match.start("text") if match["text"] is not None else len(text)
        body = passage(self.clean, at, column)
        return Taken(self.make_event(type_, body, at[0], frames), behind)

    def make_event(self, type_: str, body, at: int, frames: tuple[Frame, ...]) -> Event:  # type: ignore[no-untyped-def]
        """The event of an exception; a bare assert is known by its source line instead of a message."""
        line = self.clean.lines[at]
        on, where = "message", at
        source_at = frames[-1].source_at if frames else None
        if not body.text.strip() and source_at is not None:
            source = self.clean.lines[source_at].text
            on, where = "source", source_at
            body = passage(self.clean, [source_at], indentation(source))
        return Event(
            on=on, passage=body, at=where, type=type_, frames=frames, process=self.process,  # type: ignore[arg-type]
            level=line.level, time=line.time, place=line.place,
        )  # fmt: skip

    def message_end(self, position: int) -> int:
        """Position behind the last line of the message whose class stands at `position`."""
        first = self.clean.lines[self.at[position]]
        end = position + 1
        while end < len(self.at) and end - position < MAX_MESSAGE_LINES:
            line = self.clean.lines[self.at[end]]
            if not line.text.strip() or (line.level, line.time is None) != (first.level, first.time is None):
                break
            if ends_message(line.text) or self.at[end] - self.at[end - 1] > 50:
                break
            end += 1
        return end

    def read_inner(self, position: int) -> Taken | None:
        """`Worker exited: ValueError: ...`: an exception named in the middle of a line."""
        text = self.text(position)
        if "Error: " not in text and "Exception: " not in text:
            return None
        match = shapes.INNER_CLASS.search(text)
        if match is None:
            return None
        at = self.at[position]
        return Taken(
            self.make_event(match["type"], passage(self.clean, [at], match.start("text")), at, ()),
            position + 1,
        )

    def read_terminate(self, position: int) -> Taken | None:
        """C++: the class stands in `terminate called ...`, the message behind `what():` on the same or next line."""
        text = self.text(position)
        thrown = shapes.TERMINATE.search(text)
        for ahead in range(position, min(position + 3, len(self.at))):
            inner = self.text(ahead)
            place = inner.find("what():")
            if place < 0:
                continue
            column = place + len("what():")
            column += len(inner[column:]) - len(inner[column:].lstrip())
            at = self.at[ahead]
            event = self.make_event(
                thrown["type"] if thrown else "std::exception", passage(self.clean, [at], column), at, ()
            )
            return Taken(event, ahead + 1)
        return None


NOT_CLASSES = {"Error", "Exception", "Exit", "Timeout", "Failure", "NotFound", "Abort", "Killed"}


def indentation(text: str) -> int:
    return len(text) - len(text.lstrip())


def chain_word(text: str) -> Chain | None:
    """`cause` or `context` when the line joins two exceptions of a chain."""
    if "exception" not in text:
        return None
    return next((word for phrase, word in shapes.CHAIN.items() if phrase in text), None)


def ends_message(text: str) -> bool:
    """Whether a line cannot belong to the message of the exception above it."""
    return bool(
        shapes.HEADER in text
        or shapes.FRAME.match(text)
        or shapes.ERROR_CLASS.match(text)
        or shapes.GROUP_LINE.match(text)
        or shapes.CPP_FRAME.match(text)
        or shapes.FAILURE_START.match(text)
        or shapes.TERMINATE.search(text)
        or chain_word(text)
    )
