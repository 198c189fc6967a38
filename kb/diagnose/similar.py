"""Signatures that stand in an event in part or in other words: messages that were cut, wrapped or misread,
and wordings of releases that the entry does not have."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import replace

from kb.diagnose import template
from kb.diagnose.clean.text import Line
from kb.diagnose.hits import MAX_UNIT, Hit, fits_level, fits_place, stands_in, unraised
from kb.diagnose.index import Entry, Index, Signature, read_place
from kb.diagnose.report import Event

MAX_TRIED = 200  # different texts that are tried
MAX_SIMILAR = 8  # signatures that are tried in each
MOST_SHARING = 500  # signatures that are looked at for those eight
OWN_CLASS, OWN_FILE = 3.0, 2.0  # nats that a class of a package's own, and the file of a signature, say


def search_similar(events: list[Event], taken: set[int], index: Index, lines: Sequence[Line]) -> list[Hit]:
    """Signatures that stand in an event's text in part or in other words.

    Messages that were cut, wrapped or misread, and wordings of releases that the entry does not have.
    """
    last = last_line(lines)
    hits: list[Hit] = []
    tried: dict[tuple[str, str, bool], list[Hit]] = {}
    for number, event in enumerate(events):
        if number in taken or event.on == "fact" or not event.passage.text:
            continue
        is_last = event.passage.spots[-1].at == last
        key = event.on, event.passage.text, is_last
        if key not in tried:
            if len(tried) == MAX_TRIED:
                continue
            tried[key] = similar_hits(event, index, is_last=is_last)
        hits += [
            replace(hit, event=number)
            for hit in tried[key]
            if hit.found is None or not unraised(event, hit.found, lines)
        ]
    return hits


def last_line(lines: Sequence[Line]) -> int:
    """The last line in which something stands; -1 where there is none."""
    return next((at for at in range(len(lines) - 1, -1, -1) if lines[at].text.strip()), -1)


def similar_hits(event: Event, index: Index, *, is_last: bool) -> list[Hit]:
    """The signatures like which one event reads; the event's number is still to be set.

    `is_last`: the paste ends with its message, perhaps in the middle.
    """
    prepared = template.prepare(event.passage.text[:MAX_UNIT])
    hits = []
    for entry, signature in similar_signatures(event, index):
        if not fits_level(signature, event.level):
            continue
        parsed = template.parse(signature.template)
        beside = told_beside(signature, event) if is_last else 0.0
        found = template.find_partial(parsed, prepared, beside)
        if found is not None and lacks_its_head(parsed, found, event):
            continue
        if found is None and may_be_reworded(signature, index.entry(entry)):
            found = template.find_reworded(parsed, prepared)
        if found is not None:
            hits.append(Hit(entry, signature, -1, found))
    return hits


def told_beside(signature: Signature, event: Event) -> float:
    """What stands beside the beginning of a message for its being this one, in nats: a class that only the
    package has, and the file that raises or logs it."""
    told = 0.0
    if signature.exception is not None and event.type is not None:
        name = signature.exception.rpartition(".")[2]
        if name != event.type.rpartition(".")[2]:
            return 0.0
        told += 0.0 if hasattr(builtins, name) else OWN_CLASS
    return told + (OWN_FILE if signature.where is not None and is_of(signature.where, event) else 0.0)


def is_of(where: str, event: Event) -> bool:
    """Whether an event was raised or logged in a file, or below it in a folder."""
    if event.place is not None and event.place.partition(":")[0].endswith(where):
        return True
    return any(stands_in(frame.path.replace("\\", "/"), where) for frame in event.frames)


def lacks_its_head(parsed: template.Template, found: template.Found, event: Event) -> bool:
    """Whether a part of a message stands there without its beginning, though the text shows where it begins.

    Behind an exception's class a message is not cut: `SQLException: Driver/library version mismatch` is not
    the end of `Failed to initialize NVML: Driver/library version mismatch`. Templates may begin with a class.
    """
    if event.type is None or found.quality != "partial":
        return False
    text = event.passage.text[found.start : found.end]
    first = template.literal_words(parsed)[0]
    return first not in template.words(f"{event.type} {text[:200]}") and "..." not in text[:10]


def may_be_reworded(signature: Signature, entry: Entry) -> bool:
    """Whether other words may say the same: not in lists, whose lines differ by the very word that tells them
    apart, and not for consequences, whose wordings `consequences` knows."""
    return signature.each != "line" and entry.role == "initiating"


def similar_signatures(event: Event, index: Index) -> list[tuple[int, Signature]]:
    """The signatures that share the most, and the rarest, words with an event's text."""
    scores: dict[str, float] = {}
    sharing = index.sharing(template.words(event.passage.text[:MAX_UNIT]), MOST_SHARING)
    for places in sharing.values():
        for place in places:
            scores[place] = scores.get(place, 0.0) + 1.0 / len(places)
    best = sorted(scores, key=scores.__getitem__, reverse=True)[:MAX_SIMILAR]
    signatures = [(place.entry, index.signature(place)) for place in map(read_place, best)]
    return [(entry, signature) for entry, signature in signatures if fits_place(signature.on, event)]
