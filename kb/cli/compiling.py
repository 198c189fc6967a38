"""Compile the entries into a build folder, and say what kept one out."""

from __future__ import annotations

from pathlib import Path

from kb.catalog.build import write_catalog, write_whole
from kb.catalog.compiler import Compiled
from kb.catalog.loader import load_catalog
from kb.cli.inputs import COMPILED_FROM, compiled_from
from kb.cli.progress import progress


def compile_entries(entries: Path, out: Path) -> Compiled:
    """Write index and entry JSON of a folder of entries into a build folder, and a list of what was read."""
    with progress("Compiling the entries"):
        now = compiled_from(entries)  # before they are read: what changes meanwhile makes the index stale
        compiled = write_catalog(load_catalog(entries), out)
        write_whole(out / COMPILED_FROM, now)
    return compiled


def left_out(compiled: Compiled) -> tuple[str, ...]:
    """The entries and checks that have no place in the index, by id, because of their problems."""
    paths = {Path(problem.path) for problem in compiled.problems}
    return tuple(sorted({path.parent.name if path.name == "entry.yaml" else path.stem for path in paths}))
