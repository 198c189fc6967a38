"""Read a cleaned paste into events, settings, versions and facts.

Never raises on odd text: what it cannot read stays a line. Every part keeps its way back to the paste.
"""

from __future__ import annotations

from dataclasses import replace

from kb.diagnose.clean.text import CleanText
from kb.diagnose.read.bodies import read_bodies
from kb.diagnose.read.facts import read_facts
from kb.diagnose.read.logs import read_logs
from kb.diagnose.read.settings import read_command, read_components, read_settings, read_versions
from kb.diagnose.read.streams import split_streams
from kb.diagnose.read.tracebacks import TracebackReader
from kb.diagnose.report import Event, Report


def read_report(clean: CleanText) -> Report:
    """What the cleaned paste says, before any entry is consulted. Events are in the order of their lines."""
    facts, fact_events = read_facts(clean)
    return Report(
        clean=clean,
        events=sort_events(read_events(clean), read_bodies(clean) + fact_events),
        versions=read_versions(clean),
        settings=read_settings(clean),
        facts=facts,
        components=read_components(clean),
        command=read_command(clean),
    )


def read_events(clean: CleanText) -> list[Event]:
    """Exceptions and log lines of all streams; `cause` is an index into the returned list."""
    events: list[Event] = []
    for stream in split_streams(clean):
        reader = TracebackReader(clean, stream)
        base = len(events)
        events.extend(replace(e, cause=None if e.cause is None else e.cause + base) for e in reader.read())
        events.extend(read_logs(clean, stream, reader.used))
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
