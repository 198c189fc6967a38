"""`kb new`: the folder of a new entry."""

from __future__ import annotations

import argparse
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from kb.catalog.entry import Id, Title
from kb.catalog.loader import load_catalog
from kb.catalog.scaffold import write_draft
from kb.cli.places import entries_folder
from kb.cli.stop import StopError


def run(arguments: argparse.Namespace) -> int:
    """Make the folder, unless the id or title is none or the id was ever used."""
    _fits(
        TypeAdapter(Id),
        arguments.id,
        "--id is lower-case words and numbers with single dashes, 80 characters at most",
    )
    _fits(
        TypeAdapter(Title),
        arguments.title,
        "a title has 10 to 100 characters and says the symptom as the user sees it",
    )
    root = entries_folder(arguments.entries)
    catalog = load_catalog(root)
    former = {former: file.entry.id for file in catalog.entries for former in file.entry.former_ids}
    if arguments.id in catalog.entry_ids | catalog.check_ids:
        raise StopError(f"{arguments.id} is there already; choose another id, or edit {root / arguments.id}")
    if arguments.id in former:
        raise StopError(f"{arguments.id} is a former id of {former[arguments.id]}; an id is never used again")
    path = write_draft(root, arguments.id, arguments.title.strip())
    print(f"{_from_here(path)}\nWrite what says TODO, then run: kb check {_from_here(path.parent)}")
    return 0


def _from_here(path: Path) -> Path:
    """The path as a person types it: short where it lies below the folder they are in."""
    here = Path.cwd()
    return path.resolve().relative_to(here) if path.resolve().is_relative_to(here) else path


def _fits(form: TypeAdapter[str], text: str, say: str) -> None:
    try:
        form.validate_python(text)
    except ValidationError as error:
        raise StopError(say) from error
