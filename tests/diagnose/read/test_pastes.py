"""Every paste in `pastes/` is read as its `.expect` file says; the first line there states the fact.

`pytest tests/diagnose/read --update` writes what was read into the `.expect` files, below the fact.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.read import read_report
from kb.diagnose.report import Event, Report

PASTES = sorted((Path(__file__).parent / "pastes").glob("*.txt"))
LONGEST = 160


@pytest.mark.parametrize("paste", PASTES, ids=lambda path: path.stem)
def test_paste_is_read_as_expected(paste: Path, update: bool) -> None:
    expected = paste.with_suffix(".expect")
    fact, _, events = expected.read_text().partition("\n")
    assert fact.startswith("# "), f"{expected.name} begins with the fact that it shows, behind '# '"
    with paste.open(newline="") as file:
        read = described(read_report(clean(file.read())))
    if update:
        expected.write_text(f"{fact}\n{read}")
    assert read == events or update


def test_every_expectation_has_its_paste() -> None:
    folder = Path(__file__).parent / "pastes"
    assert {path.stem for path in folder.glob("*.expect")} == {path.stem for path in PASTES}


def described(report: Report) -> str:
    """A line for each event, then what else was read."""
    lines = [event_line(event, report) for event in report.events]
    facts = {name: value for name, value in asdict(report.facts).items() if value not in (None, ())}
    for name, values in (("versions", report.versions), ("settings", report.settings), ("facts", facts)):
        if values:
            lines.append(
                f"{name}: " + " ".join(f"{key}={shown(value)}" for key, value in sorted(values.items()))
            )
    if report.command:
        lines.append(f"command: {report.command}")
    return "".join(f"{line}\n" for line in lines)


def shown(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def event_line(event: Event, report: Report) -> str:
    """Line of the paste, place, class, what is known of it, and the beginning of its text."""
    lines = report.clean.lines
    parts = [str(lines[event.at].number), event.on, event.type or "-"]
    if event.level:
        parts.append(event.level)
    process = {name: value for name, value in event.process._asdict().items() if value is not None}
    parts += [f"{name}={value}" for name, value in process.items()]
    if event.frames:
        last = event.frames[-1]
        parts.append(f"frames={len(event.frames)}:{last.path.rpartition('/')[2]}:{last.line}:{last.function}")
    if event.cause is not None:
        parts.append(f"{event.chain}={lines[report.events[event.cause].at].number}")
    if event.on != "body":
        parts += [f"{name}={value}" for name, value in sorted(event.fields.items())]
    text = event.passage.text.replace("\n", "\\n")
    return " ".join(parts) + " | " + (text if len(text) <= LONGEST else text[:LONGEST] + "...")
