"""Tell what was pasted because it is the failure from what a healthy log says too.

`WARNING 06-14 08:42:20 _custom_ops.py:11] Failed to import from vllm._C with ImportError('... undefined ...`
alone is a failure; among a hundred lines of a server that goes on it is not. Nor is
`acme/net does not appear to have a file named model.safetensors` a line that says by its form that it is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.diagnose.clean.text import CleanText
from kb.diagnose.read.prose import is_code, is_prose
from kb.diagnose.read.shapes import indentation
from kb.diagnose.read.starts import HEADING
from kb.diagnose.read.streams import passage
from kb.diagnose.report import Event

LONGEST = 2000  # characters of a line that are looked at
FAILING = re.compile(
    r"(?i)\b(?:fail(?:ed|ure|s)?|errors?|cannot|can't|could not|unable|unsupported|not supported"
    r"|undefined symbol|no space left"
    r"|timed? ?out|killed|abort(?:ed)?|mismatch|invalid|denied|refused|not found|missing"
    r"|out of memory|not compatible|no such)\b|[a-z](?:Error|Exception)\b"
)

# Words by which a line of a few complains, where no line has the form of a failure.
COMPLAINT = re.compile(
    r"(?i:\b(?:fail(?:ed|ure|s)?|cannot|can't|couldn't|could not|unable|unsupported|not supported|no such"
    r"|no space left|timed ?out|killed|abort(?:ed)?|mismatch|invalid|denied|refused|refuses|not found|missing"
    r"|out of memory|not compatible|crash(?:ed|es)?|undefined|unrecognized|unknown|must (?:be|match|have)"
    r"|requires|does not|doesn't|do not match|not allowed|exceeds?|error (?:code|while|in|from|at))\b"
    r"|\berror\s*:)|[a-z](?:Error|Exception)\b(?=[:\](])"
)
# `0 failed`, `no timeout`, `Corrected error`
CALM = re.compile(r"(?i)\b(?:no|0|zero|without|any|corrected)\s$")
# `falling back to CPU`, `worker WARN queue: Timed out`, `error 0.31`, a row of a table, a call with a string
GOES_ON = re.compile(
    r"(?i)\b(?:falling back|retrying|ignored|ignoring|skipping|severity=corrected|warn|warning|info|debug"
    r"|notice|passed)\b|error:? [\d.]+|^\s*\||\w\([\"']"
)
# A person tells or asks something: what is in it is no log.
TOLD = re.compile(r"\b(?:I|we|We|my|My|our|Our|you|You|your|[Tt]hanks|Hi)\b|\?\s*$")
FEW_LINES, MOST_LINES = 8, 25  # of a paste: complaints are believed anywhere, or in its first and last line


def complaint(clean: CleanText) -> Event | None:
    """The first line of a short paste that complains, as an event; None where none does.

    Only for pastes in which nothing else is a failure by its form.
    """
    told = [at for at, line in enumerate(clean.lines) if line.text.strip()]
    if len(told) > MOST_LINES or any(TOLD.search(clean.lines[at].text[:LONGEST]) for at in told):
        return None
    for at in told if len(told) <= FEW_LINES else (told[0], told[-1]):
        line, text = clean.lines[at], clean.lines[at].text[:LONGEST]
        passed = line.level is not None or HEADING.fullmatch(text)
        found = None if passed else COMPLAINT.search(text)
        if found is None or CALM.search(text[: found.start()]) or GOES_ON.search(text):
            continue
        if not is_prose(line, found.start(), found.end()) and not is_code(line, found.start()):
            shown = passage(clean, [at], indentation(text))
            return Event("message", shown, at, process=line.process, time=line.time)
    return None


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
