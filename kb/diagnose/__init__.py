"""The matcher: a paste in, a diagnosis out. Standard library only; goes to the browser as it stands.

    clean(text)  ->  read_report  ->  recall  ->  group_failures, rank  ->  conclude

There are no options and no settings, so every front gives the same answer to the same input.
"""

from __future__ import annotations

from kb.diagnose.checks import effects
from kb.diagnose.clean import clean
from kb.diagnose.context import Context
from kb.diagnose.diagnosis import Diagnosis, Given
from kb.diagnose.failures import group_failures
from kb.diagnose.index import Index
from kb.diagnose.lookup import Lookup
from kb.diagnose.outputs import resolve
from kb.diagnose.read import read_report
from kb.diagnose.recall import recall
from kb.diagnose.tellings import without_tellings
from kb.diagnose.verdict import conclude

__all__ = ["Diagnosis", "Given", "Index", "diagnose"]

NOTHING_GIVEN = Given()


def diagnose(text: str, index: Index, given: Given = NOTHING_GIVEN) -> Diagnosis:
    """The best entry for a paste, its rivals, and the check that separates them. Never raises on odd text."""
    context = read_context(text, index, given)
    return conclude(group_failures(context.report, context.candidates, index), context)


def read_context(text: str, index: Index, given: Given = NOTHING_GIVEN) -> Context:
    """All that is known before anything is ranked: the report, the signatures found, and what was given."""
    known = resolve(given, index)
    report = read_report(clean(text))
    candidates = without_tellings(recall(report, index))
    return Context(
        report=report,
        candidates=candidates,
        known=candidates.entries(),
        index=index,
        lookup=Lookup(report),
        given=known,
        versions={**report.versions, **known.versions},
        effects=effects(known, index),
    )
