"""Shapes that several sections share: commands with what one sees, badges, versions, sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from kb.catalog.entry import AllowedValues, Look, Source
from kb.render.markup import blocks, code, fence, inline, literal, prose


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
    """Where something stands upstream: a permalink where the commit is known, else its place in words."""
    place = " ".join(part for part in (value.repository, value.release) if part)
    spot = (value.path or "") + (f":{value.line}" if value.line else "")
    words = " ".join(part for part in (literal(place), code(spot) if spot else "") if part)
    address = permalink(value)
    kinds = {"source": "source code", "docs": "documentation", "observed": "observed"}
    shown = f"[{words or literal(address)}]({address})" if address else words
    extra = [kinds[value.type]]
    if value.commit:
        extra.append(f"commit {code(value.commit[:12])}")
    if not value.confirmed:
        extra.append("**unconfirmed**")
    if value.note:
        extra.append(inline(value.note))
    return " · ".join(part for part in (shown, *extra) if part)


def permalink(value: Source) -> str:
    """The address of a source: given, or made from repository, commit and path."""
    if value.url:
        return value.url
    if not (value.repository and value.commit and value.path):
        return ""
    return f"https://github.com/{value.repository}/blob/{value.commit}/{value.path}" + (
        f"#L{value.line}" if value.line else ""
    )
