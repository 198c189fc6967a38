"""Find which signatures stand in a report: cheap over all of them, exact on the few that could.

Every text unit (an event's message, or a line) is looked up by its words in the index's anchors; only the
templates that an anchor points to are searched. A line that no reader took for an event becomes one when a
signature is found in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kb.diagnose import compare, template
from kb.diagnose.clean.text import CleanText, Line
from kb.diagnose.hits import (
    MAX_UNIT,
    MESSAGE_PLACES,
    Candidates,
    Hit,
    fits_level,
    fits_place,
    mentioned,
    unraised,
)
from kb.diagnose.index import Index, Place, Signature
from kb.diagnose.read.alone import complaint
from kb.diagnose.read.logs import MAX_CONTINUATION, continuation_end, line_event
from kb.diagnose.read.shapes import HEADER
from kb.diagnose.report import Event, Passage, Report, Spot
from kb.diagnose.similar import last_line, search_similar


@dataclass(frozen=True, slots=True)
class FactScope:
    """Facts as names for `on: fact` signatures."""

    values: dict[str, str]

    def value(self, name: str) -> str | None:
        return self.values.get(name)

    def across(self, name: str) -> tuple[str | None, ...]:
        return (self.values.get(name),)


def recall(report: Report, index: Index) -> Candidates:
    """All signatures found in the report's events and lines, in order of the events' lines."""
    events, lines = list(report.events), report.clean.lines
    searched = Searched(index)
    hits = [
        hit
        for number, event in enumerate(events)
        for hit in search_event(event, number, searched)
        if hit.found is None or not unraised(event, hit.found, lines)
    ]
    hits += search_sources(events, {hit.event for hit in hits}, searched, lines)
    announced = announced_entries(events, hits, index, lines)
    covered = told_lines(events)
    matched_at = {events[hit.event].at for hit in hits}
    for event, found in search_lines(report, index, searched, covered, matched_at):
        if event.at in announced and announced[event.at].isdisjoint(hit.entry for hit in found):
            continue
        hits.extend(replace(hit, event=len(events)) for hit in found)
        events.append(event)
    if not events and (alone := complaint(report.clean)) is not None:
        events.append(alone)
    known = {hit.event for hit in hits if index.entry(hit.entry).role == "initiating"}
    taken = {hit.event for hit in hits}
    if not known:
        hits += search_similar(events, taken, index, lines)
        if not hits and (last := cut_line(report.clean, covered, index)) is not None:
            hits += (replace(hit, event=len(events)) for hit in last[1])
            events.append(last[0])
    elif len(known) == 1 and is_cut(events[max(known)], hits, lines):
        hits += search_similar(events, set(range(len(events))) - known, index, lines)
    return in_order(events, hits)


def search_sources(
    events: list[Event], taken: set[int], searched: Searched, lines: Sequence[Line]
) -> list[Hit]:
    """Signatures of source lines in exceptions whose own message no signature knows.

    `The size of tensor a (4096) must match ...` is said by any program; the line of vLLM that raised it tells
    which. Such an event is then told by its source line.
    """
    found: list[Hit] = []
    for number, event in enumerate(events):
        if number in taken or event.on != "message" or not event.frames:
            continue
        told = by_source(event, lines)
        hits = (
            [hit for hit in search_event(told, number, searched) if hit.signature.on == "source"]
            if told
            else []
        )
        if told and hits:
            events[number] = told
            found += hits
    return found


def by_source(event: Event, lines: Sequence[Line]) -> Event | None:
    """The event told by the source line of its raising frame; None where the paste does not show it."""
    at, source = event.frames[-1].source_at, event.frames[-1].source
    column = lines[at].text.find(source) if at is not None and source else -1
    if at is None or source is None or column < 0:
        return None
    return replace(event, passage=Passage(source, (Spot(0, at, column),)), on="source")


def told_lines(events: list[Event]) -> set[int]:
    """The lines that events tell. Source lines of a whole traceback quote messages and are no tellings."""
    told = {spot.at for event in events for spot in event.passage.spots}
    for event in events:
        if "cut" not in event.fields:
            told.update(frame.at for frame in event.frames)
            told.update(frame.source_at for frame in event.frames if frame.source_at is not None)
    return told


def announced_entries(
    events: Sequence[Event], hits: Sequence[Hit], index: Index, lines: Sequence[Line]
) -> dict[int, set[int]]:
    """The lines right above known exceptions that only announce them, as `logger.exception` writes, each with
    the entries that know the exception.

    `ERROR engine.py:157] RuntimeError('Error in model execution: Loading lora x failed')` passes on what the
    traceback below it says better.
    """
    announced: dict[int, set[int]] = {}
    for hit in hits:
        frames = events[hit.event].frames
        if not frames or frames[0].at < 2 or index.entry(hit.entry).role != "initiating":
            continue
        head, above = lines[frames[0].at - 1], lines[frames[0].at - 2]
        same = head.level is not None and (above.level, above.process) == (head.level, head.process)
        if same and HEADER in head.text:
            announced.setdefault(frames[0].at - 2, set()).add(hit.entry)
    return announced


def in_order(events: list[Event], hits: list[Hit]) -> Candidates:
    """Events sorted by line, and the hits' and chains' references to them made right."""
    order = sorted(range(len(events)), key=lambda i: (events[i].at, i))
    if order != list(range(len(events))):
        place = {old: new for new, old in enumerate(order)}
        events = [
            events[i] if (cause := events[i].cause) is None else replace(events[i], cause=place[cause])
            for i in order
        ]
        hits = [replace(hit, event=place[hit.event]) for hit in hits]
    return Candidates(tuple(events), tuple(sorted(hits, key=lambda hit: hit.event)))


class Searched:
    """What was found in the events of one paste: the same error 500 times is searched once."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._texts: dict[str, tuple[tuple[int, Signature, template.Found, int], ...]] = {}
        self._facts: dict[tuple[tuple[str, str], ...], tuple[tuple[int, Signature], ...]] = {}

    def text(self, text: str) -> tuple[tuple[int, Signature, template.Found, int], ...]:
        """See `search_text`."""
        if text not in self._texts:
            self._texts[text] = tuple(search_text(text, self._index))
        return self._texts[text]

    def facts(self, fields: dict[str, str]) -> tuple[tuple[int, Signature], ...]:
        """See `search_facts`."""
        key = tuple(sorted(fields.items()))
        if key not in self._facts:
            self._facts[key] = tuple(search_facts(fields, self._index))
        return self._facts[key]


def search_event(event: Event, number: int, searched: Searched) -> Iterator[Hit]:
    """The signatures that stand in one event."""
    if event.on == "fact":
        for entry, signature in searched.facts(event.fields):
            yield Hit(entry, signature, number, None)
    for entry, signature, found, count in searched.text(event.passage.text):
        if fits_place(signature.on, event) and fits_level(signature, event.level):
            yield Hit(entry, signature, number, found, count)


def search_text(text: str, index: Index) -> Iterator[tuple[int, Signature, template.Found, int]]:
    """Entry number, signature, place and count of every signature whose template stands in the text."""
    text = text[:MAX_UNIT]
    places = sorted(set(possible(template.words(text), index)))
    if not places:
        return
    prepared = template.prepare(text)
    for place in places:
        signature = index.signature(place)
        parsed = template.parse(signature.template)
        if signature.each == "line":
            lines = template.find_each_line(parsed, prepared)
            if lines:
                yield place.entry, signature, lines[0], len(lines)
        elif (found := template.find(parsed, prepared)) is not None:
            yield place.entry, signature, found, 1


def possible(words: set[str], index: Index) -> Iterator[Place]:
    """The signatures that a text with these words can have, as far as words tell; one may come twice."""
    has = words.issuperset
    for word in words & index.anchors:
        anchored = index.anchored(word)
        for second in anchored.keys() & words:
            for place, further in anchored[second]:
                if has(further):
                    yield place


def is_possible(words: set[str], index: Index) -> bool:
    """Whether a text with these words can have any signature."""
    return next(possible(words, index), None) is not None


def search_facts(fields: dict[str, str], index: Index) -> Iterator[tuple[int, Signature]]:
    """Entry number and signature of every `on: fact` signature that holds for what an event states."""
    scope = FactScope(fields)
    for place in index.facts:
        signature = index.signature(place)
        if compare.evaluate(compare.parse(signature.template), scope) is True:
            yield place.entry, signature


def search_lines(
    report: Report, index: Index, searched: Searched, covered: set[int], matched_at: set[int]
) -> Iterator[tuple[Event, list[Hit]]]:
    """An event, with its hits, for each line outside the known events in which a signature stands."""
    clean = report.clean
    everything = range(len(clean.lines))
    found_in = report.words.find(index.anchors, lambda words: is_possible(words, index), MAX_CONTINUATION)
    for at, words in found_in:
        if at in covered or at in matched_at:
            continue
        line = clean.lines[at]
        behind = continuation_end(clean, everything, at, set())
        if behind > at + 1:
            words = words | template.words("\n".join(more.text for more in clean.lines[at + 1 : behind]))
        if not is_possible(words, index):
            continue
        event = line_event(clean, list(range(at, behind)), line.level)
        hits = [
            Hit(entry, signature, -1, found, count)
            for entry, signature, found, count in searched.text(event.passage.text)
            if may_stand(signature, line) and not mentioned(event, found, clean.lines)
        ]
        if hits:
            matched_at.update(range(at, behind))
            yield replace(event, at=first_line(event, hits)), hits


def first_line(event: Event, hits: list[Hit]) -> int:
    """The line in which the first signature found begins: above it may stand a heading (`Containers:`)."""
    start = min(hit.found.start for hit in hits if hit.found is not None)
    return next(spot.at for spot in reversed(event.passage.spots) if spot.offset <= start)


def may_stand(signature: Signature, line: Line) -> bool:
    """Whether a signature is looked for in a line of this level: messages are, from WARNING on."""
    if signature.on in MESSAGE_PLACES:
        return line.level not in ("debug", "info") and fits_level(signature, line.level)
    return signature.on == "log"


def cut_line(clean: CleanText, covered: set[int], index: Index) -> tuple[Event, list[Hit]] | None:
    """The last line of a paste as an event, with the signatures of which it may be a cut beginning.

    A log line without a level is no event by its form: `Scheduler watchdog timeout (self.watchdog_timeout=3`.
    """
    lines = clean.lines
    at = last_line(lines)
    if at in covered or at < 0 or lines[at].level in ("debug", "info") or is_ended(lines[at].text.rstrip()):
        return None
    event = line_event(clean, [at], lines[at].level)
    end = len(event.passage.text.rstrip())
    hits = [
        hit
        for hit in search_similar([event], set(), index, lines)
        if hit.found is not None and is_rest(hit.found, end)
    ]
    return (event, hits) if hits else None


def is_rest(found: template.Found, end: int) -> bool:
    """Whether a part of a message goes to the end of a line and is a good deal of it: a path at the end of a
    healthy line may be what a message begins with."""
    return found.quality == "partial" and found.end >= end and 3 * (found.end - found.start) >= end


def is_ended(text: str) -> bool:
    """Whether a text ends as a sentence or a value does."""
    return text.endswith((".", "!", "?", ")", "]", "}", ">"))


def is_cut(event: Event, hits: Sequence[Hit], lines: Sequence[Line]) -> bool:
    """Whether the paste ends in the middle of an event's message: what it begins like may say more of it.

    `LoRA is not enabled. Please set` is the beginning of another message than `LoRA is not enabled.`.
    """
    text = event.passage.text.rstrip()
    whole = any(hit.found is None or hit.found.end >= len(text) for hit in hits)
    last = event.passage.spots[-1].at == last_line(lines)
    return event.on in MESSAGE_PLACES and last and not is_ended(text) and not whole
