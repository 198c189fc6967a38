"""What an entry holds: the YAML under `entries/` as typed, frozen models.

Every scalar in the YAML reaches these models as a string (`no`, `0.10` and `12:30` survive) and is typed
here. Unknown keys are errors. Each field has a reader: the page, the matcher or a rule.
The JSON Schema that editors use is made from these models (`kb schema --write`).
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator


def _of_the_calendar(date: str) -> str:
    """The date, unless there is no such day."""
    try:
        dt.date.fromisoformat(date)
    except ValueError as error:
        raise ValueError(f"`{date}` is no day of the calendar; write one such as 2026-11-30") from error
    return date


ID = r"^[a-z0-9]+(-[a-z0-9]+)*$"
DATE = r"^\d{4}-\d{2}-\d{2}$"

Id = Annotated[str, StringConstraints(pattern=ID, max_length=80)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=10, max_length=100)]
Date = Annotated[str, StringConstraints(pattern=DATE), AfterValidator(_of_the_calendar)]
Expression = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Ref = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+(/[a-z0-9-]+)?$")]
"""An entry's id, or `entry/cause`."""

Kind = Literal["configuration", "capacity", "environment", "data", "transport", "hardware", "defect"]
Place = Literal["message", "source", "body", "log", "fact"]
Level = Literal["debug", "info", "warning", "error", "critical"]
Likelihood = Literal["common", "occasional", "rare"]
Strength = Literal["weak", "medium", "strong"]
Form = Literal[
    "cli", "python", "yaml", "kubernetes", "env", "http",
    "vllm", "sglang", "trainer", "lightning", "deepspeed", "megatron",
]  # fmt: skip


class Part(BaseModel):
    """Base of every part of an entry: unknown keys are errors, nothing changes after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(Part):
    """Where a message, flag or figure stands upstream. `confirmed: no` is allowed and shown."""

    type: Literal["source", "docs", "observed"]
    repository: Text | None = None  # owner/name
    release: Text | None = None  # the named release, e.g. 0.11.0
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")] | None = None
    path: Text | None = None
    line: int | None = Field(default=None, ge=1)
    url: Text | None = None  # for docs and observed
    confirmed: bool = True
    note: Text | None = None


class Signature(Part):
    """A message that the software emits, as a template, with what else holds where it is raised."""

    id: Id
    template: Text
    on: Place = "message"
    exception: Text | None = None  # class name; a dotted name matches with or without its module
    level: Level | None = None  # for log lines; what says `error` is not looked for in warnings
    where: Text | None = None  # end of the raising frame's path, or of the log line's source file
    function: Text | None = None  # function of the raising frame
    needs_frame: bool = False  # anybody may print this text: it counts only with a frame of `where`
    status: int | None = Field(default=None, ge=100, le=599)  # for bodies
    param: Text | None = None  # for bodies
    each: Literal["message", "line"] = "message"
    condition: Text  # when the software emits it, in our words
    versions: dict[str, str] = {}  # package -> PEP 440 specifier, of this wording
    source: Source


class Pattern(Part):
    """Text that counts for or against, never enough alone: in any line of the paste, or, with a line break in
    it, in any message of several lines."""

    template: Text
    strength: Strength = "medium"
    note: Text


class Tell(Part):
    """What speaks for or against a cause: a template as in a pattern, or a comparison over captures."""

    template: Text | None = None
    when: Expression | None = None
    absent_on: Literal["all", "some"] | None = None  # template found nowhere / missing on some ranks
    says: Literal["for", "against"] = "for"
    strength: Strength = "medium"
    note: Text  # one sentence a person reads as the reason

    @model_validator(mode="after")
    def one_of_two(self) -> Self:
        if (self.template is None) == (self.when is None):
            raise ValueError("a tell has either `template` or `when`, not both and not neither")
        if self.absent_on and self.template is None:
            raise ValueError("`absent_on` needs a `template`")
        return self


class Look(Part):
    """Something to run or look at, and what one sees."""

    run: Text | None = None
    look: Text | None = None
    see: Text

    @model_validator(mode="after")
    def something_to_do(self) -> Self:
        if self.run is None and self.look is None:
            raise ValueError("needs `run` (a command) or `look` (where to look)")
        return self


class AllowedValues(Part):
    """The values that a flag accepts in the named versions."""

    versions: dict[str, str]  # package -> PEP 440 specifier
    values: list[int]


class SetValue(Part):
    """The parameter to change and how its new value is computed from captures and settings."""

    parameter: Text
    at_least: Expression  # expression over captures; the value is the smallest allowed one at or above it
    allowed: list[AllowedValues] = []  # empty: any integer
    above_largest: Text | None = None  # what to do when nothing allowed is large enough


class Change(Part):
    before: Text
    after: Text


class Avoid(Part):
    what: Text
    why: Text


class Fix(Part):
    """How to end the failure. Commands and forms may hold @placeholders@."""

    summary: Text
    steps: list[Text] = []
    set: SetValue | None = None
    forms: dict[Form, Text] = {}
    commands: list[Text] = []
    example: Change | None = None
    verify: Look
    resume: Text | None = None
    avoid: list[Avoid] = []
    risk: Text | None = None


class Cause(Part):
    """One reason why the failure happens. An id that is also an entry's id means that very failure."""

    id: Id
    title: Title
    kind: Kind
    likelihood: Likelihood
    versions: dict[str, str] = {}  # package -> specifier of the releases in which this can be the reason
    explanation: Text
    tells: list[Tell] = []
    confirm: Look
    fix: Fix
    references: list[Text] = []  # URLs


class Behaviour(Part):
    versions: Text
    text: Text


class Affected(Part):
    """A package and its affected versions (PEP 440), computed from releases."""

    purl: Annotated[str, StringConstraints(pattern=r"^pkg:[a-z]+/\S+$")]
    versions: Text
    fixed_in: Text | None = None
    behaviour: list[Behaviour] = []


class Flag(Part):
    """A flag, argument, setting or environment variable that the entry speaks of."""

    name: Text
    default: Text
    allowed: list[AllowedValues] = []
    note: Text | None = None
    source: Source


class Table(Part):
    title: Text
    columns: list[Text]
    rows: list[list[str]]


class Step(Part):
    """One item of the checklist."""

    do: Text
    run: Text | None = None
    see: Text


class Diagnostic(Part):
    purpose: Text
    run: Text
    see: Text
    means: Text


class Sibling(Part):
    """An entry that looks alike, and the check that separates the two."""

    id: Id
    why: Text
    check: Id


class Related(Part):
    id: Id
    relation: Literal["caused_by", "leads_to", "see_also"]


class FindRoot(Part):
    """For a secondary entry: where the first error is, and the command that finds it."""

    look: Text
    run: Text


class Prevention(Part):
    text: Text
    code: Text | None = None


class Question(Part):
    question: Text
    answer: Text


class Reference(Part):
    type: Literal["source", "docs", "issue", "pull", "paper", "post"]
    url: Annotated[str, StringConstraints(pattern=r"^https://\S+$")]
    title: Text


class Example(Part):
    """A paste beside the entry, and what the matcher must answer to it."""

    file: Annotated[str, StringConstraints(pattern=r"^(match|other)-[a-z0-9-]+\.txt$")]
    expect: Ref  # match-*: this entry or this entry/cause; other-*: another entry, or `none`
    verdict: Literal["match", "ambiguous", "no_match"]
    line: Text | None = None  # part of the initiating line
    origin: Text  # "re-created from URL" or "made"
    note: Text | None = None  # what is odd about it


class Verified(Part):
    package: Text
    release: Text
    date: Date


class Value(Part):
    """A value that commands need and no capture gives: asked for on the page."""

    name: Name
    label: Text
    example: Text


class Entry(Part):
    """One known failure."""

    schema_version: Literal["1.0"]
    id: Id
    title: Title
    summary: Annotated[str, StringConstraints(strip_whitespace=True, min_length=20, max_length=400)]
    status: Literal["draft", "reviewed", "deprecated", "withdrawn"]
    published: Date
    modified: Date
    verified: list[Verified] = []
    superseded_by: Id | None = None
    former_ids: list[Id] = []
    aliases: list[Text] = []

    role: Literal["initiating", "secondary"] = "initiating"
    detect: Literal["message", "symptom"] = "message"
    signatures: list[Signature] = []
    supports: list[Pattern] = []
    refutes: list[Pattern] = []
    derive: dict[Name, Expression] = {}  # capture name -> expression, when no wording captured it

    components: list[Id]
    affected: list[Affected] = []
    flags: list[Flag] = []
    values: list[Value] = []

    symptoms: list[Text] = []
    situations: list[Text] = []
    warnings: list[Text] = []
    tables: list[Table] = []

    causes: list[Cause] = []
    find_root: FindRoot | None = None
    leads_from: list[Id] = []

    preserve: list[Text] = []
    checklist: list[Step] = []
    diagnostics: list[Diagnostic] = []

    siblings: list[Sibling] = []
    related: list[Related] = []
    guides: list[Text] = []

    prevention: list[Prevention] = []
    escalation: Text | None = None
    faq: list[Question] = []

    references: list[Reference] = []
    examples: list[Example] = []


class Outcome(Part):
    """What a check can show, what that supports and what it rules out."""

    id: Id
    see: Text
    templates: list[Text] = []  # recognise this outcome in pasted output of the check's command
    supports: list[Ref] = []
    rules_out: list[Ref] = []


class Check(Part):
    """Something to look at or run that separates siblings or causes (`entries/_checks/<id>.yaml`)."""

    id: Id
    question: Text
    look: Text | None = None
    run: Text | None = None
    outcomes: list[Outcome] = Field(min_length=2)

    @model_validator(mode="after")
    def something_to_do(self) -> Self:
        if self.run is None and self.look is None:
            raise ValueError("needs `run` (a command) or `look` (where to look)")
        return self
