"""Tell prose about errors from errors: documentation, and sentences that quote a message.

Only for lines that no process wrote (no level, no time, no process), and only for what stands in their
middle: a line that begins with an error is one.
"""

from __future__ import annotations

import re

from kb.diagnose.clean.text import Line

FEWEST_WORDS = 4  # of a sentence before what it quotes
# Words by which a sentence speaks of what can happen, and not of what did.
GENERAL = re.compile(
    r"\b(?:if|when|whenever|means|mean|usually|typically|often|sometimes|e\.g\.|for example|such as|would"
    r"|might|may|can|could|should|see also|the form|looks like|is raised|are raised|is returned)\b",
    re.IGNORECASE,
)
QUOTES = "\"'`“«"


def is_written(line: Line) -> bool:
    """Whether a process wrote the line, as far as its prefix says."""
    return line.level is not None or line.time is not None or line.process.known()


def speaks_generally(line: Line, start: int) -> bool:
    """Whether what stands at `start` of a line is part of a sentence about what can happen."""
    if is_written(line):
        return False
    return len(line.text[:start].split()) >= FEWEST_WORDS and GENERAL.search(line.text) is not None


def is_quoted(line: Line, start: int) -> bool:
    """Whether what stands at `start` is quoted inside a sentence."""
    if is_written(line) or start == 0 or line.text[start - 1] not in QUOTES:
        return False
    return len(line.text[: start - 1].split()) >= FEWEST_WORDS


def is_prose(line: Line, start: int) -> bool:
    """Whether what stands at `start` of the line is spoken of, and did not happen there."""
    return line.quoted or is_quoted(line, start) or speaks_generally(line, start)
