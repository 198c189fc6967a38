"""`kb build`: entries -> index, entry JSON, word search, site; or all pages as plain Markdown."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kb.catalog.build import write_whole
from kb.catalog.compiler import Compiled
from kb.cli.compiling import compile_entries, left_out
from kb.cli.inputs import BUILT_FROM, inputs, site_is_current
from kb.cli.places import build_folder, entries_folder
from kb.cli.stop import StopError
from kb.search import build_search
from kb.site.build import build_site, write_plain_pages
from kb.site.generate import SiteFailed


def run(arguments: argparse.Namespace) -> int:
    """Build everything that has changed; 1 when some entries had to be left out."""
    entries, out = entries_folder(arguments.entries), build_folder(arguments.out)
    if not entries.is_dir():
        raise StopError(f"there are no entries at {entries}; name their folder with --entries")
    pages = empty_folder(arguments.pages) if arguments.pages else None
    now = inputs(entries)
    compiled = compile_entries(entries, out)
    for problem in compiled.problems:
        print(problem, file=sys.stderr)
    if compiled.problems:
        missing = ", ".join(left_out(compiled))
        print(f"kb: left out until these problems are mended: {missing}", file=sys.stderr)
    if pages:
        print(f"{write_plain_pages(compiled.catalog, out, pages)} pages in {pages}")
        return 1 if compiled.problems else 0
    current = site_is_current(out, now)
    if not arguments.index_only and not current:
        build_pages(compiled, out, now)
    print(f"{len(compiled.entries)} entries in {out}{', nothing has changed' if current else ''}")
    return 1 if compiled.problems else 0


def empty_folder(name: str) -> Path:
    """The folder for the plain pages. Nobody's files are removed or mixed with them."""
    folder = Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StopError(f"{folder} is there and not an empty folder; name a new one with --pages")
    return folder


def build_pages(compiled: Compiled, out: Path, now: str) -> None:
    """Word search and site of what was compiled; then the folder says what they were built from."""
    try:
        build_search(out / "entries", out / "search")
        build_site(compiled.catalog, out, progress=say)
    except SiteFailed as error:
        raise StopError(str(error)) from error
    write_whole(out / BUILT_FROM, now)


def say(sentence: str) -> None:
    """One step of a long build, for a person who watches."""
    if sys.stderr.isatty():
        print(sentence, file=sys.stderr, flush=True)
