"""What goes in, and what comes out beside the diagnosis."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from api.wire_model import GivenModel
from kb.catalog.entry import Check, Entry, Kind


class MatchRequest(BaseModel):
    """A paste, and what the person knows beside it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = Field(
        description="the traceback or log as it stands",
        examples=["ValueError: LoRA rank 64 is greater than max_lora_rank 16."],
    )
    given: GivenModel = Field(
        default=GivenModel(), description="versions, components and outcomes of checks so far"
    )


class EntrySummary(BaseModel):
    """An entry in the list of entries."""

    id: str = Field(examples=["vllm-lora-rank-exceeds-max"])
    title: str
    summary: str
    status: Literal["draft", "reviewed", "deprecated", "withdrawn"]
    role: Literal["initiating", "secondary"]
    components: list[str] = Field(examples=[["vllm"]])
    kinds: list[Kind] = Field(description="the classes of its causes")
    modified: str = Field(description="date of the last change", examples=["2026-01-31"])
    path: str = Field(
        description="of its page, relative to the site", examples=["errors/vllm-lora-rank-exceeds-max/"]
    )


class EntryQuery(BaseModel):
    """Which entries are listed."""

    model_config = ConfigDict(extra="forbid")

    component: str | None = Field(default=None, examples=["vllm"])
    kind: Kind | None = Field(default=None, description="class of one of its causes")
    status: Literal["draft", "reviewed", "deprecated", "withdrawn"] | None = None
    exception: str | None = Field(default=None, description="class that is raised", examples=["ValueError"])
    package: str | None = Field(default=None, description="package that has the failure", examples=["vllm"])
    version: str | None = Field(default=None, description="release of that package", examples=["0.11.0"])
    flag: str | None = Field(default=None, description="flag or variable", examples=["--max-lora-rank"])
    limit: int = Field(default=100, ge=1, le=1000, description="at most so many on a page")
    after: str | None = Field(default=None, description="the id after which the page begins")


class EntryList(BaseModel):
    """Entries, sorted by id."""

    entries: list[EntrySummary]
    total: int = Field(description="how many fit, on all pages")
    next: str | None = Field(default=None, description="`after` of the next page; null on the last")
    digest: str = Field(description="of the index; changes when any entry changes")


class EntryDocument(Entry):
    """An entry with all its fields, the address of its page, and the checks that it uses."""

    path: str = Field(description="of its page, relative to the site")
    checks: list[Check] = Field(description="the checks that separate its causes and siblings")


class SearchResult(BaseModel):
    """An entry that has words of the query."""

    id: str
    title: str
    summary: str
    status: Literal["draft", "reviewed", "deprecated", "withdrawn"]
    path: str = Field(description="of its page, relative to the site")
    score: float = Field(description="higher is better; comparable within one answer only")
    words: list[str] = Field(description="words of the entry that were found, for marking them")


class SearchAnswer(BaseModel):
    """The entries for some words, best first."""

    query: str
    results: list[SearchResult]


class SignatureHit(BaseModel):
    """A template of an entry that fits a line."""

    entry: str
    signature: str
    template: str
    quality: Literal["exact", "variant", "partial"]
    start: int = Field(description="in the text, in Unicode code points")
    end: int
    captures: dict[str, str] = Field(examples=[{"rank": "64", "max_rank": "16"}])


class SignatureAnswer(BaseModel):
    """The templates that fit one line."""

    text: str
    signatures: list[SignatureHit]


class Health(BaseModel):
    """The server answers, and from which index."""

    status: Literal["ok", "ready"] = "ok"
    entries: int
    digest: str
