"""Diagnosis <-> the one JSON form that every front gives out.

The TypedDicts are the form, field by field; the API's pydantic models are held equal to them by a test.
`line` counts from 1 in the paste as handed in, `start` and `end` count code points in that line.
"""

from __future__ import annotations

from typing import Any, TypedDict, cast

from kb.diagnose import diagnosis as d
from kb.diagnose.clean.text import Process
from kb.diagnose.index import SCHEMA
from kb.diagnose.report import Facts


class WireProcess(TypedDict):
    host: str | None
    rank: str | None
    local_rank: str | None
    role: str | None
    pid: str | None


class WireBest(TypedDict):
    entry: str
    cause: str | None
    confidence: float
    path: str


class WireLook(TypedDict):
    run: str | None
    look: str | None
    see: str | None


class WireSet(TypedDict):
    parameter: str
    value: str


class WireNeed(TypedDict):
    look: str
    run: str


class WireInput(TypedDict):
    lines: int
    characters: int
    truncated: bool


class WireIndex(TypedDict):
    schema: str
    entries: int
    digest: str


class WireRelated(TypedDict):
    entry: str
    title: str
    path: str
    why: str


class WireInitiating(TypedDict):
    line: int
    text: str
    on: str
    type: str | None
    time: str | None
    process: WireProcess
    kind: str | None


class WireChange(TypedDict):
    form: str
    line: int
    before: str
    after: str


class WireFix(TypedDict):
    summary: str
    set: WireSet | None
    steps: list[str]
    forms: dict[str, str]
    commands: list[str]
    verify: WireLook | None
    resume: str | None
    avoid: list[str]
    risk: str | None
    change: WireChange | None


WireEvidence = TypedDict(
    "WireEvidence",
    {
        "line": int | None,
        "start": int | None,
        "end": int | None,
        "signature": str | None,
        "for": bool,
        "weight": float,
        "note": str,
        "captures": dict[str, str],
    },
)


class WireHypothesis(TypedDict):
    entry: str
    title: str
    status: str
    cause: str | None
    cause_title: str | None
    kind: str | None
    confidence: float
    entry_confidence: float
    quality: str
    applies: str
    fixed_in: str | None
    summary: str
    confirm: WireLook | None
    fix: WireFix | None
    evidence: list[WireEvidence]
    path: str


class WireSecondary(TypedDict):
    line: int
    text: str
    process: WireProcess
    because: str


class WireRank(TypedDict):
    rank: str
    host: str | None
    line: int | None
    text: str | None
    time: str | None
    part: str


class WireOutcome(TypedDict):
    id: str
    see: str
    supports: list[str]
    rules_out: list[str]


class WireCheck(TypedDict):
    id: str
    question: str
    look: str | None
    run: str | None
    outcomes: list[WireOutcome]


class WireFailure(TypedDict):
    initiating: WireInitiating
    hypotheses: list[WireHypothesis]
    also_true: list[str]
    handled: bool
    secondary: list[WireSecondary]
    ranks: list[WireRank]
    silent_ranks: list[str]
    next_check: WireCheck | None
    need: WireNeed | None


class WireFacts(TypedDict):
    exit_code: int | None
    signal: str | None
    http_status: int | None
    xid: int | None
    k8s_reason: str | None
    world_size: int | None
    gpu: str | None


class WireReport(TypedDict):
    versions: dict[str, str]
    settings: dict[str, str]
    facts: WireFacts


class WireGiven(TypedDict):
    versions: dict[str, str]
    components: list[str]
    outcomes: dict[str, str]
    outputs: dict[str, str]


class WireDiagnosis(TypedDict):
    schema: str
    verdict: str
    best: WireBest | None
    failures: list[WireFailure]
    related: list[WireRelated]
    report: WireReport
    input: WireInput
    fingerprint: str
    given: WireGiven
    given_problems: list[str]
    index: WireIndex


def to_wire(diagnosis: d.Diagnosis) -> WireDiagnosis:
    """The answer in the form that leaves Faultbook, ready for `json.dumps`."""
    best, clean = diagnosis.best, diagnosis.report.clean
    return {
        "schema": SCHEMA,
        "verdict": diagnosis.verdict,
        "best": None if best is None else best_of(best),
        "failures": [failure(each) for each in diagnosis.failures],
        "related": [
            {"entry": r.entry, "title": r.title, "path": r.path, "why": r.why} for r in diagnosis.related
        ],
        "report": {
            "versions": dict(diagnosis.report.versions),
            "settings": dict(diagnosis.report.settings),
            "facts": facts(diagnosis.report.facts),
        },
        "input": {"lines": len(clean.paste), "characters": clean.characters, "truncated": clean.truncated},
        "fingerprint": diagnosis.fingerprint,
        "given": given(diagnosis.given),
        "given_problems": list(diagnosis.given_problems),
        "index": {"schema": SCHEMA, "entries": diagnosis.entries, "digest": diagnosis.digest},
    }


def best_of(value: d.Best) -> WireBest:
    return {"entry": value.entry, "cause": value.cause, "confidence": value.confidence, "path": value.path}


def process(value: Process) -> WireProcess:
    return {
        "host": value.host,
        "rank": value.rank,
        "local_rank": value.local_rank,
        "role": value.role,
        "pid": value.pid,
    }


def facts(value: Facts) -> WireFacts:
    return {
        "exit_code": value.exit_code,
        "signal": value.signal,
        "http_status": value.http_status,
        "xid": value.xid,
        "k8s_reason": value.k8s_reason,
        "world_size": value.world_size,
        "gpu": value.gpu,
    }


def given(value: d.Given) -> WireGiven:
    return {
        "versions": dict(value.versions),
        "components": list(value.components),
        "outcomes": dict(value.outcomes),
        "outputs": dict(value.outputs),
    }


def look(value: dict[str, str]) -> WireLook | None:
    return {"run": value.get("run"), "look": value.get("look"), "see": value.get("see")} if value else None


def fix(value: d.FilledFix) -> WireFix:
    has_value = value.parameter is not None and value.value is not None
    return {
        "summary": value.summary,
        "set": {"parameter": value.parameter or "", "value": value.value or ""} if has_value else None,
        "steps": list(value.steps),
        "forms": dict(value.forms),
        "commands": list(value.commands),
        "verify": look(value.verify),
        "resume": value.resume,
        "avoid": list(value.avoid),
        "risk": value.risk,
        "change": None if value.change is None else change(value.change),
    }


def change(value: d.Change) -> WireChange:
    return {"form": value.form, "line": value.line, "before": value.before, "after": value.after}


def evidence(value: d.Evidence) -> WireEvidence:
    return {
        "line": value.line,
        "start": value.start,
        "end": value.end,
        "signature": value.signature,
        "for": value.weight >= 0,
        "weight": value.weight,
        "note": value.note,
        "captures": dict(value.captures),
    }


def hypothesis(value: d.Hypothesis) -> WireHypothesis:
    return {
        "entry": value.entry,
        "title": value.title,
        "status": value.status,
        "cause": value.cause,
        "cause_title": value.cause_title,
        "kind": value.kind,
        "confidence": value.confidence,
        "entry_confidence": value.entry_confidence,
        "quality": value.quality,
        "applies": value.applies,
        "fixed_in": value.fixed_in,
        "summary": value.summary,
        "confirm": look(value.confirm),
        "fix": None if value.fix is None else fix(value.fix),
        "evidence": [evidence(each) for each in value.evidence],
        "path": value.path,
    }


def failure(value: d.Failure) -> WireFailure:
    first = value.initiating
    return {
        "initiating": {
            "line": first.line,
            "text": first.text,
            "on": first.on,
            "type": first.type,
            "time": first.time,
            "process": process(first.process),
            "kind": first.kind,
        },
        "hypotheses": [hypothesis(each) for each in value.hypotheses],
        "also_true": list(value.also_true),
        "handled": value.handled,
        "secondary": [
            {"line": s.line, "text": s.text, "process": process(s.process), "because": s.because}
            for s in value.secondary
        ],
        "ranks": [
            {"rank": r.rank, "host": r.host, "line": r.line, "text": r.text, "time": r.time, "part": r.part}
            for r in value.ranks
        ],
        "silent_ranks": list(value.silent_ranks),
        "next_check": None if value.next_check is None else next_check(value.next_check),
        "need": None if value.need is None else {"look": value.need.look, "run": value.need.run},
    }


def next_check(value: d.NextCheck) -> WireCheck:
    return {
        "id": value.id,
        "question": value.question,
        "look": value.look,
        "run": value.run,
        "outcomes": [
            {"id": o.id, "see": o.see, "supports": list(o.supports), "rules_out": list(o.rules_out)}
            for o in value.outcomes
        ],
    }


GIVEN_TEXTS = ("versions", "outcomes", "outputs")


def given_from_wire(value: Any) -> d.Given:
    """`given` as handed in. Raises ValueError that names the field and says what it must be."""
    if not isinstance(value, dict):
        raise ValueError('`given` must be an object such as {"versions": {"vllm": "0.11.0"}}')
    unknown = sorted(set(value) - {*GIVEN_TEXTS, "components"})
    if unknown:
        raise ValueError(
            f"`given` has no field {unknown[0]!r}; it has versions, components, outcomes, outputs"
        )
    for name in GIVEN_TEXTS:
        part = value.get(name, {})
        if not isinstance(part, dict) or not all(isinstance(x, str) for pair in part.items() for x in pair):
            raise ValueError(f"`given.{name}` must be an object whose values are strings")
    components = value.get("components", [])
    if not isinstance(components, list) or not all(isinstance(x, str) for x in components):
        raise ValueError("`given.components` must be a list of strings")
    texts = cast("dict[str, dict[str, str]]", value)
    return d.Given(
        versions=dict(texts.get("versions", {})),
        components=tuple(components),
        outcomes=dict(texts.get("outcomes", {})),
        outputs=dict(texts.get("outputs", {})),
    )
