"""What `kb build` wrote, read once: the index, the entries as ready answers, the word search.

Nothing is parsed while a request is answered, and no YAML is ever read. Entries are kept as the bytes that go
out, with the tag by which a client asks whether it has them already.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from api.filters import Listed, listed
from api.models import EntryList, EntrySummary
from api.policy import page_policy
from api.ready import Page, packed_page, page
from kb.catalog.schema import entry_schema
from kb.diagnose.index import BrokenIndex, Index, load_index
from kb.search import BrokenSearch, WordSearch, open_search


class BrokenBuild(ValueError):
    """The build folder cannot be served; the text says why and what to do."""


# What tells one build from another, by size and time.
PARTS = ("index.json", "entries", "checks", "search", "site", "site/index.html")
State = tuple[object, ...]
LISTED = ("id", "title", "summary", "status", "role", "components", "modified", "path")


@dataclass(frozen=True, slots=True)
class Book:
    """All that is served from one build."""

    index: Index
    search: WordSearch
    listed: tuple[Listed, ...]  # by id
    listing: Page  # all of them
    entries: dict[str, Page]
    checks: dict[str, Page]
    index_page: Page  # the index as a file
    schema: Page  # of an entry
    withdrawn: dict[str, str]  # id -> why it is gone, in a sentence
    former: dict[str, str]  # an id that an entry once had -> its id
    has_pages: bool
    page_policy: str  # content security policy of the pages


def read_book(build_dir: Path) -> Book:
    """The book in a build folder. Raises BrokenBuild when a part of it is missing or broken."""
    try:
        index = load_index(build_dir / "index.json")
        search = open_search(build_dir / "search")
    except (BrokenIndex, BrokenSearch) as error:
        raise BrokenBuild(str(error)) from error
    rows: list[Listed] = []
    entries: dict[str, Page] = {}
    former: dict[str, str] = {}
    checks = {check["id"]: page(body) for body, check in json_files(build_dir / "checks")}
    for body, entry in json_files(build_dir / "entries"):
        summary = summarise(entry)
        rows.append(listed(entry, summary))
        entries[summary.id] = page(body)
        former |= dict.fromkeys(entry.get("former_ids", []), summary.id)
    missing = sorted(set(index.numbers) - set(entries))
    if missing:
        raise BrokenBuild(
            f"{build_dir / 'entries'} lacks {missing[0]}.json, which the index has; run `kb build`"
        )
    everything = EntryList(entries=[row.summary for row in rows], total=len(rows), digest=index.digest)
    site = build_dir / "site"
    return Book(
        index=index,
        search=search,
        listed=tuple(rows),
        listing=packed_page(everything.model_dump_json().encode()),
        entries=entries,
        checks=checks,
        index_page=packed_page((build_dir / "index.json").read_bytes()),
        schema=packed_page(json.dumps(entry_schema()).encode()),
        withdrawn={
            row.summary.id: why_gone(row.summary) for row in rows if row.summary.status == "withdrawn"
        },
        former=former,
        has_pages=(site / "index.html").is_file(),
        page_policy=page_policy(site),
    )


def json_files(folder: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """The entries or checks of a folder by id: their bytes, and what stands in them."""
    for path in sorted(folder.glob("*.json"), key=lambda path: path.stem):
        try:
            entry = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise BrokenBuild(f"{path} cannot be read ({error}); run `kb build`") from error
        yield json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode(), entry


def why_gone(summary: EntrySummary) -> str:
    """Why an entry was withdrawn, as its summary says it."""
    return f"The entry {summary.id} was withdrawn: {summary.summary}"


def summarise(entry: dict[str, Any]) -> EntrySummary:
    """An entry's line in the list."""
    try:
        return EntrySummary(
            **{key: entry[key] for key in LISTED},
            kinds=list(dict.fromkeys(cause["kind"] for cause in entry["causes"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenBuild(f"an entry of the build is incomplete ({error!r}); run `kb build`") from error


def state_of(build_dir: Path) -> State:
    """What changes when the build does: where its folder lies, and inode, size and time of its parts."""
    return (os.path.realpath(build_dir), *(stamp(build_dir / part) for part in PARTS))


def stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
