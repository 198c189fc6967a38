"""Every kind of paste that must be read: its initiating line, process and whole message.

Right in `must_read/` are invented pastes, most of whose failures no entry knows.
"""

import pytest

from kb.diagnose.clean.text import Process
from kb.diagnose.diagnosis import Diagnosis, Failure
from tests.proof.examples import Ask
from tests.proof.must_read import Paste, pastes

ALL = pastes()


@pytest.mark.parametrize("paste", ALL, ids=lambda paste: paste.name)
def test_paste_is_read_right(paste: Paste, ask: Ask) -> None:
    wrong = faults(paste, ask(paste.text))
    assert bool(wrong) is (paste.wrong is not None), (paste.fact, wrong or "right now: take its `wrong` away")


def test_names_are_told_apart_and_lines_are_there() -> None:
    assert len({paste.name for paste in ALL}) == len(ALL)
    for paste in ALL:
        assert bool(paste.lines) is not paste.quiet, paste.name


def faults(paste: Paste, diagnosis: Diagnosis) -> list[str]:
    """What is wrong about an answer."""
    live = [failure for failure in diagnosis.failures if not failure.handled]
    if paste.quiet:
        return [f"a failure: {failure.initiating.text}" for failure in live]
    failure = main_failure(diagnosis, live)
    if failure is None:
        return ["no failure"]
    first = failure.initiating
    wrong = []
    if first.line not in paste.lines:
        wrong.append(f"line {first.line}: {first.text}")
    if paste.also and not any(each.initiating.line in paste.also for each in live):
        wrong.append("the second failure is not told")
    if paste.process is not None and not is_process(first.process, paste.process):
        wrong.append(f"process {first.process}")
    if paste.message is not None and not any(
        squeezed(paste.message) in text for text in told(first.line, diagnosis)
    ):
        wrong.append(f"message {told(first.line, diagnosis)}")
    return wrong


def main_failure(diagnosis: Diagnosis, live: list[Failure]) -> Failure | None:
    """The failure that `best` belongs to, else the first."""
    best = diagnosis.best
    for failure in live:
        if best and any((h.entry, h.cause) == (best.entry, best.cause) for h in failure.hypotheses):
            return failure
    return live[0] if live else None


def is_process(process: Process, wanted: dict[str, str]) -> bool:
    """Whether all that is wanted is said; nothing when nothing is wanted."""
    known = process._asdict()
    return all(known[name] == value for name, value in wanted.items()) and (
        bool(wanted) or not process.known()
    )


def told(line: int, diagnosis: Diagnosis) -> list[str]:
    """The messages that stand on a line of the paste."""
    report = diagnosis.report
    lines = report.clean.lines
    return [squeezed(event.passage.text) for event in report.events if lines[event.at].number == line]


def squeezed(text: str) -> str:
    return " ".join(text.split())
