"""What people put around a paste: markdown fences, quote marks of mail and markdown, indentation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from kb.diagnose.clean.origin import part
from kb.diagnose.clean.signs import is_sign
from kb.diagnose.clean.text import Line

_OPENING = re.compile(r" {0,3}```+ ?(?:[A-Za-z][\w+-]{0,20} *$)?")
_CLOSING = re.compile(r" *```+ *$")
# ">>> " is Python's prompt. pytest's "> " stands on single lines, so a quote has two lines at least.
_MARK = re.compile(r" ?(?!>>> )> ?")
_QUOTED = re.compile(r"\n ?>")
_MARKS = re.compile(r" ?(?:> ?){1,20}")
_PATCH = re.compile(r'(?m)^\+(?:Traceback \(most recent call last\)| {2}File ")')
# What mail programs write above what they quote.
_WROTE = re.compile(r"\b(?:wrote|writes|schrieb|a écrit|escribió)\b[^:]{0,80}:\s*$")
MOST = 0.4  # of the lines with text must be quoted, or a whole run of lines
DEEPEST = 8


def has_fences(text: str) -> bool:
    """Whether a paste has ticks of a code block."""
    return "`" in text and "```" in text


def has_quotes(text: str) -> bool:
    """Whether a paste has a quoted line."""
    return ">" in text and (text.startswith(">") or _QUOTED.search(text) is not None)


def is_indented(text: str) -> bool:
    """Whether the first line with text is indented, so that all may be."""
    return text.lstrip("\r\n")[:1].isspace()


def is_patch(text: str) -> bool:
    """Whether a paste has a traceback that a patch adds: a plus sign before every line."""
    return "+" in text and ("\n+" in text or text.startswith("+")) and _PATCH.search(text) is not None


def strip_patch(lines: Sequence[Line]) -> list[Line]:
    """Lines without the plus signs of a patch, where a run of them holds a traceback."""
    kept: list[Line] = []
    for added, run in groupby(lines, lambda line: line.text.startswith("+")):
        stretch = list(run)
        told = added and any(_PATCH.match(line.text) for line in stretch)
        kept += [part(line, 1) for line in stretch] if told else stretch
    return kept


def strip_fences(lines: Sequence[Line]) -> list[Line]:
    """Lines without the ticks of code blocks. Slack sets them on lines of the text itself."""
    return [_without_fence(line) if "```" in line.text else line for line in lines]


def _without_fence(line: Line) -> Line:
    opening = _OPENING.match(line.text)
    if opening is not None:
        line = part(line, opening.end())
    closing = _CLOSING.search(line.text)
    return line if closing is None else part(line, 0, closing.start())


def strip_quotes(lines: Sequence[Line]) -> list[Line]:
    """Lines without quote marks, where a run of quoted lines holds a traceback or a log."""
    for _ in range(DEEPEST):
        stripped = _strip_once(lines)
        if stripped is None:
            break
        lines = stripped
    return list(lines)


def _strip_once(lines: Sequence[Line]) -> list[Line] | None:
    marked = [_MARK.match(line.text) is not None for line in lines]
    written = sum(not line.text.isspace() and line.text != "" for line in lines)
    # Mail programs break quoted lines and leave the rest without a mark, so most lines are enough.
    if sum(marked) > written * MOST and any(map(_is_told, lines)):
        return [_unquoted(line) for line in lines]
    kept: list[Line] = []
    changed = False
    above = ""  # the last line with text above the run
    for quoted, run in groupby(range(len(lines)), marked.__getitem__):
        stretch = [lines[at] for at in run]
        signed = any(map(_is_told, stretch)) or _WROTE.search(above) is not None
        told = quoted and len(stretch) > 1 and signed
        kept += [_unquoted(line) for line in stretch] if told else stretch
        changed = changed or told
        above = next((line.text for line in reversed(stretch) if line.text.strip()), above)
    return kept if changed else None


def _is_told(line: Line) -> bool:
    """Whether a quoted line starts like a traceback or log line behind its marks."""
    match = _MARKS.match(line.text)
    return match is not None and is_sign(line.text[match.end() :])


def _unquoted(line: Line) -> Line:
    match = _MARK.match(line.text)
    return line if match is None else part(line, match.end())


def dedent(lines: Sequence[Line]) -> list[Line]:
    """Lines without the indentation that all of them share (a code block of markdown, a copied cell)."""
    first = next((line.text for line in lines if line.text and not line.text.isspace()), "")
    margin = first[: len(first) - len(first.lstrip())]
    if not margin:
        return list(lines)
    texts = [line.text for line in lines if line.text and not line.text.isspace()]
    if len(texts) == 1 and not is_sign(first.lstrip()):
        return list(lines)
    for text in texts:
        while not text.startswith(margin):
            margin = margin[:-1]
        if not margin:
            return list(lines)
    # The head and the message of a traceback are cut off; its frames keep their own two blanks.
    if any(text.startswith(f'{margin}File "') for text in texts):
        margin = margin[:-2]
    if not margin:
        return list(lines)
    return [part(line, min(len(margin), len(line.text))) for line in lines]
