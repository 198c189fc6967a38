"""How to know the failure: signatures, what speaks for and against, symptoms and situations."""

from __future__ import annotations

from kb.catalog.entry import Entry, Pattern, Signature
from kb.render.markup import blocks, bullets, code, fence, folded, inline, line, section, table
from kb.site.sections.looks import small, source, stacked, versions

PLACES = {
    "source": "read from the source line under the raising frame",
    "body": "read from the body of an HTTP answer",
    "log": "read from any line of the log",
    "fact": "a fact read from the log",
}
"""Where a signature is looked for, when it is not the message of an exception or of a warning."""

SHOWN = 5  # wordings; the others are folded, for some entries have twenty and the fix stands below them


def signatures(entry: Entry) -> str:
    """Each message with when it is emitted, by which versions, and where it stands upstream."""
    parts = [signature(each) for each in entry.signatures[:SHOWN]]
    further = [signature(each) for each in entry.signatures[SHOWN:]]
    if len(further) == 1:
        parts += further
    elif further:
        parts.append(folded(f"{len(further)} further wordings", blocks(*further)))
    also = (
        "**People also call it:** " + ", ".join(code(alias) for alias in entry.aliases)
        if entry.aliases
        else ""
    )
    return section(2, "Messages", "messages", *parts, also, computed(entry))


def signature(value: Signature) -> str:
    """One message: its template, when it is emitted, and what else must hold where it is raised."""
    status = f"HTTP {value.status}" if value.status else ""
    facts = (
        raised(value),
        PLACES.get(value.on, ""),
        f"level {code(value.level)}" if value.level else "",
        status,
        f"parameter {code(value.param)}" if value.param else "",
        "one line for each item" if value.each == "line" else "",
        versions(value.versions),
        source(value.source),
    )
    return blocks(
        fence(value.template, classes="fb-template"),
        line(value.condition),
        small(" · ".join(fact for fact in facts if fact), f"message-{value.id}"),
    )


def raised(value: Signature) -> str:
    """Class, file and function of the raising frame, as far as the signature names them."""
    words = [code(value.exception)] if value.exception else []
    if value.where:
        words.append(f"in {code(value.where)}")
    if value.function:
        words.append(f"by {code(value.function)}")
    if value.needs_frame:
        words.append("only with that frame")
    return " ".join(words)


def computed(entry: Entry) -> str:
    """Values that no wording captures and that are computed from others."""
    items = [
        f"{code(name)} is {code(expression)} where the message does not say it"
        for name, expression in entry.derive.items()
    ]
    return bullets(items) if items else ""


def is_it_this_one(entry: Entry) -> str:
    """Symptoms, situations, and lines elsewhere that count for or against."""
    return section(
        2,
        "Is it this one?",
        "is-it-this-one",
        labelled("What you notice", entry.symptoms),
        labelled("When people meet it", entry.situations),
        patterns(entry),
        warnings(entry),
    )


def labelled(label: str, items: list[str]) -> str:
    """A list under a bold line."""
    return f"**{label}**\n\n{bullets(items)}" if items else ""


def patterns(entry: Entry) -> str:
    """Lines elsewhere in the log that make this entry more or less likely."""
    rows = [row("for", each) for each in entry.supports] + [row("against", each) for each in entry.refutes]
    listed = stacked(table(["Elsewhere in the log", "Speaks", "Strength", "Because"], rows))
    return f"**What else counts**\n\n{listed}" if listed else ""


def row(says: str, value: Pattern) -> list[str]:
    """One row of the table of patterns."""
    return [code(value.template), says, value.strength, inline(value.note)]


def warnings(entry: Entry) -> str:
    """What is dangerous here, where nobody misses it."""
    if not entry.warnings:
        return ""
    body = "\n".join(f"    {each}" for each in bullets(entry.warnings).splitlines())
    return f'!!! warning "Careful"\n\n{body}'
