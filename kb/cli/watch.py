"""`kb watch FILE`: follow a growing log, and say when a failure begins.

The last part of the log is diagnosed whenever it has grown and then been quiet for a moment: a traceback of
eight processes is judged when it is complete. A log that is never quiet is looked at from time to time.
"""

from __future__ import annotations

import argparse
import math
import shlex
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from kb.cli.following import Follower, Window
from kb.cli.ready import ready_index
from kb.cli.stop import StopError
from kb.cli.terminal import use_colour
from kb.diagnose import Diagnosis, Index, diagnose
from kb.diagnose.diagnosis import Best, Failure, Verdict
from kb.diagnose.fitted import CLOSE, SURE
from kb.render.brief import Brief, brief

POLL = 0.5  # seconds between two looks at the file
PATIENCE = 10  # times --settle: a log that is never quiet is diagnosed all the same
SHARE = 10  # a diagnosis may take one part in so many of the time


def run(arguments: argparse.Namespace) -> int:
    """Follow the log until Ctrl-C, or with --once until a failure was told."""
    if not 0 <= arguments.settle < math.inf:
        raise StopError("--settle is a number of seconds, such as 2 or 0.5")
    index = ready_index(arguments.index)
    path = Path(arguments.file)
    follower = Follower(path)
    waits = "" if path.exists() else ", which is not there yet"
    print(f"kb: following {path}{waits} (Ctrl-C stops it)", file=sys.stderr, flush=True)
    try:
        for told in _told(follower, arguments.settle, index):
            print(block(told, arguments.file), flush=True)
            if arguments.once:
                break
    finally:
        follower.close()
    return 0


def _told(follower: Follower, settle: float, index: Index) -> Iterator[Brief]:
    """Each failure once, as it begins. Does not end by itself."""
    watcher = _Watcher(index)
    grown = began = 0.0
    while True:
        for data in follower.read():
            if data is None:
                yield from watcher.look()
                watcher.window.clear()
                continue
            grown = time.monotonic()
            began = began if watcher.changed else grown
            watcher.add(data)
        now = time.monotonic()
        settled = now - grown >= settle or now - began >= PATIENCE * settle
        if settled and now >= watcher.rested:
            yield from watcher.look()
        time.sleep(min(POLL, max(settle, 0.05)))


class _Watcher:
    """The window on the log, and what was told of it."""

    def __init__(self, index: Index) -> None:
        self.window = Window()
        self.changed = False
        self.rested = 0.0
        self._index = index
        self._seen: set[str] = set()
        self._known: set[tuple[str, str]] = set()

    def add(self, data: bytes) -> None:
        self.window.add(data)
        self.changed = True

    def look(self) -> Iterator[Brief]:
        """What has begun since the last look. Looks only when the log has grown."""
        if not self.changed:
            return
        self.changed = False
        began = time.monotonic()
        diagnosis = diagnose(self.window.text(), self._index)
        self.rested = time.monotonic() + SHARE * (time.monotonic() - began)
        if diagnosis.fingerprint in self._seen:
            return
        self._seen.add(diagnosis.fingerprint)
        for failure in diagnosis.failures:
            if not failure.handled and (key := _key(failure)) not in self._known:
                self._known.add(key)
                told = brief(alone(failure, diagnosis))
                yield replace(told, line=(told.line or 1) + self.window.first_line - 1)


def _key(failure: Failure) -> tuple[str, str]:
    """What makes a failure the same: the entry, and where none is named the line without its numbers."""
    entry = failure.hypotheses[0].entry if failure.hypotheses else ""
    line = "" if entry else "".join(c for c in failure.initiating.text if not c.isdigit())
    return entry, line


def alone(failure: Failure, diagnosis: Diagnosis) -> Diagnosis:
    """The diagnosis as it would be if this were its only failure."""
    first = failure.hypotheses[0] if failure.hypotheses else None
    known = math.fsum({each.entry: each.entry_confidence for each in failure.hypotheses}.values())
    if first is None or (known < CLOSE and first.confidence < SURE):
        return replace(diagnosis, verdict="no_match", best=None, failures=(failure,))
    verdict: Verdict = "match" if first.confidence >= SURE else "ambiguous"
    best = Best(first.entry, first.cause, first.confidence, first.path)
    return replace(diagnosis, verdict=verdict, best=best, failures=(failure,))


def block(told: Brief, name: str) -> str:
    """One failure in a few lines, with where to read on."""
    bold, plain = ("\x1b[1m", "\x1b[0m") if use_colour() else ("", "")
    who = f", {told.process}" if told.process else ""
    lines = [
        f"{time.strftime('%H:%M:%S')} {bold}{told.headline}{plain}",
        f"  line {told.line}{who}: {told.text}",
        f"  {told.summary}",
    ]
    if told.need:
        lines.append(f"  find the first error: {told.need}")
    if told.verdict == "match" and told.fix:
        lines.append(f"  fix: {told.fix}")
    if told.rival:
        lines.append(f"  or it could be: {told.rival.title} ({told.rival.sure})")
    return "\n".join([*lines, f"  everything: kb match {shlex.quote(name)}", ""])
