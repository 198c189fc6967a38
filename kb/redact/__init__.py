"""Take secrets out of a paste before it is kept, logged or sent on.

    redact(text) -> Redacted

What is taken out is replaced on the spot: lines keep their number, and what the matcher reads (processes,
paths, addresses that tell hosts apart) keeps its form. Secrets become `redacted`; addresses and user names
become ones that belong to nobody, the same one for the same one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from kb.redact.addresses import hide_addresses
from kb.redact.secrets import hide_secrets
from kb.redact.users import Users

__all__ = ["Redacted", "redact"]


@dataclass(frozen=True)
class Redacted:
    """The text without secrets, and how much of each kind was taken out."""

    text: str
    counts: dict[str, int]


def redact(text: str) -> Redacted:
    """`text` without tokens, passwords, keys, cookies, e-mail and IP addresses, and user names.

    Takes time linear in the text. Never raises on odd text.
    """
    counts: Counter[str] = Counter()
    hidden = Users(counts).hide(hide_addresses(hide_secrets(text, counts), counts))
    return Redacted(hidden, dict(sorted(counts.items())))
