"""The values of the answer. `wire.py` turns them into the one JSON form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from kb.diagnose.clean.text import Process
from kb.diagnose.report import Because, Place, Report

Verdict = Literal["match", "ambiguous", "no_match"]
Quality = Literal["exact", "variant", "partial"]


@dataclass(frozen=True, slots=True)
class Given:
    """What the person knows beside the paste. Echoed in the answer."""

    versions: dict[str, str] = field(default_factory=dict)  # package -> version
    components: tuple[str, ...] = ()
    outcomes: dict[str, str] = field(default_factory=dict)  # check id -> outcome id
    outputs: dict[str, str] = field(default_factory=dict)  # check id -> pasted output


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for or against a hypothesis. `line` is None for what is absent or given.

    `weight` is in nats (natural logarithm of odds) and negative when it speaks against. `line` counts from 1
    in the paste; `start` and `end` are code points in that line, None when the whole line is meant.
    """

    weight: float
    note: str
    signature: str | None = None
    line: int | None = None
    start: int | None = None
    end: int | None = None
    captures: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """The person's own command, list of arguments, call or key, before and after the fix. `form` is its form.

    `line` is the line of the paste in which it begins. Text of several lines has `\\n` between them.
    """

    form: str
    line: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class FilledFix:
    """A cause's fix with the person's numbers in it."""

    summary: str
    parameter: str | None = None
    value: str | None = None
    forms: dict[str, str] = field(default_factory=dict)
    commands: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    verify: dict[str, str] = field(default_factory=dict)
    resume: str | None = None
    avoid: tuple[str, ...] = ()
    risk: str | None = None
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """An entry and cause that could explain the report. `confidence` is that of both together."""

    entry: str
    title: str
    status: str
    cause: str | None
    cause_title: str | None
    kind: str | None
    confidence: float
    entry_confidence: float
    quality: Quality
    applies: Literal["yes", "no", "unknown"]
    fixed_in: str | None
    summary: str
    confirm: dict[str, str]
    fix: FilledFix | None
    evidence: tuple[Evidence, ...]
    path: str


@dataclass(frozen=True, slots=True)
class Initiating:
    """The error that started a failure, as far as the paste shows."""

    line: int
    text: str
    on: Place
    type: str | None
    time: str | None
    process: Process
    kind: str | None


@dataclass(frozen=True, slots=True)
class Secondary:
    line: int
    text: str
    process: Process
    because: Because


@dataclass(frozen=True, slots=True)
class RankRow:
    """One rank of the table of ranks: its first error and what part it plays."""

    rank: str
    host: str | None
    line: int | None
    text: str | None
    time: str | None
    part: Literal["initiating", "secondary", "silent"]


@dataclass(frozen=True, slots=True)
class NextOutcome:
    id: str
    see: str
    supports: tuple[str, ...]
    rules_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NextCheck:
    id: str
    question: str
    look: str | None
    run: str | None
    outcomes: tuple[NextOutcome, ...]


@dataclass(frozen=True, slots=True)
class Need:
    """For a paste that holds only a consequence: where the first error is, and what finds it."""

    look: str
    run: str


@dataclass(frozen=True, slots=True)
class Failure:
    initiating: Initiating
    hypotheses: tuple[Hypothesis, ...]
    also_true: tuple[str, ...] = ()
    handled: bool = False
    secondary: tuple[Secondary, ...] = ()
    ranks: tuple[RankRow, ...] = ()
    silent_ranks: tuple[str, ...] = ()
    next_check: NextCheck | None = None
    need: Need | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """Only for `no_match`: an entry that is not the same, perhaps related."""

    entry: str
    title: str
    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Best:
    entry: str
    cause: str | None
    confidence: float
    path: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The whole answer to one paste."""

    verdict: Verdict
    best: Best | None
    failures: tuple[Failure, ...]
    related: tuple[Related, ...]
    report: Report
    fingerprint: str
    given: Given
    given_problems: tuple[str, ...]  # what of `given` says nothing to this index, and what to do about it
    entries: int
    digest: str
