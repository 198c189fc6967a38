"""The wire form as pydantic models, for the API's description and for clients.

`kb.diagnose.wire` is the form; a test holds these models equal to it, key by key and type by type. Answers
are made by `to_wire` and written as they are: these models describe them and check them in the tests, and
cost no answer the time of a second reading.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from kb.catalog.entry import Kind

Place = Literal["message", "source", "body", "log", "fact"]


class Part(BaseModel):
    """Base of every part: no other keys, and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ProcessModel(Part):
    """Who wrote a line, as far as its prefixes say; values as written."""

    host: str | None
    rank: str | None
    local_rank: str | None
    role: str | None
    pid: str | None


class BestModel(Part):
    """The best answer: the first failure's first hypothesis."""

    entry: str
    cause: str | None
    confidence: float = Field(ge=0, le=1, description="probability of entry and cause together")
    path: str = Field(description="of the entry's page, relative to the site")


class LookModel(Part):
    """A command to run or a place to look, and what one sees."""

    run: str | None
    look: str | None
    see: str | None


class SetModel(Part):
    """The parameter to change and its computed value."""

    parameter: str
    value: str


class ChangeModel(Part):
    """What the paste shows of what the person runs, before and after the fix; nothing else of it changes."""

    form: str = Field(
        description="the form under which `forms` has it: `cli`, `kubernetes`, `python`, `yaml`"
    )
    line: int = Field(description="line of the paste, from 1, in which it begins")
    before: str
    after: str


class FixModel(Part):
    """The fix of a cause with the paste's own numbers in it."""

    summary: str
    set: SetModel | None
    steps: list[str]
    forms: dict[str, str] = Field(description="the same fix as command line (`cli`), `python`, `yaml`, ...")
    commands: list[str]
    verify: LookModel | None
    resume: str | None
    avoid: list[str]
    risk: str | None
    change: ChangeModel | None


class EvidenceModel(Part):
    """One reason for or against a hypothesis. `line` is null for what is absent or given."""

    line: int | None = Field(description="line of the paste, from 1")
    start: int | None = Field(description="first code point in that line, from 0")
    end: int | None
    signature: str | None
    for_: bool = Field(alias="for")
    weight: float = Field(description="in nats; negative when it speaks against")
    note: str
    captures: dict[str, str]


class HypothesisModel(Part):
    """An entry and cause that could explain the failure."""

    entry: str
    title: str
    status: Literal["draft", "reviewed", "deprecated", "withdrawn"]
    cause: str | None
    cause_title: str | None
    kind: Kind | None
    confidence: float = Field(ge=0, le=1, description="probability of entry and cause together")
    entry_confidence: float = Field(ge=0, le=1, description="probability of the entry")
    quality: Literal["exact", "variant", "partial"]
    applies: Literal["yes", "no", "unknown"] = Field(
        description="does the version in the paste lie in the range"
    )
    fixed_in: str | None
    summary: str
    confirm: LookModel | None
    fix: FixModel | None
    evidence: list[EvidenceModel]
    path: str


class InitiatingModel(Part):
    """The error that started a failure, as far as the paste shows."""

    line: int
    text: str
    on: Place
    type: str | None
    time: str | None
    process: ProcessModel
    kind: Kind | None


class SecondaryModel(Part):
    """An error that is a consequence of the initiating one."""

    line: int
    text: str
    process: ProcessModel
    because: Literal["wrapper", "peer", "teardown", "advice", "chained", "repeat", "echo"]


class RankModel(Part):
    """One rank's first error, and what part it plays."""

    rank: str
    host: str | None
    line: int | None
    text: str | None
    time: str | None
    part: Literal["initiating", "secondary", "silent"]


class OutcomeModel(Part):
    """What a check can show, and what that says about the hypotheses."""

    id: str
    see: str
    supports: list[str]
    rules_out: list[str]


class CheckModel(Part):
    """The check that separates the hypotheses best."""

    id: str
    question: str
    look: str | None
    run: str | None
    outcomes: list[OutcomeModel]


class NeedModel(Part):
    """For a paste that holds only a consequence: where the first error is, and what finds it."""

    look: str
    run: str


class FailureModel(Part):
    """One failure in the paste. Two unrelated failures are two items."""

    initiating: InitiatingModel
    hypotheses: list[HypothesisModel]
    also_true: list[str]
    handled: bool
    secondary: list[SecondaryModel]
    ranks: list[RankModel]
    silent_ranks: list[str]
    next_check: CheckModel | None
    need: NeedModel | None


class RelatedModel(Part):
    """For `no_match` only: an entry that is not the same, perhaps related."""

    entry: str
    title: str
    path: str
    why: str


class FactsModel(Part):
    """Values read from the paste that are no message."""

    exit_code: int | None
    signal: str | None
    http_status: int | None
    xid: int | None
    k8s_reason: str | None
    world_size: int | None
    gpu: str | None


class ReportModel(Part):
    """What reading the paste yielded beside its failures."""

    versions: dict[str, str]
    settings: dict[str, str]
    facts: FactsModel


class InputModel(Part):
    """The size of the paste, and whether only a part of it was read."""

    lines: int
    characters: int
    truncated: bool


class GivenModel(Part):
    """What the person knows beside the paste."""

    versions: dict[str, str] = Field(
        default={}, description="package -> version", examples=[{"vllm": "0.11.0"}]
    )
    components: list[str] = Field(default=[], examples=[["vllm"]])
    outcomes: dict[str, str] = Field(default={}, description="check id -> outcome id")
    outputs: dict[str, str] = Field(default={}, description="check id -> pasted output of its command")


class IndexModel(Part):
    """The index that answered."""

    schema_: str = Field(alias="schema")
    entries: int
    digest: str


class DiagnosisModel(Part):
    """The answer to one paste, the same from the command line, the API and the browser."""

    schema_: str = Field(alias="schema", description="version of this form", examples=["1.0"])
    verdict: Literal["match", "ambiguous", "no_match"]
    best: BestModel | None
    failures: list[FailureModel] = Field(description="first in time first")
    related: list[RelatedModel]
    report: ReportModel
    input: InputModel
    fingerprint: str = Field(description="stable hash of what failed, for grouping")
    given: GivenModel
    given_problems: list[str] = Field(
        description="what of `given` says nothing to this index, such as an unknown check"
    )
    index: IndexModel
