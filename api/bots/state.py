"""What a button carries: hypotheses, outcomes so far and the one that is chosen, in under 100 characters.

Nothing is kept on the server and nothing of a paste is in it. Ids are written as digests, because Discord
gives a button 100 characters; they are looked up in the index of the day, never trusted.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from itertools import islice

from kb.diagnose.diagnosis import NextOutcome
from kb.diagnose.index import Index

MARK = "fb1."  # of this form
MOST_HYPOTHESES = 5
ID, CAUSE, OUTCOME = 4, 2, 4  # bytes of a digest: of an entry, of a cause within it, of a check's outcome
ROW = ID + CAUSE + 1
MOST = 72  # bytes: 96 characters


class Stale(ValueError):
    """A button of another time: what it names is not in this index."""


def choices(
    confidences: Mapping[str, float], so_far: Mapping[str, str], check: str, outcomes: tuple[NextOutcome, ...]
) -> dict[str, str]:
    """For each outcome of a check what its button carries; empty when it would be too much for a button."""
    rows = b"".join(row(ref, value) for ref, value in islice(confidences.items(), MOST_HYPOTHESES))
    before = b"".join(digest(f"{name}/{outcome}", OUTCOME) for name, outcome in so_far.items())
    size = bytes([len(rows) // ROW])
    packed = {each.id: size + rows + before + digest(f"{check}/{each.id}", OUTCOME) for each in outcomes}
    if any(len(value) > MOST for value in packed.values()):
        return {}
    return {name: MARK + base64.urlsafe_b64encode(value).decode() for name, value in packed.items()}


def is_state(text: str) -> bool:
    """Whether a button is one of ours."""
    return text.startswith(MARK)


def read_state(text: str, index: Index) -> tuple[dict[str, float], dict[str, str]]:
    """The hypotheses and all outcomes, the chosen one last. Raises Stale."""
    try:
        value = base64.b64decode(text.removeprefix(MARK), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise Stale("this button is not one of ours") from None
    end = 1 + ROW * value[0] if value else 0
    rows, rest = value[1:end], value[end:]
    if not rows or len(rows) % ROW or not rest or len(rest) % OUTCOME:
        raise Stale("this button is not one of ours")
    entries = {digest(name, ID): name for name in index.numbers}
    shown = {
        digest(f"{check.id}/{outcome.id}", OUTCOME): (check.id, outcome.id)
        for check in index.checks
        for outcome in check.outcomes
    }
    try:
        chosen = dict(shown[rest[at : at + OUTCOME]] for at in range(0, len(rest), OUTCOME))
        found = [read_row(rows[at : at + ROW], entries, index) for at in range(0, len(rows), ROW)]
    except KeyError:
        raise Stale("this button is of another state of the knowledge base") from None
    return dict(found), chosen


def row(ref: str, confidence: float) -> bytes:
    entry, _, cause = ref.partition("/")
    return digest(entry, ID) + digest(cause, CAUSE) + bytes([round(min(max(confidence, 0), 1) * 255)])


def read_row(row: bytes, entries: dict[bytes, str], index: Index) -> tuple[str, float]:
    """`entry/cause` and its confidence. Raises KeyError."""
    name = entries[row[:ID]]
    entry = index.find(name)
    causes = {digest(cause.id, CAUSE): f"{name}/{cause.id}" for cause in entry.causes} if entry else {}
    return {**causes, digest("", CAUSE): name}[row[ID : ID + CAUSE]], row[-1] / 255


def digest(text: str, size: int) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:size]
