"""`kb explain`: an entry in the terminal."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kb.catalog.compiler import check_json, entry_json
from kb.catalog.entry import Check, Entry
from kb.catalog.loader import load_catalog
from kb.cli.output import print_json
from kb.cli.places import build_folder, entries_folder
from kb.cli.stop import StopError
from kb.cli.terminal import columns, use_colour
from kb.render.entry_text import entry_text

OWN_TO_JSON = ("path", "checks")
"""What the JSON of an entry has beside the fields of the model."""


def run(arguments: argparse.Namespace) -> int:
    """Show the entry as it stands in its YAML; where there is no YAML, as it was built."""
    root = entries_folder()
    document = from_yaml(root, arguments.id) if root.is_dir() else from_build(build_folder(), arguments.id)
    if arguments.json:
        print_json(document)
        return 0
    entry = Entry.model_validate({key: value for key, value in document.items() if key not in OWN_TO_JSON})
    checks = [Check.model_validate(check) for check in document["checks"]]
    sys.stdout.write(entry_text(entry, checks, colour=use_colour(), width=columns()))
    return 0


def from_yaml(root: Path, entry_id: str) -> dict[str, Any]:
    """The entry from its folder. A former id needs all entries, a present one its own folder alone."""
    catalog = load_catalog(root, only=entry_id if (root / entry_id).is_dir() else None)
    present = {former: file for file in catalog.entries for former in file.entry.former_ids} | catalog.by_id
    if entry_id in present:
        checks = {file.check.id: check_json(file.check) for file in catalog.checks}
        return entry_json(present[entry_id].entry, checks)
    if catalog.problems and entry_id in catalog.entry_ids:
        problems = "\n".join(str(problem) for problem in catalog.problems)
        raise StopError(f"{entry_id} cannot be read:\n{problems}", status=1)
    raise unknown(entry_id, catalog.entry_ids)


def from_build(out: Path, entry_id: str) -> dict[str, Any]:
    """The entry from what `kb build` wrote."""
    path = out / "entries" / f"{entry_id}.json"
    if "/" in entry_id or not path.is_file():
        raise unknown(entry_id, (other.stem for other in path.parent.glob("*.json")))
    document: dict[str, Any] = json.loads(path.read_bytes())
    return document


def unknown(entry_id: str, known: Iterable[str]) -> StopError:
    """What to say of an id that no entry has."""
    near = difflib.get_close_matches(entry_id, list(known), n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(near)}?" if near else "kb search WORDS finds entries"
    return StopError(f"there is no entry {entry_id}; {hint}")
