"""A traceback as a list of strings, one for each line: `["Traceback (most recent call last):", "  File ...`.

Answers of APIs and exported records have such lists, on one line or printed with a string on each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.diagnose.clean.backslashes import unescaped
from kb.diagnose.clean.origin import part
from kb.diagnose.clean.text import Line

_LIST = re.compile(r"\s*[\[{\"']")
_HEADERS = ('call last):",', "call last):',", 'call last):"\n', "call last):'\n")
_OPEN = re.compile(r"\s*(?:(?:[\"'][\w.-]{1,60}[\"']:\s*)?\[)?\s*")
_ITEM = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'")
_NEXT = re.compile(r"\s*,?\s*")
_BRACKETS = re.compile(r"[\[\]{},\s]+")
_CLOSE = re.compile(r"[\]})\s,]*")


def has_string_lists(text: str) -> bool:
    """Whether a paste is a list or record with the head of a traceback as a string of its own."""
    return _LIST.match(text) is not None and any(header in text for header in _HEADERS)


def open_string_lists(lines: Sequence[Line]) -> list[Line]:
    """The strings as lines; other lines stay, and brackets around them are no record any more."""
    return [each for line in lines for each in _opened(line)]


def _opened(line: Line) -> Iterator[Line]:
    spans = _strings(line.text)
    if not spans:
        yield part(line, 0, 0) if _BRACKETS.fullmatch(line.text) else line
    for start, end in spans:
        yield from unescaped(line, start, end)


def _strings(text: str) -> list[tuple[int, int]]:
    """Where the strings of a line are that holds nothing but strings of a list."""
    begin = _OPEN.match(text)
    at = begin.end() if begin else 0
    found: list[tuple[int, int]] = []
    while (item := _ITEM.match(text, at)) is not None:
        found.append(item.span(item.lastindex or 0))
        behind = _NEXT.match(text, item.end())
        at = behind.end() if behind else item.end()
    return found if _CLOSE.fullmatch(text, at) else []
