"""Lines at any level, or at none, that say that the work cannot be done here, or that a request was refused.

PyTorch warns in plain words that it has no code for a card, and goes on until the first kernel; a server's
access log tells a refused request at level INFO. One row for each, with the real text that forced it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Said = Literal["cannot", "refused", "first"]


@dataclass(frozen=True, slots=True)
class Row:
    """One wording: words that stand in every such line, its pattern, and a line that forced it."""

    said: Said
    sign: str
    pattern: re.Pattern[str]
    example: str


ROWS = (
    Row(
        "cannot",
        "with CUDA capability sm_",
        re.compile(r"with CUDA capability sm_\d+ is not compatible with the current PyTorch"),
        "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch "
        "installation.",
    ),
    Row(
        "cannot",
        "that was compiled using NumPy",
        re.compile(r"\s*A module that was compiled using NumPy 1\.x cannot be run in"),
        "A module that was compiled using NumPy 1.x cannot be run in",
    ),
    # An inference route that is not there, or that failed; health checks and pictures are none.
    Row(
        "refused",
        '"POST /',
        re.compile(
            r'"POST /(?:v\d+/|generate|invocations|predict|completion|chat|embed|rerank|score|\w*lora)\S*'
            r' HTTP/[\d.]+" (?:404|5\d\d)\b'
        ),
        '10.0.0.3:5 - "POST /v1/load_lora_adapter HTTP/1.1" 404 Not Found',
    ),
    # Open MPI's verdict: `The first process to do so was:`, and below it job and rank.
    Row(
        "first",
        "Process name: [[",
        re.compile(r"\s*Process name: \[\[\d+,\d+\],\d+\]"),
        "  Process name: [[29973,1],0]",
    ),
)


def declared(text: str) -> Said | None:
    """What a line declares, or None."""
    for row in ROWS:
        if row.sign in text and row.pattern.search(text) is not None:
            return row.said
    return None
