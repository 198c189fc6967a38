"""From what a scenario told and the scrubbed log to a case: the numbers of the lines that are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bench.lab.scenarios import Scenario

Told = list[dict[str, Any]]


class NoTruth(Exception):
    """The log does not hold what the scenario told: the scenario did not fail as planned."""


@dataclass(frozen=True)
class Truth:
    """Lines count from 1. `processes` are those that count as right; empty when the log shows none."""

    parts: tuple[str, ...]
    lines: tuple[int, ...]
    processes: tuple[dict[str, str], ...]
    culprit: dict[str, str]  # a process that started it all without a word of its own
    secondary: tuple[int, ...]


def find_truth(scenario: Scenario, told: Told, log: str) -> Truth:
    """Raises NoTruth when the planned failure is not in the log."""
    if scenario.ending != "failure":
        return Truth((), (), (), {}, ())
    silent = [row["process"] for row in told if row["part"] is None]
    spoken = [row for row in told if row["part"] is not None]
    dead = silent if scenario.death else []
    guilty = dead or [row["process"] for row in spoken]
    parts = [row["part"] for row in spoken] + [
        part.format_map(process) for part in scenario.death for process in dead
    ]
    parts += [fill(part, guilty) for part in scenario.also]
    parts = list(dict.fromkeys(parts))
    lines = lines_with(log, parts)
    if not lines:
        raise NoTruth(f"none of {parts} is in the log")
    shown = [{key: process[key] for key in scenario.shown if key in process} for process in guilty]
    return Truth(
        parts=tuple(part for part in parts if lines_with(log, [part])),
        lines=lines,
        processes=tuple(unique([process for process in shown if process])),
        culprit=silent[0] if silent and not dead else {},
        secondary=tuple(n for n in lines_with(log, scenario.secondary) if n not in lines),
    )


def fill(part: str, processes: list[dict[str, str]]) -> str:
    return part.format_map(processes[0]) if "{" in part and processes else part


def lines_with(log: str, parts: tuple[str, ...] | list[str]) -> tuple[int, ...]:
    rows = enumerate(log.split("\n"), start=1)
    return tuple(n for n, line in rows if any(part in line for part in parts))


def unique(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [row for n, row in enumerate(rows) if row not in rows[:n]]


def to_case(scenario: Scenario, truth: Truth, file: str) -> dict[str, Any]:
    """One row of cases.jsonl."""
    return {
        "id": f"lab-{scenario.name}",
        "file": file,
        "ending": scenario.ending,
        "kind": scenario.kind,
        "how": scenario.how,
        "root_lines": list(truth.lines),
        "root_parts": list(truth.parts),
        "processes": list(truth.processes),
        "culprit": truth.culprit,
        "secondary": list(truth.secondary),
    }
