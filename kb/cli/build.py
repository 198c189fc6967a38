"""`kb build`: entries -> index, entry JSON, word search, site."""

from __future__ import annotations

import argparse
import sys

from kb.catalog.build import write_whole
from kb.cli.compiling import compile_entries
from kb.cli.inputs import STAMP, inputs
from kb.cli.places import build_folder, entries_folder
from kb.cli.stop import StopError
from kb.search import build_search
from kb.site.build import build_site
from kb.site.generate import SiteFailed


def run(arguments: argparse.Namespace) -> int:
    """Build everything; 1 when some entries had to be left out."""
    entries, out = entries_folder(arguments.entries), build_folder(arguments.out)
    if not entries.is_dir():
        raise StopError(f"there are no entries at {entries}; name their folder with --entries")
    stamp = inputs(entries)
    compiled = compile_entries(entries, out)
    if not arguments.index_only:
        try:
            build_search(out / "entries", out / "search")
            build_site(compiled.catalog, out, progress=say)
        except SiteFailed as error:
            raise StopError(str(error), status=1) from error
        write_whole(out / STAMP, stamp)
    print(f"{len(compiled.entries)} entries in {out}")
    return 1 if compiled.problems else 0


def say(sentence: str) -> None:
    """One step of a long build, for a person who watches."""
    if sys.stderr.isatty():
        print(sentence, file=sys.stderr, flush=True)
