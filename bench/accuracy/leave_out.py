"""What happens to failures that no entry covers, and to messages in a wording that no signature has.

Leave one entry out: the index lacks an entry, and the texts that it explains are asked. Nothing should be
answered. Leave one wording out: the signature that finds a text best is taken from its entry, with all that
have the same template. The entry should still be found by its other wordings, or nothing be said.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench.accuracy.cases import Case, Knowledge, make_index
from bench.accuracy.score import Outcome, main_failure, share, try_case
from kb.diagnose import diagnose
from kb.diagnose.index import Index


def without_entry(knowledge: Knowledge, cases: list[Case]) -> Iterator[Outcome]:
    """Every case whose entry is known, asked without that entry."""
    for entry in knowledge.entries:
        labels = knowledge.labels(entry)
        concerned = [case for case in cases if case.accepted & labels]
        if concerned:
            index = knowledge.index(without=entry.id)
            known = knowledge.known() - labels
            yield from (try_case(case, index, known) for case in concerned)


def without_wording(knowledge: Knowledge, cases: list[Case]) -> Iterator[Outcome]:
    """Every case that its entry finds, asked without the template that found it."""
    index = knowledge.index()
    reduced: dict[tuple[str, str], Index | None] = {}
    for case in cases:
        found = finding_template(case, index, knowledge)
        if found is None:
            continue
        if found not in reduced:
            reduced[found] = reduce_index(knowledge, *found)
        if (smaller := reduced[found]) is not None:
            yield try_case(case, smaller, knowledge.known())


def finding_template(case: Case, index: Index, knowledge: Knowledge) -> tuple[str, str] | None:
    """Entry and template by which a case is answered rightly; None when it is not."""
    diagnosis = diagnose(case.text, index)
    failure, best = main_failure(diagnosis), diagnosis.best
    if failure is None or best is None or not {best.entry, best.cause} & case.accepted:
        return None
    first = next(h for h in failure.hypotheses if (h.entry, h.cause) == (best.entry, best.cause))
    signature = first.evidence[0].signature
    own = {each.id: each.template for each in knowledge.by_id[best.entry].signatures}
    return (best.entry, own[signature]) if signature in own else None


def reduce_index(knowledge: Knowledge, entry_id: str, template: str) -> Index | None:
    """The index whose entry lacks a template; None when it has no other."""
    entries = []
    for entry in knowledge.entries:
        kept = [s for s in entry.signatures if s.template != template]
        if entry.id == entry_id and not kept:
            return None
        entries.append(entry.model_copy(update={"signatures": kept}) if entry.id == entry_id else entry)
    return make_index(entries, knowledge.checks)


def print_left_out(knowledge: Knowledge, cases: list[Case]) -> None:
    alone = list(without_entry(knowledge, cases))
    print(f"\nleave one entry out: {len(alone)} texts of {len(knowledge.entries)} entries")
    # Right can also be another entry that the case accepts.
    answered = [o for o in alone if o.answered and not o.first]
    # An entry about consequences claims no root failure: it says where to look for it.
    consequences = [o for o in answered if o.entry and knowledge.by_id[o.entry].role == "secondary"]
    claimed = [o for o in answered if o not in consequences]
    sure = [o for o in claimed if o.verdict == "match"]
    print(f"{'answered as if known (match)':<50} {share(len(sure), len(alone))}")
    print(f"{'the same, ambiguous':<50} {share(len(claimed) - len(sure), len(alone))}")
    print(f"{'told to be a consequence of something else':<50} {share(len(consequences), len(alone))}")
    for o in answered:
        print(f"  {o.verdict} {o.case.id} -> {o.answer}")
    reworded = list(without_wording(knowledge, cases))
    print(f"\nleave one wording out: {len(reworded)} texts whose entry has another wording")
    print(
        f"{'right by another wording or quality':<50} {share(sum(o.first for o in reworded), len(reworded))}"
    )
    silent = sum(not o.answered for o in reworded)
    print(f"{'not known':<50} {share(silent, len(reworded))}")
    print(f"{'wrong with verdict match':<50} {share(sum(o.wrong for o in reworded), len(reworded))}")
    for o in reworded:
        if o.answered and not o.first:
            print(f"  {o.verdict} {o.case.id} -> {o.answer}")
