"""A sentence or title that tells a failure gives way to the log in the same paste that shows it.

People write `I get CUDA error: invalid device ordinal with eight ranks` above the traceback: both name the
same failure, and the line to look at is the program's own.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kb.diagnose.clean.text import UNKNOWN_PROCESS
from kb.diagnose.hits import Candidates, Hit
from kb.diagnose.read.alone import LONGEST, TOLD
from kb.diagnose.report import Event
from kb.diagnose.weigh import inside_sentence

# Programs hardly ever print Chinese: four characters in a row are a person's sentence.
CHINESE = re.compile(r"[\u4e00-\u9fff]{4}")
# The title of an issue: `[Bug]: CUDA error: ...`, `[Installation] No module named ...`.
TITLE = re.compile(r"\s*(?:#+ )?\[[A-Z][\w ]{1,30}\]:? ")


def without_tellings(candidates: Candidates) -> Candidates:
    """The candidates without what a person tells above the line of a program that says the same."""
    hits: dict[int, list[Hit]] = {}
    for hit in candidates.hits:
        hits.setdefault(hit.event, []).append(hit)
    events = candidates.events
    tellings = {number for number in hits if is_telling(events[number], hits[number])}
    shown = {(hit.entry, number) for number, found in hits.items() if number not in tellings for hit in found}
    dropped = {
        number
        for number in tellings
        if any(entry == hit.entry and later > number for hit in hits[number] for entry, later in shown)
    }
    return without(candidates, dropped) if dropped else candidates


def is_telling(event: Event, hits: list[Hit]) -> bool:
    """Whether an event is a person's sentence or title: every message found in it stands behind words."""
    if event.level is not None or event.frames or event.process != UNKNOWN_PROCESS:
        return False
    if TITLE.match(event.passage.text):
        return True
    starts = [hit.found.start for hit in hits if hit.found is not None]
    sentence = event.passage.text[:LONGEST]
    told = event.type is None and (TOLD.search(sentence) or CHINESE.search(sentence)) is not None
    return told and bool(starts) and all(inside_sentence(event.passage.text, start) for start in starts)


def without(candidates: Candidates, dropped: set[int]) -> Candidates:
    """The candidates without some events."""
    kept = [number for number in range(len(candidates.events)) if number not in dropped]
    place = {old: new for new, old in enumerate(kept)}
    events = [candidates.events[number] for number in kept]
    return Candidates(
        tuple(
            event if event.cause is None else replace(event, cause=place.get(event.cause)) for event in events
        ),
        tuple(replace(hit, event=place[hit.event]) for hit in candidates.hits if hit.event not in dropped),
    )
