"""What shares a line with what came before it: text behind a progress bar, a traceback behind a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import part
from kb.diagnose.clean.prefixes import Processes, strip_prefix
from kb.diagnose.clean.signs import is_sign
from kb.diagnose.clean.text import Line

LONGEST_SIGN = 200
HEADER = "Traceback (most recent call last):"
# The end of tqdm's bar: "2040000/4400120 [20:05<23:14, 1692.31 examples/s]Traceback ...".
_TQDM = re.compile(r"[\d?](?:it|[kMGT]?[a-zA-Z]{0,12}| [a-zA-Z]{1,20})/[a-z]{1,20}(?:, [^\]]{0,200})?\]")


def has_glued(text: str) -> bool:
    """Whether a paste may have something glued behind a bar or a sentence."""
    return HEADER in text or "s/it" in text or "/s]" in text or "/s," in text


def unglue(lines: Sequence[Line]) -> list[Line]:
    """Lines with bars, and sentences in front of a traceback, apart from what follows."""
    apart: list[Line] = []
    processes: Processes = {}
    for line in lines:
        text = line.text
        if "]" in text and ("/s" in text or "/it" in text) and (end := _bar_end(text)) is not None:
            apart.append(part(line, 0, end))
            line = strip_prefix(part(line, end), processes)
        at = line.text.find(HEADER)
        if at > 0 and _is_apart(line.text, at):
            apart.append(part(line, 0, len(line.text[:at].rstrip())))
            line = part(line, at)
        apart.append(line)
    return apart


def _bar_end(text: str) -> int | None:
    """Where a bar ends that something is glued to: a letter, or a traceback behind a blank."""
    for match in _TQDM.finditer(text):
        rest = text[match.end() : match.end() + LONGEST_SIGN]
        if rest and (rest[0] not in " \t],;)" or is_sign(rest.lstrip())):
            return match.end()
    return None


def _is_apart(text: str, at: int) -> bool:
    """Whether what stands before the header is a sentence or a bar ("loss: 0.31Traceback ...") of its own."""
    before = text[:at]
    if (
        not before.strip()
        or text[at:].rstrip() != HEADER
        or before.strip() in ("+ Exception Group", "traceback :")
    ):
        return False
    # Prose that quotes the header has a quote mark or a word in front of it.
    return before[-1] not in "\"'`( " or before.rstrip()[-1] in ":!.,\u3002"
