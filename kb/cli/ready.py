"""What a command answers from, made on the spot where the checkout has changed or was never built."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from kb.cli.inputs import index_is_stale
from kb.cli.places import build_folder, entries_folder, named_index
from kb.cli.stop import StopError
from kb.diagnose.index import BrokenIndex, Index, load_index


def ready_index(given: str | None = None) -> Index:
    """The index named, else that of the build folder, compiled anew when the entries have changed.

    Stops with what to do when there is none and none can be made. A named index is taken as it is.
    """
    path = named_index(given)
    if path is None:
        path = build_folder() / "index.json"
        ensure_compiled(build_folder())
    try:
        return load_index(path)
    except BrokenIndex as error:
        raise StopError(str(error)) from error


def ensure_compiled(out: Path) -> None:
    """Bring the index of the build folder to the state of the checkout's entries, and say so."""
    entries, there = entries_folder(), (out / "index.json").exists()
    if not entries.is_dir() or (there and not index_is_stale(out, entries)):
        return
    try:
        _compile(entries, out, "the entries have changed" if there else "no index yet")
    except OSError as error:
        why = f"{(error.strerror or str(error)).lower()}"
        _go_on(
            f"cannot compile the entries into {out}: {why}",
            "name a folder with FAULTBOOK_BUILD_DIR",
            there=there,
        )
    except ModuleNotFoundError as error:  # in a notebook whose environment is not ours
        what = f"cannot compile the entries here, {error.name} is not installed"
        _go_on(what, "run `kb build --index-only` in Faultbook's own environment", there=there)


def _go_on(what: str, advice: str, *, there: bool) -> None:
    """Say that the index is the one before, where there is one; else stop."""
    if not there:
        raise StopError(f"{what}; {advice}")
    print(f"kb: {what}; answering from the index before", file=sys.stderr)


def _compile(entries: Path, out: Path, why: str) -> None:
    print(f"kb: {why}; compiling the entries into {out}", file=sys.stderr, flush=True)
    # Imported here only: pydantic and YAML would triple the start of every `kb match`.
    compiling = importlib.import_module("kb.cli.compiling")
    missing = compiling.left_out(compiling.compile_entries(entries, out))
    if missing:
        print(f"kb: left out until `kb check` finds no problem: {', '.join(missing)}", file=sys.stderr)
