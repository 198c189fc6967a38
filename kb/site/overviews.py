"""All failures in other orders than by component: one page each, made of links."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence

from kb.catalog.entry import Entry
from kb.render.markup import blocks, code, line, literal, section, table
from kb.render.words import KINDS
from kb.site.components import ALL
from kb.site.feed import newest
from kb.site.map_page import STYLES, map_sections

CHANGES = 200  # entries on the page of changes
VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(_\w+)?(=.*)?")  # RAY_memory_usage_threshold is one too
BREAK = "<br>"  # between the lines of a cell
TITLES = {
    "kind": "By kind of cause",
    "exception": "By exception class",
    "setting": "By flag or variable",
    "letter": "By letter",
    "changed": "New and changed",
    "map": "Map of look-alikes",
}
"""Name of a page under overviews/ -> what it is called."""


def overviews(entries: Iterable[Entry]) -> dict[str, str]:
    """Path -> Markdown of each overview."""
    chosen = sorted(entries, key=lambda entry: entry.title.lower())
    sections: dict[str, Callable[[Sequence[Entry]], list[str]]] = {
        "kind": kinds,
        "exception": exceptions,
        "setting": settings,
        "letter": letters,
        "changed": changes,
        "map": map_sections,
    }
    return {f"overviews/{name}.md": page(name, sections[name](chosen)) for name in TITLES}


def page(name: str, sections: list[str]) -> str:
    """One overview. The generator's own search leaves it out: entries are found by their words."""
    title = TITLES[name]
    description = json.dumps(f"Failures of training and serving. {title}.")
    links = ["[By component](../errors/index.md)", *(f"[{TITLES[n]}]({n}.md)" for n in TITLES if n != name)]
    head = f"---\ntitle: {json.dumps(title)}\ndescription: {description}\nhide: [navigation]\n"
    head += f"place: {json.dumps([ALL])}\n"
    head += f"styles: {STYLES}\n" if name == "map" else ""
    return blocks(f"{head}search: {{exclude: true}}\n---", f"# {title}", " · ".join(links), *sections) + "\n"


def link(entry: Entry) -> str:
    """The title as a link to the page; what is no longer to be read says so."""
    gone = f" ({entry.status})" if entry.status in ("deprecated", "withdrawn") else ""
    return f"[{literal(entry.title)}](../errors/{entry.id}/index.md){gone}"


def listed(entries: Iterable[Entry]) -> str:
    return "\n".join(f"- {link(entry)}" for entry in entries)


def kinds(entries: Sequence[Entry]) -> list[str]:
    """A list for each kind: the failures, and under each its causes that are of the kind."""
    parts = []
    for kind, words in KINDS.items():
        lines: list[str] = []
        for entry in entries:
            causes = [cause for cause in entry.causes if cause.kind == kind]
            lines += [f"- {link(entry)}"] if causes else []
            lines += [f"    - {line(cause.title)}" for cause in causes]
        parts.append(section(2, f"{kind.capitalize()}: {words}", f"kind-{kind}", "\n".join(lines)))
    followers = [entry for entry in entries if not entry.causes]
    return [*parts, section(2, "Consequences of another failure", "kind-none", listed(followers))]


def exceptions(entries: Sequence[Entry]) -> list[str]:
    """A list for each class, by its name without the module, and one of the failures that raise none."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        names = (each.exception.rpartition(".")[2] for each in entry.signatures if each.exception)
        for name in dict.fromkeys(names):
            found.setdefault(name, []).append(entry)
    parts = [
        section(2, code(name), f"class-{name}", listed(found[name])) for name in sorted(found, key=str.lower)
    ]
    without = [entry for entry in entries if not any(each.exception for each in entry.signatures)]
    return [*parts, section(2, "Lines of a log, without a class", "class-none", listed(without))]


def settings(entries: Sequence[Entry]) -> list[str]:
    """A table each of flags, variables and the rest: the setting, and the failures that speak of it."""
    found: dict[str, tuple[list[str], list[Entry]]] = {}
    for entry in entries:
        for name in names_of_settings(entry):
            names, users = found.setdefault(name.lstrip("-").replace("_", "-"), ([], []))
            names += [name] if name not in names else []
            users += [entry] if entry not in users else []
    groups: dict[str, list[list[str]]] = {"flags": [], "variables": [], "arguments": []}
    for key in sorted(found, key=str.lower):
        names, users = found[key]
        row = [", ".join(code(name) for name in names), BREAK.join(link(entry) for entry in users)]
        groups[group_of(names[0])].append(row)
    titles = {"flags": "Flags", "variables": "Environment variables", "arguments": "Arguments and keys"}
    return [
        section(2, titles[group], group, table(["Setting", "Failures"], rows))
        for group, rows in groups.items()
    ]


def names_of_settings(entry: Entry) -> list[str]:
    """The flags, arguments and variables that an entry speaks of or sets."""
    set_by_fixes = (cause.fix.set.parameter for cause in entry.causes if cause.fix.set)
    return list(dict.fromkeys([*(flag.name for flag in entry.flags), *set_by_fixes]))


def group_of(name: str) -> str:
    """`--flag`, `docker run --flag` | VARIABLE | argument."""
    if "--" in name:
        return "flags"
    return "variables" if VARIABLE.fullmatch(name) else "arguments"


def letters(entries: Sequence[Entry]) -> list[str]:
    """A list for each first letter of the titles; digits and signs stand together, before them."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        first = entry.title[0].upper()
        found.setdefault(first if first.isalpha() else "", []).append(entry)
    return [
        section(2, name or "Digits and signs", f"letter-{name.lower() or 'none'}", listed(found[name]))
        for name in sorted(found)
    ]


def changes(entries: Sequence[Entry]) -> list[str]:
    """A list for each day on which entries were published or changed, the latest first."""
    days: dict[str, list[str]] = {}
    for entry in newest(entries, CHANGES):
        word = "new" if entry.modified == entry.published else f"changed, first written {entry.published}"
        days.setdefault(entry.modified, []).append(f"- {link(entry)}: {word}")
    return [section(2, day, f"day-{day}", "\n".join(rows)) for day, rows in days.items()]
