"""What is given beside the paste: outcomes recognised in pasted output, and what means nothing here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from kb.diagnose import template, versions
from kb.diagnose.clean import clean
from kb.diagnose.diagnosis import Given
from kb.diagnose.fill import PLACEHOLDER
from kb.diagnose.index import Check, Index, Outcome

MAX_OUTPUT = 200_000  # characters of a command's output that are read
MAX_PROBLEMS = 20
LONGEST_NAME = 80  # characters of a name that are said back
KNOWN_BY = 16  # characters by which a stretch of an echoed command is known
MOST_WRAPPED = 40  # lines of one echoed command


def resolve(given: Given, index: Index) -> Given:
    """`given` with each pasted output turned into the outcome that its text shows, where it shows one."""
    outcomes = dict(given.outcomes)
    for check in index.checks if given.outputs else ():
        if check.id in given.outputs and check.id not in outcomes:
            seen = shown_outcomes(check, given.outputs[check.id])
            if len(seen) == 1:
                outcomes[check.id] = seen[0].id
    return replace(given, outcomes=outcomes)


def shown_outcomes(check: Check, output: str) -> list[Outcome]:
    """The outcomes of which a template stands in the output: one where the output decides.

    What is only a part of the text of another is not meant: `served here:` in `not served here:`.
    """
    lines = [line.text for line in clean(output[:MAX_OUTPUT]).lines]
    prepared = template.prepare("\n".join(without_command(lines, check.run or "")))
    found = {
        outcome.id: [
            (place.start, place.end)
            for source in outcome.templates
            if (place := template.find(template.parse(source), prepared)) is not None
        ]
        for outcome in check.outcomes
    }
    spans = [span for each in found.values() for span in each]
    return [
        outcome
        for outcome in check.outcomes
        if any(not any(is_inside(span, other) for other in spans) for span in found[outcome.id])
    ]


def is_inside(span: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a stretch of text is a part of another."""
    return span != other and other[0] <= span[0] and span[1] <= other[1]


def without_command(lines: Sequence[str], command: str) -> list[str]:
    """The lines without the command itself, which a terminal shows above its output, perhaps broken.

    It would show every outcome at once: `print("served here:" if ... else "nothing like it served here:")`.
    """
    parts = [squeezed(part) for line in command.split("\n") for part in PLACEHOLDER.split(line)[::2]]
    telling = [part for part in parts if len(part) >= KNOWN_BY]
    kept: list[str] = []
    behind = 0
    for at, line in enumerate(lines):
        if at < behind:
            continue
        if any(part[:KNOWN_BY] in squeezed(line) for part in telling):
            behind = at + echoed(lines[at : at + MOST_WRAPPED], telling[-1][-KNOWN_BY:])
        else:
            kept.append(line)
    return kept


def echoed(lines: Sequence[str], end: str) -> int:
    """How many lines, from the first, an echoed command takes: to the one in which it ends, else one."""
    text = ""
    for number, line in enumerate(lines, start=1):
        text += squeezed(line)
        if end in text:
            return number
    return 1


def squeezed(text: str) -> str:
    """Text without white space: a terminal breaks a command anywhere."""
    return "".join(text.split())


def given_problems(given: Given, index: Index) -> tuple[str, ...]:
    """What of `given`, its outputs resolved, says nothing to this index, each with what to do about it."""
    asked = {**given.outcomes, **given.outputs}
    checks = {check.id: check for check in index.checks} if asked else {}
    return tuple(islice(problems(given, checks), MAX_PROBLEMS))


def problems(given: Given, checks: dict[str, Check]) -> Iterator[str]:
    for package, version in given.versions.items():
        if versions.compare(version, version) is None:
            yield f"`{short(version)}` is no version of {short(package)}; write it like 0.11.0"
    for name in {**given.outcomes, **given.outputs}:
        if name not in checks:
            yield f"there is no check `{short(name)}`"
    for name, outcome in given.outcomes.items():
        if name in checks and outcome not in [each.id for each in checks[name].outcomes]:
            yield f"{name} has no outcome `{short(outcome)}`; it has {listed(checks[name].outcomes)}"
    for name, output in given.outputs.items():
        if name in checks and name not in given.outcomes:
            yield unrecognised(checks[name], output)


def unrecognised(check: Check, output: str) -> str:
    """Why an output decides nothing."""
    seen = shown_outcomes(check, output)
    if seen:
        return f"the output for {check.id} shows {listed(seen)}; name the one that holds as its outcome"
    return f"the output for {check.id} shows none of its outcomes; name one: {listed(check.outcomes)}"


def listed(outcomes: Sequence[Outcome]) -> str:
    return ", ".join(outcome.id for outcome in outcomes)


def short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."
