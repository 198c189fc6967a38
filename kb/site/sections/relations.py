"""Entries that look alike and how to separate them, and entries that lead here or follow."""

from __future__ import annotations

from kb.catalog.entry import Check, Entry, Outcome, Sibling
from kb.render.markup import blocks, bullets, code, heading, inline, literal, prose, section, table
from kb.site.sections.looks import command
from kb.site.surroundings import Surroundings

RELATIONS = {"caused_by": "Caused by", "leads_to": "Leads to", "see_also": "See also"}


def siblings(entry: Entry, around: Surroundings) -> str:
    """Each look-alike with the check that separates the two."""
    parts = (sibling(entry.id, each, around) for each in entry.siblings)
    return section(2, "Looks alike", "looks-alike", *parts)


def sibling(here: str, value: Sibling, around: Surroundings) -> str:
    """Why the two are confused, what to look at, and which outcome means which."""
    check = around.checks.get(value.check)
    return blocks(
        heading(3, around.titles.get(value.id, value.id), f"or-{value.id}"),
        f"{inline(value.why)} → {around.link(value.id)}",
        how(check) if check else f"Check: {code(value.check)}",
        outcomes(here, value.id, check, around) if check else "",
    )


def how(check: Check) -> str:
    """The question, and where the answer is found."""
    return blocks(
        f"**{inline(check.question)}**",
        prose(check.look) if check.look else "",
        command(check.run) if check.run else "",
    )


def outcomes(here: str, there: str, check: Check, around: Surroundings) -> str:
    """What one sees, and what that means for this entry and the other."""
    rows = [[inline(each.see), meaning(here, there, each, around)] for each in check.outcomes]
    return table(["If you see", "then"], rows)


def meaning(here: str, there: str, outcome: Outcome, around: Surroundings) -> str:
    """The consequence of an outcome, this entry and its sibling first, then the others it speaks of."""
    words: list[str] = []
    for refs, verb in ((outcome.supports, "it is"), (outcome.rules_out, "it is not")):
        for ref in sorted(refs, key=lambda ref: ref.partition("/")[0] not in (here, there)):
            entry_id, _, cause = ref.partition("/")
            name = "**this one**" if entry_id == here else around.reference(ref)
            words.append(
                f"{verb} {name}"
                + (f" ([{literal(cause)}](#cause-{cause}))" if entry_id == here and cause else "")
            )
    return "; ".join(words) or "neither is more likely"


def related(entry: Entry, around: Surroundings) -> str:
    """Entries before, after and beside this one, and guides."""
    links = [f"- {RELATIONS[each.relation]}: {around.link(each.id)}" for each in entry.related]
    if entry.superseded_by:
        links.insert(0, f"- Replaced by: {around.link(entry.superseded_by)}")
    return section(
        2, "Related", "related", "\n".join(links), bullets(f"Guide: {each}" for each in entry.guides)
    )
