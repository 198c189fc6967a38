"""The head of an entry's page: what it is, how sure we are, the short answer, what it touches."""

from __future__ import annotations

import json
from html import escape

from kb.catalog.entry import Affected, Entry, Flag
from kb.render.markup import code, inline, line, literal, section, table
from kb.site.components import ALL, component_name
from kb.site.sections.looks import allowed, badge, badges, source
from kb.site.structured import structured_data
from kb.site.surroundings import Surroundings


def front_matter(entry: Entry) -> str:
    """Settings of the page for the generator. JSON is YAML, so no text can break it.

    Its theme puts title and description into the head as they stand, so they are HTML here. Its own search
    leaves entries out: the pages find them with the table of `kb.search`.
    """
    settings = {
        "title": escape(entry.title),
        "description": escape(entry.summary),
        "structured": structured_data(entry),
        "place": place(entry),
        "source": f"entries/{entry.id}/entry.yaml",
    }
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in settings.items()]
    return f"---\n{''.join(lines)}hide: [navigation]\nsearch: {{exclude: true}}\n---"


def place(entry: Entry) -> list[list[str]]:
    """The way down to the page: title, path and anchor of each page above it."""
    components = entry.components[:1]
    return [ALL, *([component_name(each), ALL[1], f"component-{each}"] for each in components)]


def title(entry: Entry) -> str:
    """The one first-level heading."""
    return f"# {literal(entry.title)}"


def facts(entry: Entry) -> str:
    """Status, kinds, components, affected and verified releases, as badges."""
    kinds = dict.fromkeys(cause.kind for cause in entry.causes)
    row = [badge("status", entry.status, entry.status)]
    row += [badge("kind", kind, kind) for kind in kinds]
    row += [badge("in", "component", component_name(component)) for component in entry.components]
    if entry.role == "secondary":
        row.append(badge("role", "secondary", "consequence"))
    row += [
        badge("affects", "affects", f"{package(each.purl)} {each.versions}") for each in entry.affected[:2]
    ]
    row += [badge("verified", "verified", f"{each.package} {each.release}") for each in entry.verified[:2]]
    return badges(row)


def short_answer(entry: Entry, around: Surroundings) -> str:
    """The summary, and a notice where the entry is no longer the one to read."""
    answer = f'<div class="fb-short" markdown="1">\n\n{line(entry.summary)}\n\n</div>'
    if not entry.superseded_by:
        return answer
    return f'!!! warning "Replaced"\n\n    Read {around.link(entry.superseded_by)} instead.\n\n{answer}'


def ways(entry: Entry) -> str:
    """To the parts that most come for: on a phone a page is many screens long, its contents out of sight."""
    links = [
        ("The fix", "causes", entry.causes),
        ("The error before it", "find-the-root", entry.find_root),
        ("Is it this one?", "is-it-this-one", entry.symptoms or entry.situations),
        ("Looks alike", "looks-alike", entry.siblings),
        ("Checklist", "checklist", entry.checklist),
        ("Versions and settings", "versions", entry.affected or entry.flags),
        ("Examples", "examples", entry.examples),
    ]
    shown = " · ".join(f"[{name}](#{anchor})" for name, anchor, there in links if there)
    return f"{shown}\n{{ .fb-ways }}" if shown else ""


def touches(entry: Entry) -> str:
    """Affected versions and the flags it speaks of."""
    return section(
        2,
        "Versions and settings",
        "versions",
        affected(entry.affected),
        behaviour(entry.affected),
        flags(entry.flags),
    )


def affected(values: list[Affected]) -> str:
    """Which versions have it."""
    rows = [
        [code(each.purl), code(each.versions), code(each.fixed_in) if each.fixed_in else ""]
        for each in values
    ]
    return table(["Package", "Affected", "Fixed in"], rows)


def behaviour(values: list[Affected]) -> str:
    """What differs by version."""
    rows = [
        [f"{literal(package(each.purl))} {code(change.versions)}", inline(change.text)]
        for each in values
        for change in each.behaviour
    ]
    return table(["Version", "What it does"], rows)


def package(purl: str) -> str:
    """`pkg:pypi/vllm` -> `vllm`."""
    return purl.partition("/")[2]


def flags(values: list[Flag]) -> str:
    """Settings with defaults and allowed values."""
    rows = [
        [
            code(each.name),
            code(each.default),
            allowed(each.allowed),
            inline(each.note) if each.note else "",
            source(each.source),
        ]
        for each in values
    ]
    return table(["Setting", "Default", "Allowed", "Note", "Defined in"], rows)
