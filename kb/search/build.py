"""Built entry JSON -> the search index.

Reads the JSON that `kb build` wrote for every entry, never its YAML, and asks of it only what it looks up
here: a field that an entry lacks has no words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kb.search.store import BrokenSearch, open_search, writing
from kb.search.table import table
from kb.search.words import words

TABLE = "words.json"
PLACEHOLDER = re.compile(r"\{[^{}]*\}")  # of a template: {rank:int}

# Keys whose text nobody searches for: proof, dates, places upstream, test files.
UNSEARCHED = {
    *("schema_version", "status", "published", "modified", "verified"),
    *("source", "references", "examples", "url", "path"),
}

Json = dict[str, Any]


def build_search(entry_json_dir: Path, out: Path) -> None:
    """Write the index of all `*.json` in `entry_json_dir` to the folder `out`, replacing what is there.

    Beside it stands the same index as a table (`words.json`), for the pages.
    Withdrawn entries keep their page and are left out. Raises BrokenSearch when a file is no entry.
    """
    with writing(out) as writer:
        for path in sorted(entry_json_dir.glob("*.json")):
            entry = read_entry(path)
            if entry.get("status") != "withdrawn":
                fields = {field: list(words) for field, words in texts(entry).items()}
                writer.add_document(shown=shown(entry), **fields)
    (out / TABLE).write_bytes(table(open_search(out)))


def read_entry(path: Path) -> Json:
    try:
        entry = json.loads(path.read_bytes())
        entry["id"], entry["title"], entry["summary"]
    except (ValueError, TypeError, KeyError) as error:
        raise BrokenSearch(f"{path} is not the JSON of an entry ({error!r}); run `kb build`") from error
    return dict(entry)


def shown(entry: Json) -> Json:
    """What a result shows of an entry."""
    identity = entry["id"]
    return {
        "id": identity,
        "title": entry["title"],
        "summary": entry["summary"],
        "status": entry.get("status", "draft"),
        "path": entry.get("path", f"errors/{identity}/"),
    }


def texts(entry: Json) -> dict[str, Iterator[str]]:
    """Field of the index -> words of an entry. `everything` holds each word of the others too."""
    causes = entry.get("causes", [])
    signatures = entry.get("signatures", [])
    return {
        "title": words(entry["title"]),
        "aliases": of(entry.get("aliases", []), [entry["id"]], entry.get("former_ids", [])),
        "signatures": of(without_placeholders(signature["template"] for signature in signatures)),
        "names": of(
            (flag["name"] for flag in entry.get("flags", [])),
            (signature.get("exception") or "" for signature in signatures),
            (parameter(cause) for cause in causes),
        ),
        "causes": of((cause["id"] for cause in causes), (cause["title"] for cause in causes)),
        "summary": words(entry["summary"]),
        "components": of(entry.get("components", []), (a.get("purl", "") for a in entry.get("affected", []))),
        "everything": of(without_placeholders(strings(entry))),
    }


def of(*groups: Iterable[str]) -> Iterator[str]:
    for group in groups:
        for text in group:
            yield from words(text)


def parameter(cause: Json) -> str:
    """The parameter that a cause's fix sets, or nothing."""
    setting = (cause.get("fix") or {}).get("set") or {}
    return str(setting.get("parameter", ""))


def without_placeholders(templates: Iterable[str]) -> Iterator[str]:
    return (PLACEHOLDER.sub(" ", template) for template in templates)


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value that a person may look for."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            if key not in UNSEARCHED:
                yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)
