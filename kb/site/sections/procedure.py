"""What to do, in which order, and what to keep before a restart wipes it out."""

from __future__ import annotations

import re

from kb.catalog.entry import Diagnostic, Entry, Step
from kb.render.markup import blocks, bullets, code, heading, inline, item, line, section, table
from kb.site.sections.looks import command

CAPTURED = {"value": "The value to set"}  # worked out by the matcher
PLACEHOLDER = re.compile(r"@([a-z][a-z0-9_]*)@")


def checklist(entry: Entry) -> str:
    """Steps with boxes."""
    return section(2, "Checklist", "checklist", "\n\n".join(step(each) for each in entry.checklist))


def step(value: Step) -> str:
    """One box: what to do, the command, what one sees."""
    return item(
        f"- [ ] {line(value.do)}",
        command(value.run) if value.run else "",
        f"**You see:** {inline(value.see)}",
    )


def preserve(entry: Entry) -> str:
    """Evidence that a restart destroys."""
    return section(2, "Keep this before you restart", "evidence", bullets(entry.preserve))


def diagnostics(entry: Entry) -> str:
    """Commands that look deeper, with what their output means."""
    parts = (diagnostic(number, each) for number, each in enumerate(entry.diagnostics, 1))
    return section(2, "Look deeper", "diagnostics", *parts)


def diagnostic(number: int, value: Diagnostic) -> str:
    """One command: why, what one sees, what that means."""
    return blocks(
        heading(3, value.purpose, f"diagnostic-{number}"),
        command(value.run),
        f"**You see:** {inline(value.see)}",
        f"**It means:** {inline(value.means)}",
    )


def values(entry: Entry) -> str:
    """What to put in for the placeholders of the commands on this page; its script makes fields of them."""
    named = {each.name for each in entry.values}
    captured = [name for name in placeholders(entry) if name not in named]
    rows = [
        *([code(f"@{name}@"), CAPTURED.get(name, "As in your message"), ""] for name in captured),
        *([code(f"@{each.name}@"), inline(each.label), code(each.example)] for each in entry.values),
    ]
    return section(2, "Fill in", "fill-in", table(["In the commands", "Is", "For example"], rows))


def placeholders(entry: Entry) -> list[str]:
    """The names between at signs in an entry's commands, in their order."""
    return list(dict.fromkeys(PLACEHOLDER.findall(entry.model_dump_json())))
