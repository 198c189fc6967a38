"""Shapes that several sections share: commands with what one sees, badges, versions, sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from kb.catalog.entry import AllowedValues, Look, Source
from kb.render.markup import blocks, code, fence, inline, literal, prose
from kb.site.upstream import permalink


def command(text: str) -> str:
    """A command line to copy. Placeholders such as @model@ stay as they are; the page's script marks them."""
    return fence(text, "shell", classes="fb-command")


def look(value: Look) -> str:
    """Something to run or look at, and what one sees."""
    return blocks(
        prose(value.look) if value.look else "",
        command(value.run) if value.run else "",
        f"**You see:** {inline(value.see)}",
    )


def badge(label: str, kind: str, value: str) -> str:
    """A small labelled value; `kind` chooses its colour."""
    name = f'<span class="fb-badge__label">{escape(label)}</span>'
    return f'<span class="fb-badge fb-badge--{kind}">{name} {escape(value)}</span>'


def badges(items: Iterable[str]) -> str:
    """A row of badges."""
    return f'<p class="fb-badges">{" ".join(items)}</p>'


def small(text: str, anchor: str) -> str:
    """A line of Markdown that stands back and can be linked to."""
    return f"{text}\n{{ #{anchor} .fb-small }}"


def versions(values: Mapping[str, str]) -> str:
    """`vllm >=0.7` for each package."""
    return ", ".join(f"{literal(package)} {code(specifier)}" for package, specifier in values.items())


def allowed(values: Iterable[AllowedValues]) -> str:
    """The values a flag accepts, by version."""
    return "; ".join(f"{', '.join(map(str, each.values))} ({versions(each.versions)})" for each in values)


def source(value: Source) -> str:
    """Where something stands upstream: a link to the line if its address is known, else words."""
    place = " ".join(part for part in (value.repository, value.release) if part)
    spot = (value.path or "") + (f":{value.line}" if value.line else "")
    words = " ".join(part for part in (literal(place), code(spot) if spot else "") if part)
    address = permalink(value)
    kinds = {"source": "source code", "docs": "documentation", "observed": "observed"}
    linked = f"[{words}]({address})" if words else titled(address)
    shown = linked if address else words
    extra = [kinds[value.type]]
    if value.commit:
        extra.append(f"commit {code(value.commit[:12])}")
    if not value.confirmed:
        extra.append("**unconfirmed**")
    if value.note:
        extra.append(inline(value.note))
    return " · ".join(part for part in (shown, *extra) if part)


def stacked(table: str) -> str:
    """A table whose rows narrow screens show one under the other: its cells need no column's name."""
    return f'<div class="fb-rows" markdown="1">\n\n{table}\n\n</div>' if table else ""


def titled(url: str) -> str:
    """A link that has no title, named by what it leads to where that can be read from the address."""
    thread = re.fullmatch(r"https://github\.com/([^/]+/[^/]+)/(issues|pull)/(\d+)(?:#.*)?", url)
    file = re.fullmatch(r"https://github\.com/([^/]+/[^/]+)/blob/([^/]+)/([^#]+)(?:#L(\d+).*)?", url)
    if thread:
        name = f"{thread[1]} {'issue' if thread[2] == 'issues' else 'pull request'} {thread[3]}"
    elif file:
        release = file[2][:10] if re.fullmatch(r"[0-9a-f]{40}", file[2]) else file[2]
        name = f"{file[1]} {release}, {file[3]}" + (f", line {file[4]}" if file[4] else "")
    else:
        name = url.removeprefix("https://").rstrip("/")
    return f"[{literal(name)}](<{url}>)"
