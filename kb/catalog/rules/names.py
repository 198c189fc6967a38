"""The names that expressions and commands of an entry may use."""

from __future__ import annotations

import re

from kb.catalog.entry import Entry

COMPUTED = "value"
"""The name of the value that `fix.set` computes."""


def captures(entry: Entry) -> frozenset[str]:
    """Names that the entry's signatures capture."""
    found = (re.findall(r"(?<!\\)\{([a-z][a-z0-9_]*)", signature.template) for signature in entry.signatures)
    return frozenset(name for names in found for name in names)


def placeholder_names(entry: Entry) -> frozenset[str]:
    """Names that a command may hold as `@name@`."""
    asked = {value.name for value in entry.values}
    computed = {COMPUTED} if any(cause.fix.set for cause in entry.causes) else set()
    return captures(entry) | set(entry.derive) | asked | computed
