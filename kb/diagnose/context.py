"""All that ranking looks at, in one value: report, signatures found, and what the person gave."""

from __future__ import annotations

from dataclasses import dataclass

from kb.diagnose.checks import Effect
from kb.diagnose.diagnosis import Given
from kb.diagnose.hits import Candidates
from kb.diagnose.index import Index
from kb.diagnose.lookup import Lookup
from kb.diagnose.report import Report


@dataclass(frozen=True, slots=True)
class Context:
    """Values of one call of `diagnose`; `versions` are the paste's, overridden by those given."""

    report: Report
    candidates: Candidates
    known: dict[int, frozenset[int]]  # event number -> numbers of the entries that have a signature in it
    index: Index
    lookup: Lookup
    given: Given
    versions: dict[str, str]
    effects: tuple[Effect, ...]
