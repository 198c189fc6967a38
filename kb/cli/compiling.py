"""Compile the entries, and say what kept one out."""

from __future__ import annotations

import sys
from pathlib import Path

from kb.catalog.build import write_catalog
from kb.catalog.compiler import Compiled
from kb.catalog.loader import load_catalog
from kb.cli.progress import progress


def compile_entries(entries: Path, out: Path) -> Compiled:
    """Write index and entry JSON of a folder of entries into a build folder."""
    with progress("Compiling the entries"):
        compiled = write_catalog(load_catalog(entries), out)
    for problem in compiled.problems:
        print(problem, file=sys.stderr)
    if compiled.problems:
        print("kb: entries with these problems are left out; mend them and build again", file=sys.stderr)
    return compiled
