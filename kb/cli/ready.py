"""What a command answers from, made on the spot where a checkout has not been built yet."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from kb.cli.places import build_folder, entries_folder, index_file
from kb.cli.stop import StopError
from kb.diagnose.index import BrokenIndex, Index, load_index


def ready_index(given: str | None = None) -> Index:
    """The index named or found. Stops with what to do when there is none and none can be made."""
    path = index_file(given)
    if path == build_folder() / "index.json":
        ensure_compiled(build_folder())
    try:
        return load_index(path)
    except BrokenIndex as error:
        raise StopError(str(error)) from error


def ensure_compiled(out: Path) -> None:
    """Compile the checkout's entries into the build folder where that has no index, and say so."""
    if (out / "index.json").exists() or not entries_folder().is_dir():
        return
    print(f"kb: no index yet; compiling the entries into {out} (kb build makes everything)", file=sys.stderr)
    # Imported here only: pydantic and YAML would triple the start of every `kb match`.
    importlib.import_module("kb.cli.compiling").compile_entries(entries_folder(), out)
