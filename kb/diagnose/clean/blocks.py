"""Indented blocks inside other text: a log in a YAML value, a code block of markdown below a sentence.

What a logger puts in front of a line begins the line; behind an indentation it is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.diagnose.clean.origin import part
from kb.diagnose.clean.signs import RECORD
from kb.diagnose.clean.text import Line

_INDENTED_RECORD = re.compile(rf"\n[ \t]++(?:{RECORD})", re.VERBOSE)
_RECORD = re.compile(RECORD, re.VERBOSE)
# `log: |`, `- stderr: >-`
_KEY = re.compile(r"\s*(?:- )?[\w.-]{1,60}: [|>][-+]?\s*$")


def has_blocks(text: str) -> bool:
    """Whether a record of a logger stands behind an indentation, or a YAML value begins."""
    return _INDENTED_RECORD.search(text) is not None or any(
        sign in text for sign in (": |\n", ": |-\n", ": >-\n")
    )


def dedent_blocks(lines: Sequence[Line]) -> list[Line]:
    """Lines without the indentation of such blocks; inside a block they keep what they have beyond it."""
    return list(_dedented(lines))


def _dedented(lines: Sequence[Line]) -> Iterator[Line]:
    margin, above, key = 0, 0, False
    for line in lines:
        text = line.text
        bare = text.lstrip(" \t")
        if not bare:
            yield line
            continue
        indent = len(text) - len(bare)
        if margin and indent < margin:
            margin = 0
        if not margin and indent > above and (key or _RECORD.match(bare)):
            margin = indent
        yield part(line, margin) if margin else line
        above, key = indent, not margin and _KEY.match(text) is not None
