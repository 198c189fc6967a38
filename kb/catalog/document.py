"""One YAML file as plain values that remember where they stood.

Built from the parser's events, not from its objects: events show anchors, tags and repeated keys, which
the finished objects hide, and keep every scalar as the text that was typed (`no`, `0.10`, `12:30`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from kb.catalog.problems import Problem

Path = tuple[str | int, ...]
"""The way to a value: keys and positions, such as `("causes", 0, "fix", "summary")`."""


def value_at(value: Any, path: Path) -> Any:
    """What stands at a path below a value, or None."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def key_of(path: Path) -> str:
    """The key that a value stands under, or one of a list of values; empty for the file as a whole."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


LARGEST = 256 * 1024  # characters; the longest entries have some 30,000
DEEPEST = 16  # an entry nests 7 deep

# The C parser is some 10 times as fast; PyYAML has it in every wheel, but not in every source build.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a value or key starts (from 0) and how a scalar is written (`|`, `>`, quote, or None)."""

    line: int
    column: int
    style: str | None = None


@dataclass(frozen=True)
class Document:
    """The values of a file, all scalars as strings, with the place of each value and key."""

    path: str
    text: str
    value: Any
    marks: dict[Path, Mark]
    keys: dict[Path, Mark]

    def locate(self, path: Path, offset: int = 0) -> tuple[int, int]:
        """Line and column (from 1) of a value, or of a character of it (counted after leading white space).

        Where the value is not there, the place of its nearest parent that is.
        """
        known = path
        while known not in self.marks and known:
            known = known[:-1]
        mark = self.marks.get(known, Mark(0, 0))
        raw = self.lookup(known) if known == path else None
        if isinstance(raw, str) and offset:
            return self._inside(mark, raw, offset + len(raw) - len(raw.lstrip()))
        if isinstance(raw, str) or not known:
            return mark.line + 1, mark.column + 1
        mark = self.keys.get(known, mark)
        return mark.line + 1, mark.column + 1

    def locate_key(self, path: Path) -> tuple[int, int]:
        """Line and column (from 1) of a key, or of its nearest parent."""
        mark = self.keys.get(path)
        return (mark.line + 1, mark.column + 1) if mark else self.locate(path)

    def lookup(self, path: Path) -> Any:
        """The value at a path, or None."""
        return value_at(self.value, path)

    def _inside(self, mark: Mark, raw: str, offset: int) -> tuple[int, int]:
        before = raw[:offset]
        if mark.style == "|":
            first = mark.line + 1
            down = before.count("\n")
            return first + down + 1, self._indent(first, raw) + offset - (before.rfind("\n") + 1) + 1
        if mark.style == ">" or "\n" in before:  # folded: lines were joined, only the start is certain
            return mark.line + 1, mark.column + 1
        return mark.line + 1, mark.column + offset + (2 if mark.style else 1)

    def _indent(self, first: int, raw: str) -> int:
        lines = self.text.splitlines()
        written = next((line for line in lines[first:] if line.strip()), "")
        value = next((line for line in raw.splitlines() if line.strip()), "")
        return max(len(written) - len(value), 0)


class _Reader:
    """Turns events into values. One use each; `problems` is complete when `read` returns."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.problems: list[Problem] = []
        self.marks: dict[Path, Mark] = {}
        self.keys: dict[Path, Mark] = {}
        self.events: Iterator[Any] = iter(yaml.parse(text, Loader=LOADER))

    def problem(self, mark: Any, code: str, message: str, hint: str) -> None:
        self.problems.append(Problem(self.path, mark.line + 1, mark.column + 1, code, message, hint))

    def read(self) -> Any:
        value: Any = ""
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents == 2:
                    self.problem(
                        event.start_mark, "KB005", "a second document", "one file, one document: remove `---`"
                    )
                    break
            elif isinstance(event, yaml.NodeEvent):
                value = self.node(event, ())
        return value

    def node(self, event: Any, path: Path) -> Any:
        mark = event.start_mark
        self.marks.setdefault(path, Mark(mark.line, mark.column, getattr(event, "style", None) or None))
        self.refuse(event)
        if isinstance(event, yaml.ScalarEvent):
            return event.value
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(path)
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(path)
        return ""  # an alias, refused above

    def refuse(self, event: Any) -> None:
        if isinstance(event, yaml.AliasEvent):
            self.problem(event.start_mark, "KB004", f"alias *{event.anchor}", "write the text again")
            return
        if event.anchor is not None:
            self.problem(
                event.start_mark,
                "KB004",
                f"anchor &{event.anchor}",
                "remove it; quote text that starts with &",
            )
        if getattr(event, "tag", None) is not None:
            self.problem(
                event.start_mark, "KB004", f"tag {event.tag}", "remove it; quote text that starts with !"
            )

    def sequence(self, path: Path) -> list[Any]:
        items: list[Any] = []
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self.node(event, self.deeper(path, len(items), event)))
        return items

    def mapping(self, path: Path) -> dict[str, Any]:
        items: dict[str, Any] = {}
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self.key(event, items)
            below = self.deeper(path, key, event)
            self.keys.setdefault(below, Mark(event.start_mark.line, event.start_mark.column))
            value = self.node(next(self.events), below)
            items.setdefault(key, value)
        return items

    def key(self, event: Any, items: dict[str, Any]) -> str:
        self.refuse(event)
        if not isinstance(event, yaml.ScalarEvent):
            raise _RefusedError(
                event.start_mark, "KB002", "a key that is no text", "quote text that starts with [ or {"
            )
        if event.value in items:
            self.problem(
                event.start_mark, "KB003", f"the key `{event.value}` stands twice", "keep one of the two"
            )
        return str(event.value)

    def deeper(self, path: Path, step: str | int, event: Any) -> Path:
        if len(path) >= DEEPEST:
            raise _RefusedError(
                event.start_mark, "KB006", f"nested deeper than {DEEPEST} levels", "flatten it"
            )
        return (*path, step)


class _RefusedError(Exception):
    """Stops reading where going on makes no sense."""

    def __init__(self, mark: Any, *problem: str) -> None:
        super().__init__()
        self.mark, self.problem = mark, problem


def read_document(path: str, text: str) -> tuple[Document | None, tuple[Problem, ...]]:
    """The document in a text, or None, and all problems. `path` is only named in problems."""
    if len(text) > LARGEST:
        return None, (
            Problem(path, 1, 1, "KB006", f"{len(text):,} characters", f"an entry has at most {LARGEST:,}"),
        )
    try:
        reader = _Reader(path, text)
        value = reader.read()
    except _RefusedError as refused:
        reader.problem(refused.mark, *refused.problem)
        return None, tuple(reader.problems)
    except yaml.YAMLError as error:
        return None, (*reader.problems, _not_yaml(path, text, error))
    if reader.problems:
        return None, tuple(reader.problems)
    return Document(path, text, value, reader.marks, reader.keys), ()


def _not_yaml(path: str, text: str, error: yaml.YAMLError) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        what = getattr(error, "problem", None) or getattr(error, "context", None) or "not YAML"
        hint = "quote the text, or put it into a block with |"
        return Problem(path, mark.line + 1, mark.column + 1, "KB002", str(what), hint)
    position = getattr(error, "position", 0)  # a character that YAML does not allow
    before = text[: position if isinstance(position, int) else 0]
    column = len(before) - (before.rfind("\n") + 1) + 1
    return Problem(
        path, before.count("\n") + 1, column, "KB002", "a character that YAML does not allow", "remove it"
    )
