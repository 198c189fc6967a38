"""Tracebacks drawn by rich: a box with margins, folded at the width of the terminal.

What comes out are its frames (`/srv/app.py:88 in <module>`), each with its source line beneath, and the
message below the box on one line. The numbered lines around the source line, and the values of variables, go.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from kb.diagnose.clean.origin import join, part
from kb.diagnose.clean.signs import is_exception, is_sign
from kb.diagnose.clean.text import Line

_TITLE = re.compile(
    r" ?(?P<corner>[\u256d+])[\u2500-]{2,} (?P<title>Traceback \(most recent call last\))"
    r" ?[\u2500-]*[\u256e+]? *$"
)
_BOTTOM = re.compile(r" ?[\u2570+][\u2500-]{2,}[\u256f+]? *$")
_PANEL = re.compile(r" *[\u256d\u2570+][\u2500-]{2,}")
_NUMBERED = re.compile(r" *(?P<arrow>[\u2771>])? *\d+(?: [\u2502|](?: |$)|$)")
_FOLDED = re.compile(r" +[\u2502|] ")
_GUIDES = re.compile(r"[ \u2502|]*")
MOST_JOINED = 60


def is_boxed(text: str) -> bool:
    """Whether a paste has a traceback in a box."""
    if "\u2771" in text and "\u2502" in text:
        return True
    return "Traceback (most recent call last)" in text and ("\u256d\u2500" in text or "-- Traceback" in text)


def open_boxes(lines: Sequence[Line]) -> list[Line]:
    """Lines with boxed tracebacks taken out of their boxes."""
    opened: list[Line] = []
    at = 0
    while at < len(lines):
        match = _TITLE.match(lines[at].text)
        width = len(lines[at].text.rstrip())
        if match is not None:
            box = _Box(width, "\u2502" if match["corner"] == "\u256d" else "|")
            opened.append(part(lines[at], match.start("title"), match.end("title")))
            at += 1
        elif _is_headless(lines, at):
            box = _Box(width, "\u2502")
        else:
            opened.append(lines[at])
            at += 1
            continue
        while at < len(lines) and box.take(lines[at]):
            at += 1
        opened += box.close()
        message, at = _message(lines, at, width)
        opened += message
    return opened


def _is_headless(lines: Sequence[Line], at: int) -> bool:
    """Whether a box whose top is cut off starts here: lines between margins, one of them with an arrow."""
    for line in lines[at : at + MOST_JOINED]:
        text = line.text.strip()
        if not text.startswith("\u2502") or not text.endswith("\u2502"):
            return False
        if text.startswith("\u2502 \u2771"):
            return True
    return False


@dataclass(slots=True)
class _Box:
    """Takes the lines of one box. `kind` is what the last line was, which a folded line continues."""

    width: int
    margin: str
    shown: list[Line] = field(default_factory=list)
    group: list[Line] = field(default_factory=list)
    kind: str = "gap"
    closed: bool = False
    panel: bool = False

    def take(self, line: Line) -> bool:
        """Whether the line belongs to the box."""
        text = line.text
        if self.closed:
            return False
        if _BOTTOM.match(text):
            self.closed = True
            return True
        if not text.lstrip().startswith(self.margin):
            return False
        self._content(_inside(line, self.margin))
        return True

    def _content(self, line: Line) -> None:
        text = line.text
        if _PANEL.match(text):
            self._start("panel" if text.lstrip()[0] in "\u256d+" and self.kind != "panel" else "gap")
        elif self.kind == "panel":
            return
        elif not text.strip():
            self._start("gap")
        elif (match := _NUMBERED.match(text)) is not None:
            self._start("source" if match["arrow"] else "context")
            if match["arrow"]:
                self.group.append(_code(line, match.end()))
        elif (folded := _FOLDED.match(text)) is not None and self.kind in ("source", "context"):
            if self.kind == "source":
                self.group.append(_code(line, folded.end()))
        else:
            if self.kind != "frame":
                self._start("frame")
            self.group.append(line)

    def _start(self, kind: str) -> None:
        self.shown += self._joined()
        self.kind = kind

    def _joined(self) -> list[Line]:
        group, self.group = self.group, []
        if not group:
            return []
        if self.kind == "source":
            return [join(group)]
        # A path is folded where the box ends, inside of words; other words go to the next line whole.
        glue = [
            "" if len(before.text) >= self.width - 4 or line.text.startswith(" ") else " "
            for before, line in pairwise(group)
        ]
        return [join(group, glue)]

    def close(self) -> list[Line]:
        self._start("gap")
        return self.shown


def _inside(line: Line, margin: str) -> Line:
    """The content between the margins, without the blanks that fill it up."""
    text = line.text
    start = text.index(margin) + 1
    start += text.startswith(" ", start)
    end = len(text.rstrip())
    if end > start and text[end - 1] == margin:
        end = max(end - 1, start)
        end -= text[start:end].endswith(" ")
    filled = text[start:end]
    return part(line, start, start + len(filled.rstrip()))


def _code(line: Line, start: int) -> Line:
    """Source code without the guides that show its indentation."""
    match = _GUIDES.match(line.text, start)
    return part(line, match.end() if match is not None else start)


def _message(lines: Sequence[Line], at: int, width: int) -> tuple[list[Line], int]:
    """The exception below a box, put together again where the next word had no room on the line."""
    if at >= len(lines) or not is_exception(lines[at].text):
        return [], at
    glue = []
    end = at + 1
    while end < len(lines) and end - at < MOST_JOINED:
        before, text = lines[end - 1].text, lines[end].text
        if (
            not text.strip()
            or text.startswith(" ")
            or is_sign(text)
            or lines[end].process != lines[at].process
        ):
            break
        word = text.split(" ", 1)[0]
        last = before.rsplit(" ", 1)[-1]
        if len(before.rstrip()) + 1 + len(word) <= width or len(before) > width:
            break
        glue.append("" if len(last) + len(word) > width else " ")
        end += 1
    return [join(lines[at:end], glue) if glue else lines[at]], end
