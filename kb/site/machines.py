"""What programs read of the site: the entries as JSON and Markdown, their list, llms.txt, feed, redirects.

llms.txt                    what this is, how to ask, and all entries
api/index.json              the list of entries
api/errors/<id>.json        an entry, as GET /api/errors/<id> answers; where the API runs, it answers itself
errors/<id>/entry.md        the page as plain Markdown
errors/<former>/index.html  leads on to where the entry is today
schema/entry.json           the JSON Schema of an entry
feed.xml                    new and changed entries, where the site knows its address
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from kb.catalog.compiler import path_of
from kb.catalog.entry import Entry
from kb.catalog.schema import entry_schema
from kb.render.markup import literal
from kb.site.components import by_component, component_name
from kb.site.feed import feed
from kb.site.plain import plain_entry


def machine_files(
    entries: Iterable[Entry], pages: Mapping[str, str], documents: Mapping[str, str], address: str
) -> Iterator[tuple[str, str]]:
    """Path in the site and text of each file for programs.

    `pages` and `documents` hold each entry's page and JSON by id; `address` is the site's own or empty.
    """
    chosen = list(entries)
    yield "llms.txt", llms_txt(chosen, address)
    for path in ("errors/index.json", "api/index.json"):
        yield path, json_text(listing(chosen))
    yield "schema/entry.json", json_text(entry_schema())
    if address:
        yield "feed.xml", feed(chosen, address)
    for entry in chosen:
        yield f"{path_of(entry.id)}entry.md", plain_entry(pages[entry.id])
        for known_as in (entry.id, *entry.former_ids):
            yield f"api/errors/{known_as}.json", documents[entry.id]
        for former in entry.former_ids:
            yield f"{path_of(former)}index.html", redirect(entry, address)


def json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def listing(entries: Iterable[Entry]) -> dict[str, Any]:
    """All entries by id, each with what the API's list says of it."""
    rows = [
        {
            **entry.model_dump(include={"id", "title", "summary", "status", "role", "components"}),
            "kinds": list(dict.fromkeys(cause.kind for cause in entry.causes)),
            "modified": entry.modified,
            "path": path_of(entry.id),
        }
        for entry in sorted(entries, key=lambda entry: entry.id)
    ]
    return {"entries": rows, "total": len(rows)}


ABOUT = """\
# Faultbook

> Known failures of machine-learning training and serving: how each shows in a log, why it happens, how to be
> sure, the fix, and what looks like it.

An answer is right only where the log holds the entry's own message and the confirming check was made.

- [All entries]({address}errors/index.json): JSON with id, title, summary, status, components
- [JSON Schema of an entry]({address}schema/entry.json)
- One entry with all its fields: {address}errors/ID/entry.json; the same to read: {address}errors/ID/entry.md
- Where the site runs with its API: POST {{"text": "the log"}} to {address}api/match. The answer names the
  line that failed first, the entry, the cause, rivals, and the check that decides.
- On the command line, from a clone of the repository: `kb match FILE`
"""


def llms_txt(entries: Iterable[Entry], address: str) -> str:
    """The site in short for a language model, in the form of llmstxt.org. Withdrawn entries are left out."""
    told = [entry for entry in entries if entry.status != "withdrawn"]
    lines = [ABOUT.format(address=address)]
    for component, group in by_component(told, first_only=True):
        lines += [f"## {component_name(component)}", ""]
        lines += [f"- [{literal(each.title)}]({address}{path_of(each.id)}entry.md)" for each in group]
        lines.append("")
    return "\n".join(lines)


def redirect(entry: Entry, address: str) -> str:
    """The page at a former id: it leads on, with scripts or without, under any folder."""
    there = f"../{entry.id}/"
    canonical = f"{address}{path_of(entry.id)}" if address else there
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>Moved: {escape(entry.title)}</title>\n"
        f'<link rel="canonical" href="{escape(canonical)}">\n'
        f'<meta http-equiv="refresh" content="0; url={there}">\n'
        '<meta name="robots" content="noindex">\n</head>\n'
        f'<body>\n<h1>Moved</h1>\n<p>This page is now <a href="{there}">{escape(entry.title)}</a>.</p>\n'
        "</body>\n</html>\n"
    )
