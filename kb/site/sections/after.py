"""What comes after the fire: prevention, escalation, questions, sources, proof, the entry's history."""

from __future__ import annotations

from kb.catalog.entry import Entry, Example, Question
from kb.render.markup import (
    blocks,
    code,
    fence,
    folded,
    heading,
    inline,
    item,
    line,
    lines_of,
    literal,
    named_list,
    prose,
    section,
    table,
)
from kb.site.plain import AS_MARKDOWN
from kb.site.surroundings import Surroundings

REFERENCES = {
    "source": "Source",
    "docs": "Documentation",
    "issue": "Issue",
    "pull": "Pull request",
    "paper": "Paper",
    "post": "Post",
}
VERDICTS = {"match": "match", "ambiguous": "ambiguous", "no_match": "no match"}


def prevention(entry: Entry) -> str:
    """How not to meet it again."""
    items = [
        item(f"- {line(each.text)}", fence(each.code, "python") if each.code else "")
        for each in entry.prevention
    ]
    return section(2, "Prevention", "prevention", "\n\n".join(items))


def escalation(entry: Entry) -> str:
    """When it stops being a setting and becomes a design problem."""
    return section(
        2, "When it is more than a setting", "escalation", prose(entry.escalation) if entry.escalation else ""
    )


def faq(entry: Entry) -> str:
    """Questions people ask."""
    return section(2, "Questions", "questions", *(question(n, each) for n, each in enumerate(entry.faq, 1)))


def question(number: int, value: Question) -> str:
    return blocks(heading(3, value.question, f"question-{number}"), prose(value.answer))


def references(entry: Entry) -> str:
    """Where to read on."""
    links = [f"- {REFERENCES[each.type]}: [{literal(each.title)}](<{each.url}>)" for each in entry.references]
    return section(2, "References", "references", "\n".join(links))


def examples(entry: Entry, around: Surroundings) -> str:
    """The pastes that prove the entry, folded, with the line that starts the failure marked."""
    parts = (example(each, around) for each in entry.examples)
    return section(2, "Examples", "examples", *parts)


def example(value: Example, around: Surroundings) -> str:
    """One paste and what the matcher answers to it."""
    paste = around.pastes.get(value.file)
    where = "" if value.expect == "none" else f", {around.reference(value.expect)}"
    facts = named_list(
        ("Answer", f"{VERDICTS[value.verdict]}{where}"),
        ("It starts at", code(value.line) if value.line else ""),
        ("Origin", inline(value.origin)),
        ("Note", inline(value.note) if value.note else ""),
    )
    shown = fence(paste, classes="fb-paste", marked=marked_line(paste, value.line)) if paste else ""
    return folded(f"`{value.file}`", blocks(facts, shown))


def marked_line(paste: str, part: str | None) -> int | None:
    """The number of the first line that holds the initiating text, from 1."""
    if not part:
        return None
    shown = "\n".join(lines_of(paste)).strip("\n").split("\n")
    return next((number for number, text in enumerate(shown, 1) if part in text), None)


def tables(entry: Entry) -> str:
    """The entry's own tables."""
    parts = (
        blocks(
            heading(3, each.title, f"table-{number}"),
            table(
                [inline(name) for name in each.columns], [[inline(cell) for cell in row] for row in each.rows]
            ),
        )
        for number, each in enumerate(entry.tables, 1)
    )
    return section(2, "Tables", "tables", *parts)


def changes(entry: Entry) -> str:
    """The entry's own history and where its data is."""
    former = ", ".join(code(each) for each in entry.former_ids)
    detect = "a text in the log" if entry.detect == "message" else "symptoms; nothing is written to the log"
    facts = named_list(
        ("Id", code(entry.id)),
        ("Former ids", former),
        ("Published", literal(entry.published)),
        ("Changed", literal(entry.modified)),
        ("Verified with", verified(entry)),
        ("Role", "starts a failure" if entry.role == "initiating" else "consequence of another failure"),
        ("Recognised by", detect),
        ("Format", f"{literal(entry.schema_version)} · [this entry as JSON](entry.json){AS_MARKDOWN}"),
    )
    return section(2, "About this entry", "about", facts)


def verified(entry: Entry) -> str:
    """Releases the entry was checked with."""
    return ", ".join(
        f"{literal(each.package)} {literal(each.release)} ({each.date})" for each in entry.verified
    )
