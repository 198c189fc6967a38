"""Tell warnings that were pasted because they are the failure from those of a healthy log.

`WARNING 06-14 08:42:20 _custom_ops.py:11] Failed to import from vllm._C with ImportError('... undefined ...`
alone is a failure; among a hundred lines of a server that goes on it is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.diagnose.clean.text import CleanText
from kb.diagnose.report import Event

FAILING = re.compile(
    r"(?i)\b(?:fail(?:ed|ure|s)?|errors?|cannot|can't|could not|unable|unsupported|not supported"
    r"|undefined symbol|no space left"
    r"|timed? ?out|killed|abort(?:ed)?|mismatch|invalid|denied|refused|not found|missing"
    r"|out of memory|not compatible|no such)\b|[a-z](?:Error|Exception)\b"
)


def mark_alone(clean: CleanText, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events; warnings that speak of a failure and are most of the paste are marked `alone`."""
    warned = {spot.at for e in events if e.level == "warning" for spot in e.passage.spots}
    if not warned or 2 * len(warned) <= sum(bool(line.text.strip()) for line in clean.lines):
        return tuple(events)
    return tuple(
        replace(e, fields={**e.fields, "alone": "warning"})
        if e.level == "warning" and FAILING.search(e.passage.text)
        else e
        for e in events
    )
