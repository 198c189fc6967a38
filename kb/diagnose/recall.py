"""Find which signatures stand in a report: cheap over all of them, exact on the few that could.

Every text unit (an event's message, or a line) is looked up by its words in the index's anchors; only the
templates that an anchor points to are searched. A line that no reader took for an event becomes one when a
signature is found in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kb.diagnose import compare, template
from kb.diagnose.clean.text import Line
from kb.diagnose.index import Entry, Index, Place, Signature, read_place
from kb.diagnose.read.alone import complaint
from kb.diagnose.read.logs import MAX_CONTINUATION, continuation_end, line_event
from kb.diagnose.read.prose import is_compared, is_mention
from kb.diagnose.read.shapes import HEADER
from kb.diagnose.report import Event, Passage, Report, Spot

MAX_UNIT = 70_000  # characters of one message that are searched
MESSAGE_PLACES = {"message", "body"}


@dataclass(frozen=True, slots=True)
class Hit:
    """A signature found in an event. `found` is None for facts, which have no text of their own."""

    entry: int
    signature: Signature
    event: int
    found: template.Found | None
    count: int = 1


@dataclass(frozen=True, slots=True)
class Candidates:
    """The report's events, with those added for matched lines, and the signatures found in them."""

    events: tuple[Event, ...]
    hits: tuple[Hit, ...]

    def entries(self) -> dict[int, frozenset[int]]:
        """Event number -> numbers of the entries that have a signature in it."""
        found: dict[int, set[int]] = {}
        for hit in self.hits:
            found.setdefault(hit.event, set()).add(hit.entry)
        return {event: frozenset(entries) for event, entries in found.items()}


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


def fits_place(on: str, event: Event) -> bool:
    """Whether a signature that natively stands at `on` may be found in this event.

    Clients repeat a body's text as an exception's message, and servers send an exception's message as a body.
    """
    if on == "log":
        return True
    if on in MESSAGE_PLACES:
        return event.on in MESSAGE_PLACES
    return on == event.on


def fits_level(signature: Signature, level: str | None) -> bool:
    """Whether a signature may stand at a level: what says that it is an error is none where it only warns."""
    return signature.level != "error" or level != "warning"


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


def unraised(event: Event, found: template.Found, lines: Sequence[Line]) -> bool:
    """Whether a message was not raised: a line without class mentions it, or an assertion compares it."""
    if event.type is None:
        return mentioned(event, found, lines)
    return is_compared(event.type, event.passage.text)


def mentioned(event: Event, found: template.Found, lines: Sequence[Line]) -> bool:
    """Whether a message is only spoken of in the line in which it begins."""
    spot = next(spot for spot in reversed(event.passage.spots) if spot.offset <= found.start)
    line, start = lines[spot.at], spot.column + found.start - spot.offset
    return is_mention(line, start, min(start + found.end - found.start, len(line.text)))


def is_cut(event: Event, hits: Sequence[Hit], lines: Sequence[Line]) -> bool:
    """Whether the paste ends in the middle of an event's message: what it begins like may say more of it.

    `LoRA is not enabled. Please set` is the beginning of another message than `LoRA is not enabled.`.
    """
    last = next((at for at in range(len(lines) - 1, -1, -1) if lines[at].text.strip()), -1)
    text = event.passage.text.rstrip()
    ended = text.endswith((".", "!", "?", ")", "]", "}", ">"))
    whole = any(hit.found is None or hit.found.end >= len(text) for hit in hits)
    return event.on in MESSAGE_PLACES and event.passage.spots[-1].at == last and not ended and not whole


def search_similar(events: list[Event], taken: set[int], index: Index, lines: Sequence[Line]) -> list[Hit]:
    """Signatures that stand in an event's text in part or in other words.

    Messages that were cut, wrapped or misread, and wordings of releases that the entry does not have.
    """
    hits: list[Hit] = []
    tried: dict[tuple[str, str], list[Hit]] = {}
    for number, event in enumerate(events):
        if number in taken or event.on == "fact" or not event.passage.text:
            continue
        key = event.on, event.passage.text
        if key not in tried:
            if len(tried) == MAX_TRIED:
                continue
            tried[key] = similar_hits(event, index)
        hits += [
            replace(hit, event=number)
            for hit in tried[key]
            if hit.found is None or not unraised(event, hit.found, lines)
        ]
    return hits


MAX_TRIED = 200  # different texts that are tried
MAX_SIMILAR = 8  # signatures that are tried in each
MOST_SHARING = 500  # signatures that are looked at for those eight


def similar_hits(event: Event, index: Index) -> list[Hit]:
    """The signatures like which one event reads; the event's number is still to be set."""
    prepared = template.prepare(event.passage.text[:MAX_UNIT])
    hits = []
    for entry, signature in similar_signatures(event, index):
        if not fits_level(signature, event.level):
            continue
        parsed = template.parse(signature.template)
        found = template.find_partial(parsed, prepared)
        if found is not None and lacks_its_head(parsed, found, event):
            continue
        if found is None and may_be_reworded(signature, index.entry(entry)):
            found = template.find_reworded(parsed, prepared)
        if found is not None:
            hits.append(Hit(entry, signature, -1, found))
    return hits


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
