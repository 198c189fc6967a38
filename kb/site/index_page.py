"""The overview of all entries: one table for each component."""

from __future__ import annotations

from collections.abc import Iterable

from kb.catalog.entry import Entry
from kb.render.markup import blocks, inline, section, table
from kb.site.components import by_component, component_name
from kb.site.overviews import TITLES
from kb.site.sections.looks import stacked


def index_page(entries: Iterable[Entry]) -> str:
    """All entries by component, each under every component it touches."""
    chosen = list(entries)
    groups = list(by_component(chosen))
    jumps = " · ".join(f"[{component_name(name)}](#component-{name})" for name, _ in groups)
    count = len(chosen)
    others = " · ".join(f"[{title}](../overviews/{name}.md)" for name, title in TITLES.items())
    return (
        blocks(
            "---\ntitle: All failures\nhide: [navigation]\n---",
            "# All failures",
            f"{count} {'entry' if count == 1 else 'entries'}. "
            "A page for each: how to recognise it, why it happens, the fix, and what looks like it. "
            "With a log at hand, [paste it](../index.md) instead of reading. "
            "A draft is written down and not yet proven; a reviewed entry has passed a second reader.",
            others,
            f"By component: {jumps}",
            *(component_table(component, group) for component, group in groups),
        )
        + "\n"
    )


def component_table(component: str, entries: list[Entry]) -> str:
    """The entries of one component by title."""
    rows = [row(entry) for entry in sorted(entries, key=lambda entry: entry.title.lower())]
    shown = stacked(table(["Failure", "Kind", "Status"], rows))
    return section(2, component_name(component), f"component-{component}", shown)


def row(entry: Entry) -> list[str]:
    """Title, kinds of its causes, status."""
    kinds = ", ".join(dict.fromkeys(cause.kind for cause in entry.causes)) or "consequence"
    return [f"[{inline(entry.title)}]({entry.id}/index.md)", kinds, entry.status]
