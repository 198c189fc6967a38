"""The map: every entry and what it is mistaken for, drawn for eyes, and the same as a list."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from kb.catalog.entry import Entry
from kb.render.markup import literal, section, visible
from kb.site.arcs import AXIS, ROW, Drawing, Pair, Row, alike_of, draw
from kb.site.components import by_component, component_name
from kb.site.plain import DRAWING

STYLES = "assets/css/map.css"
"""The style sheet that this page loads beside those of every page."""

NAMED = "fb-map-title fb-map-desc"
"""The ids of the drawing's title and description."""

INTRO = (
    "Each line is a failure, each bow joins two that are mistaken for each other. A filled dot has "
    "look-alikes; their pages say how to tell them apart. Point at a line, or reach it with the tab key, to "
    "see its bows. [The same as a list](#as-a-list) stands below."
)


def map_sections(entries: Sequence[Entry]) -> list[str]:
    """The drawing, and the list that says the same in words."""
    titles = {entry.id: entry.title for entry in entries}
    pairs = pairs_of(entries)
    alike = alike_of(pairs)
    groups = by_component(entries, first_only=True)
    drawing = draw([(name, [entry.id for entry in group]) for name, group in groups], pairs)
    lists = []
    for name, group in groups:
        items = (listed(entry.id, titles, alike.get(entry.id, set())) for entry in group)
        lists.append(section(3, component_name(name), f"list-{name}", "\n".join(items)))
    return [INTRO, svg(drawing, titles), section(2, "As a list", "as-a-list", *lists)]


def pairs_of(entries: Sequence[Entry]) -> set[Pair]:
    """Each pair of siblings once, the smaller id first; only of entries that are here."""
    here = {entry.id for entry in entries}
    return {
        (min(entry.id, each.id), max(entry.id, each.id))
        for entry in entries
        for each in entry.siblings
        if each.id in here
    }


def listed(entry_id: str, titles: dict[str, str], alike: set[str]) -> str:
    """An entry, and below it those that look like it."""
    others = sorted(alike, key=lambda each: titles[each].lower())
    lines = [f"- {link(entry_id, titles)}", *(f"    - looks like {link(each, titles)}" for each in others)]
    return "\n".join(lines)


def link(entry_id: str, titles: dict[str, str]) -> str:
    return f"[{literal(titles[entry_id])}](../errors/{entry_id}/index.md)"


def svg(drawing: Drawing, titles: dict[str, str]) -> str:
    """The drawing, in which every row is a link. Without a blank line inside, so Markdown leaves it alone."""
    counted = f"Failures: {len(titles)}; pairs that are mistaken for each other: {len(drawing.arcs)}."
    return "\n".join(
        (
            DRAWING,
            f'<svg width="100%" height="{drawing.height}" role="group" aria-labelledby="{NAMED}">',
            '<title id="fb-map-title">Map of failures and their look-alikes</title>',
            f'<desc id="fb-map-desc">{counted} The list below the drawing says the same in words.</desc>',
            f'<path class="fb-map__arcs" d="{"".join(drawing.arcs.values())}"/>',
            *(row_of(row, drawing, titles) for row in drawing.rows),
            "</svg>",
            "</div>",
        )
    )


def row_of(row: Row, drawing: Drawing, titles: dict[str, str]) -> str:
    """The name of a component, or an entry with its own arcs, which show when it is pointed at."""
    words = AXIS + 12
    if not row.entry:
        name = escape(component_name(row.component))
        return f'<text class="fb-map__head" x="{words}" y="{row.y}">{name}</text>'
    own = [pair for pair in drawing.arcs if row.entry in pair]
    title = escape(visible(" ".join(titles[row.entry].split())))
    arcs = f'<path class="fb-map__own" d="{"".join(drawing.arcs[pair] for pair in own)}"/>' if own else ""
    dot = "fb-map__dot" if own else "fb-map__dot fb-map__dot--alone"
    return (
        f'<a href="../../errors/{row.entry}/"><title>{title}</title>'
        f'<rect x="0" y="{row.y - ROW // 2}" width="100%" height="{ROW}"/>{arcs}'
        f'<circle class="{dot}" cx="{AXIS}" cy="{row.y}" r="4"/>'
        f'<text x="{words}" y="{row.y}">{title}</text></a>'
    )
