"""Read a cleaned paste into events, settings, versions and facts.

Never raises on odd text: what it cannot read stays a line. Every part keeps its way back to the paste.
"""

from __future__ import annotations

from dataclasses import replace

from kb.diagnose.clean.text import CleanText
from kb.diagnose.read import shapes
from kb.diagnose.read.alone import mark_alone
from kb.diagnose.read.bodies import read_bodies
from kb.diagnose.read.components import read_components
from kb.diagnose.read.facts import make_facts, read_facts
from kb.diagnose.read.logs import read_logs
from kb.diagnose.read.named import name_processes
from kb.diagnose.read.settings import read_command, read_settings
from kb.diagnose.read.streams import split_streams
from kb.diagnose.read.tracebacks import TracebackReader
from kb.diagnose.read.versions import read_versions
from kb.diagnose.report import Event, Report
from kb.diagnose.words import WordMap


def read_report(clean: CleanText) -> Report:
    """What the cleaned paste says, before any entry is consulted. Events are in the order of their lines."""
    words = WordMap([line.text for line in clean.lines])
    values, fact_events = read_facts(clean, words)
    settings = read_settings(clean, words)
    found = sort_events(read_events(clean, words), read_bodies(clean, words) + fact_events)
    events = name_processes(clean, words, mark_alone(clean, found))
    return Report(
        clean=clean,
        events=events,
        versions=read_versions(clean, words),
        settings=settings,
        facts=make_facts(clean, values, settings, events),
        components=read_components(clean, words),
        command=read_command(clean, words),
        words=words,
    )


def read_events(clean: CleanText, words: WordMap) -> list[Event]:
    """Exceptions and log lines of all streams; `cause` is an index into the returned list."""
    events: list[Event] = []
    signed = frozenset(words.holding(shapes.SIGNS))
    for stream in split_streams(clean):
        reader = TracebackReader(clean, stream, signed)
        base = len(events)
        events.extend(e if e.cause is None else replace(e, cause=e.cause + base) for e in reader.read())
        events.extend(read_logs(clean, stream, reader.used, reader.heads))
    return events


def sort_events(events: list[Event], others: list[Event]) -> tuple[Event, ...]:
    """All events by line; links between exceptions of a chain are kept right."""
    everything = events + others
    order = sorted(range(len(everything)), key=lambda i: (everything[i].at, i))
    place = {old: new for new, old in enumerate(order)}
    return tuple(
        replace(everything[i], cause=place[cause])
        if (cause := everything[i].cause) is not None
        else everything[i]
        for i in order
    )
