"""Errors that the program dealt with: it says so beside them, and the run goes on.

An event counts as handled only when its own words, or the line just before or after it in the same process,
say what is done instead, and the process goes on writing without a failure behind it. Words that are part of
what an entry knows are not among them: `... will be ignored` can be the very failure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from kb.diagnose import template
from kb.diagnose.clean.text import Process
from kb.diagnose.hits import Candidates
from kb.diagnose.report import Event, Report

PHRASES: tuple[str, ...] = (
    # urllib3, huggingface_hub, vLLM, DataLoader, job runners: the same thing again
    "retrying in",
    "Retrying in",
    "Retrying (",
    "will retry",
    "retrying with",
    "retry attempt {_:int}",
    "Trying to resume",
    "trying again",
    "Trying again",
    # libraries that have another way
    "falling back to",
    "Falling back to",
    "using {_} instead",
    "Using {_} instead",
    "will be ignored",
    "Ignoring",
    "ignoring this error",
    "skipping this",
    "Skipping",
    # Jupyter: The port 8888 is already in use, trying another port.
    "trying another port",
    "trying port {_:int}",
    "continuing without",
    "Continuing without",
    "can be safely ignored",
    "is not fatal",
)
RESTARTED = re.compile(r"failed \(exitcode: -?\d+\) local_rank: \d+ \(pid: \d+\)")
# `Consider using a fast tokenizer instead.`: nobody did.
ADVICE = re.compile(
    r"\b(?:consider|try|recommend(?:ed)?|please|prefer) (?:to )?us(?:e|ing)\b[^.]{0,300}", re.IGNORECASE
)
REQUEST = re.compile(r'"(?P<route>POST [^\s?"]+)[^"]*" (?P<status>\d{3})\b')
GOING_ON = 3  # lines behind a launcher's word that show that its workers run again
NEAR = 2  # lines before and after an event that may say what is done instead


@cache
def phrases() -> dict[str, list[template.Template]]:
    """The phrases by an anchor word of each."""
    table: dict[str, list[template.Template]] = {}
    for source in PHRASES:
        parsed = template.parse(source)
        for word in template.anchors(parsed):
            table.setdefault(word, []).append(parsed)
    return table


def says_handled(text: str) -> bool:
    """Whether a line says that something else is done instead of failing."""
    text = ADVICE.sub("", text)
    near = [parsed for word in template.words(text) for parsed in phrases().get(word, ())]
    if not near:
        return False
    prepared = template.prepare(text)
    return any(template.find(parsed, prepared) is not None for parsed in near)


def handled_events(report: Report, candidates: Candidates) -> frozenset[int]:
    """The events that the paste shows to be dealt with."""
    lasts = Lasts.of(report, candidates)
    restart = restarted_at(report, candidates)
    answered = answered_requests(report, candidates)
    known: dict[int, int] = {}
    for hit in candidates.hits:
        if hit.found is not None:
            known[hit.event] = max(known.get(hit.event, 0), hit.found.end)
    own = frozenset(spot.at for n in known for spot in candidates.events[n].passage.spots)
    return frozenset(
        n
        for n, event in enumerate(candidates.events)
        if event.at <= restart or event.at in answered or says_so(event, known.get(n, 0), own, report, lasts)
    )


def answered_requests(report: Report, candidates: Candidates) -> frozenset[int]:
    """The lines of refused requests whose route answered others in the same paste: a client's mistake."""
    refused = {
        event.at: match["route"]
        for event in candidates.events
        if event.fields.get("declared") == "refused" and (match := REQUEST.search(event.passage.text))
    }
    if not refused:
        return frozenset()
    served = {
        match["route"]
        for line in report.clean.lines
        if (match := REQUEST.search(line.text)) is not None and match["status"].startswith("2")
    }
    return frozenset(at for at, route in refused.items() if route in served)


def restarted_at(report: Report, candidates: Candidates) -> int:
    """The line behind which a launcher started its workers again and nothing failed any more; -1 without one.

    torchrun writes `failed (exitcode: 1) local_rank: 1 (pid: 1788)` for each try; when it gives up, the
    traceback of its ChildFailedError follows. When it tries again the workers go on writing.
    """
    failed = [event.at for event in candidates.events if RESTARTED.search(event.passage.text[:400])]
    if not failed:
        return -1
    told = {event.at for event in candidates.events}
    later = range(failed[-1] + 1, len(report.clean.lines))
    failing = any(event.at > failed[-1] and event.level != "warning" for event in candidates.events)
    texts = [report.clean.lines[at].text.strip() for at in later if at not in told]
    failing = failing or any("Traceback (most recent" in text for text in texts)  # one that could not be read
    going_on = sum(bool(text) and not text.startswith("#") for text in texts)
    return failed[-1] if going_on >= GOING_ON and not failing else -1


@dataclass(frozen=True, slots=True)
class Lasts:
    """For each process its last written line, and its last event that is more than a warning (indexes)."""

    line: dict[Process, int]
    failure: dict[Process, int]

    @classmethod
    def of(cls, report: Report, candidates: Candidates) -> Lasts:
        lines = {line.process: at for at, line in enumerate(report.clean.lines) if line.text.strip()}
        failures: dict[Process, int] = {}
        for event in candidates.events:
            if event.level not in ("warning", "info", "debug"):
                failures[event.process] = event.at
        return cls(lines, failures)


def says_so(event: Event, known: int, own: frozenset[int], report: Report, lasts: Lasts) -> bool:
    """Whether the paste says beside the event what is done instead, and its process goes on.

    `known`: up to where an entry knows the event's text. `own`: the lines of all texts that entries know.
    """
    lines = report.clean.lines
    # What has no level of its own is an error by its words alone, which may be those of a warning.
    told = lines[event.at].level is not None and event.level in ("error", "critical")
    if event.on == "fact" or told:
        return False
    first = event.frames[0].at if event.frames else event.at
    last = max(event.at, *(spot.at for spot in event.passage.spots))
    if lasts.line.get(event.process, -1) <= last or lasts.failure.get(event.process, -1) > last:
        return False
    near = (at for at in range(max(first - NEAR, 0), min(last + NEAR + 1, len(lines))) if at not in own)
    beside = (lines[at].text[:2000] for at in near if lines[at].process == event.process)
    return any(map(says_handled, beside)) or (known > 0 and says_handled(event.passage.text[known:2000]))
