"""What people put around a paste: markdown fences, quote marks of mail and markdown, indentation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import part
from kb.diagnose.clean.signs import is_frame, is_sign
from kb.diagnose.clean.text import Line

_OPENING = re.compile(r" {0,3}```+ ?(?:[A-Za-z][\w+-]{0,20} *$)?")
_CLOSING = re.compile(r" *```+ *$")
# ">>> " is Python's prompt. pytest's "> " stands on single lines, so a quote has two lines at least.
_MARK = re.compile(r" ?(?!>>> )> ?")
DEEPEST = 8


def has_fences(text: str) -> bool:
    """Whether a paste has ticks of a code block."""
    return "```" in text


def has_quotes(text: str) -> bool:
    """Whether a paste has a quoted line."""
    return text.startswith(">") or "\n>" in text or "\n >" in text


def is_indented(text: str) -> bool:
    """Whether the first line with text is indented, so that all may be."""
    return text.lstrip("\r\n")[:1].isspace()


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
    kept: list[Line] = []
    changed = False
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and _MARK.match(lines[end].text):
            end += 1
        run = [_unquoted(line) for line in lines[at:end]]
        if len(run) > 1 and any(is_sign(line.text.lstrip("> ")) or is_frame(line.text) for line in run):
            kept += run
            changed = True
        else:
            end = max(end, at + 1)
            kept += lines[at:end]
        at = end
    return kept if changed else None


def _unquoted(line: Line) -> Line:
    match = _MARK.match(line.text)
    return line if match is None else part(line, match.end())


def dedent(lines: Sequence[Line]) -> list[Line]:
    """Lines without the indentation that all of them share (a code block of markdown, a copied cell)."""
    texts = [line.text for line in lines if line.text.strip()]
    if len(texts) < 2 or not texts[0][0].isspace():
        return list(lines)
    margin = texts[0][: len(texts[0]) - len(texts[0].lstrip())]
    for text in texts:
        while not text.startswith(margin):
            margin = margin[:-1]
        if not margin:
            return list(lines)
    # The head and the message of a traceback are cut off; its frames keep their own two blanks.
    if any(text.startswith(f'{margin}File "') for text in texts):
        margin = margin[:-2]
    return [
        part(line, len(margin)) if line.text.startswith(margin) else part(line, len(line.text))
        for line in lines
    ]
