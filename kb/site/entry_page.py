"""An entry as a page of Markdown. Pure: the same entry and surroundings give the same text."""

from __future__ import annotations

from kb.catalog.entry import Entry
from kb.render.markup import blocks
from kb.site.sections import after, causes, identity, procedure, recognition, relations
from kb.site.surroundings import Surroundings


def entry_page(entry: Entry, around: Surroundings) -> str:
    """Every field of the entry, in the order in which a person in trouble needs it."""
    return (
        blocks(
            identity.front_matter(entry),
            identity.title(entry),
            identity.facts(entry),
            identity.short_answer(entry, around),
            identity.ways(entry),
            recognition.signatures(entry),
            recognition.is_it_this_one(entry),
            procedure.values(entry),
            causes.causes(entry),
            causes.root(entry, around),
            relations.siblings(entry, around),
            procedure.checklist(entry),
            procedure.preserve(entry),
            procedure.diagnostics(entry),
            identity.touches(entry),
            after.tables(entry),
            after.prevention(entry),
            after.escalation(entry),
            after.faq(entry),
            after.references(entry),
            relations.related(entry, around),
            after.examples(entry, around),
            after.changes(entry),
        )
        + "\n"
    )
