"""`kb new`: the folder of a new entry."""

from __future__ import annotations

import argparse
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from kb.catalog.entry import Id, Title
from kb.catalog.guess import Guess, guess
from kb.catalog.loader import load_catalog
from kb.catalog.scaffold import Start, write_draft
from kb.catalog.unwritten import MARK
from kb.cli.paste import decode, read_bytes
from kb.cli.places import entries_folder
from kb.cli.ready import ready_index
from kb.cli.stop import StopError
from kb.redact import redact


def run(arguments: argparse.Namespace) -> int:
    """Make the folder, unless the id or title is none or the id was ever used."""
    start = None
    if arguments.paste:
        guessed = _guess(arguments.paste)
        start = Start.of(guessed)
        arguments.title = arguments.title or guessed.title
        arguments.id = arguments.id or guessed.id
    elif not (arguments.title and arguments.id):
        raise StopError("a new entry needs a title and --id, or --from with a paste to guess them from")
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
    path = write_draft(root, arguments.id, arguments.title.strip(), start)
    print(_from_here(path))
    if start:
        print("Tokens, addresses and user names are taken out of match-message.txt. It is for everyone:")
        print("replace what else names a person, a host or a company.")
    print(f"Write what says {MARK}, then run: kb check {_from_here(path.parent)}")
    return 0


def _guess(file: str) -> Guess:
    """What a paste says of the failure. Stops when nothing failed in it."""
    text, _ = decode(read_bytes(file), file)
    guessed = guess(redact(text).text, ready_index(None))
    if guessed is None:
        raise StopError(f"nothing in {file} says that something failed; hand in the part with the error")
    return guessed


def _from_here(path: Path) -> Path:
    """The path as a person types it: short where it lies below the folder they are in."""
    here = Path.cwd()
    return path.resolve().relative_to(here) if path.resolve().is_relative_to(here) else path


def _fits(form: TypeAdapter[str], text: str, say: str) -> None:
    try:
        form.validate_python(text)
    except ValidationError as error:
        raise StopError(say) from error
