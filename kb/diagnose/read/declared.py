"""Lines at any level, or at none, that say that a request was refused or which process failed first.

A server's access log tells a refused request at level INFO. One row for each, with the text that forced it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Said = Literal["refused", "first"]


@dataclass(frozen=True, slots=True)
class Row:
    """One wording: texts of which one stands in every such line, its pattern, and a line that forced it."""

    said: Said
    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    example: str


ROWS = (
    # An inference route that is not there, or that failed; health checks and pictures are none.
    Row(
        "refused",
        ('" 404', '" 5'),
        re.compile(
            r'"POST /(?:v\d+/|generate|invocations|predict|completion|chat|embed|rerank|score|\w*lora)\S*'
            r' HTTP/[\d.]+" (?:404|5\d\d)\b'
        ),
        '10.0.0.3:5 - "POST /v1/load_lora_adapter HTTP/1.1" 404 Not Found',
    ),
    # Open MPI's verdict: `The first process to do so was:`, and below it job and rank.
    Row(
        "first",
        ("Process name: [[",),
        re.compile(r"\s*Process name: \[\[\d+,\d+\],\d+\]"),
        "  Process name: [[40412,1],3]",
    ),
)


_SIGNED = tuple((sign, row) for row in ROWS for sign in row.signs)


def declared(text: str) -> Said | None:
    """What a line declares, or None."""
    for sign, row in _SIGNED:
        if sign in text and row.pattern.search(text) is not None:
            return row.said
    return None
