"""What the ranking saw in a text before any probability: the numbers that a fit works on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bench.accuracy.cases import Case, Knowledge
from kb.diagnose import read_context
from kb.diagnose.failures import group_failures
from kb.diagnose.index import Index
from kb.diagnose.rank import Scored, score_entries, standing, weigh_causes


@dataclass(frozen=True)
class Observation:
    """One text in which some entry's signature stands, with the entry that scores highest."""

    case: Case
    home: str  # the entry that a fit must not have seen when this is scored
    covered: bool  # the index has the right entry or cause
    margin: float  # nats by which the entry and its rivals beat the unknown
    share: float  # of the entry among its rivals
    entry_right: bool  # the entry, or one of its causes, is what the case wants
    scores: tuple[float, ...]  # of its causes, in nats; empty for a secondary entry
    right_causes: frozenset[int]  # those that the case wants; empty when it names none
    entry_wanted: bool  # the case names the entry itself, so any of its causes will do

    @property
    def weight_key(self) -> tuple[str, str]:
        return self.case.source, self.case.report


def observe(
    case: Case, index: Index, knowledge: Knowledge, *, without: str | None = None
) -> Observation | None:
    """None when no signature stands in the text: nothing is answered, whatever the fit says."""
    context = read_context(case.text, index)
    groups = [g for g in group_failures(context.report, context.candidates, index) if not g.handled]
    lists = [scored for group in groups if (scored := score_entries(group, context))]
    if not lists:
        return None
    scored, best = max(
        ((each, strongest(each)) for each in lists), key=lambda pair: standing(pair[1], pair[0])[0]
    )
    if without and best.entry.role == "secondary":
        return None  # a consequence that stands there is rightly named, whatever started it
    margin, share = standing(best, scored)
    causes = weigh_causes(best, context) if best.entry.causes else []
    known = knowledge.known() - (knowledge.labels(knowledge.by_id[without]) if without else frozenset())
    return Observation(
        case=case,
        home=without or knowledge.home(case.accepted) or case.report,
        covered=bool(case.accepted & known),
        margin=margin,
        share=share,
        entry_right=bool(case.accepted & knowledge.labels(knowledge.by_id[best.entry.id])),
        scores=tuple(score for _, _, score in causes),
        right_causes=frozenset(n for n, (cause, _, _) in enumerate(causes) if cause.id in case.accepted),
        entry_wanted=best.entry.id in case.accepted,
    )


def strongest(scored: list[Scored]) -> Scored:
    return max(scored, key=lambda each: each.strength)


def observe_all(cases: Iterable[Case], knowledge: Knowledge) -> Iterator[Observation]:
    """Every case with the whole index, and every covered case once more without its entry.

    Not the composed ones: they hold true consequences, which entries about consequences rightly name.
    """
    cases = list(cases)
    index = knowledge.index()
    yield from (o for case in cases if (o := observe(case, index, knowledge)) is not None)
    for entry in knowledge.entries:
        labels = knowledge.labels(entry)
        concerned = [c for c in cases if c.accepted & labels and c.source != "composed"]
        smaller = knowledge.index(without=entry.id) if concerned else index
        for case in concerned:
            if (o := observe(case, smaller, knowledge, without=entry.id)) is not None:
                yield o
