"""What must be true of every answer, whatever the paste: its lines exist and its spans lie inside them."""

from __future__ import annotations

import json
import re

from kb.diagnose.diagnosis import Diagnosis
from kb.diagnose.wire import to_wire

LINE_END = re.compile(r"\r\n|\r|\n")


def paste_lines(text: str) -> list[str]:
    """The lines of a paste as the wire form counts them."""
    lines = LINE_END.split(text)
    return lines[:-1] if not lines[-1] else lines


def check(diagnosis: Diagnosis, text: str) -> None:
    """Assert that every place that the answer names is in the paste."""
    lines = paste_lines(text)
    wire = to_wire(diagnosis)
    json.dumps(wire)
    assert wire["input"]["lines"] == len(lines)
    assert wire["input"]["characters"] == len(text)
    for failure in wire["failures"]:
        told = [failure["initiating"], *failure["secondary"]]
        told_ranks = [(r["line"], r["text"]) for r in failure["ranks"] if r["line"] is not None]
        for number, shown in [(one["line"], one["text"]) for one in told] + told_ranks:
            assert lines[number - 1] == shown
        for hypothesis in failure["hypotheses"]:
            assert 0.0 <= hypothesis["confidence"] <= hypothesis["entry_confidence"] <= 1.0
            for evidence in hypothesis["evidence"]:
                check_span(evidence["line"], evidence["start"], evidence["end"], lines)
    best = wire["best"]
    assert (best is None) == (wire["verdict"] == "no_match")


def check_span(line: int | None, start: int | None, end: int | None, lines: list[str]) -> None:
    """Assert that a span is absent or lies in its line."""
    if line is None:
        assert start is None
        assert end is None
        return
    assert 1 <= line <= len(lines)
    if start is not None and end is not None:
        assert 0 <= start <= end <= len(lines[line - 1])
