"""`kb search`: entries by words."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from kb.cli.inputs import COMPILED_FROM
from kb.cli.output import print_json
from kb.cli.places import build_folder
from kb.cli.ready import ensure_compiled
from kb.cli.stop import StopError
from kb.cli.terminal import columns, use_colour
from kb.render.ink import Ink, joined
from kb.search import BrokenSearch, Found, build_search, open_search


def run(arguments: argparse.Namespace) -> int:
    """Print what was found, best first; 1 when nothing was."""
    out = build_folder()
    ensure_compiled(out)
    try:
        ensure_searchable(out)
        found = open_search(out / "search").search(" ".join(arguments.words), arguments.limit)
    except BrokenSearch as error:
        raise StopError(str(error)) from error
    if arguments.json:
        print_json([asdict(each) for each in found])
    else:
        print(_for_people(found, arguments.words), end="")
    return 0 if found else 1


def ensure_searchable(out: Path) -> None:
    """Bring the word search of a build folder to the state of its entries. Raises BrokenSearch."""
    if is_stale(out):
        build_search(out / "entries", out / "search")


def is_stale(out: Path) -> bool:
    """Whether the word search is not there or is older than the entries that were compiled."""
    made, compiled = out / "search", out / COMPILED_FROM
    return not made.is_dir() or (compiled.is_file() and compiled.stat().st_mtime > made.stat().st_mtime)


def _for_people(found: list[Found], words: list[str]) -> str:
    ink = Ink(use_colour(), columns())
    if not found:
        return f"No entry has {' '.join(words)}. A whole traceback is for kb match.\n"
    lines: list[str] = []
    for each in found:
        lines += [ink.bold(each.id), *ink.prose(each.title, "  "), *ink.prose(each.summary, "  "), ""]
    return joined(lines)
