"""Read the folder of entries into models, with every problem that stands in the way.

Reads `<root>/<id>/entry.yaml` and `<root>/_checks/<id>.yaml`. Never raises on what people wrote: an entry
that cannot be read is left out, its id stays known, so that others may still refer to it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from kb.catalog.document import Document, read_document
from kb.catalog.document import Path as Place
from kb.catalog.entry import Check, Entry
from kb.catalog.partial import partial
from kb.catalog.problems import Problem, in_order
from kb.catalog.wording import model_problems

CHECKS = "_checks"
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class EntryFile:
    """An entry with its file's places and its folder. `files` are the names beside entry.yaml.

    `wrong` are the places that the model refused; then `entry` is the rest, with something standing in there.
    """

    entry: Entry
    document: Document
    folder: Path
    files: tuple[str, ...]
    wrong: frozenset[Place] = frozenset()

    def example(self, name: str) -> str | None:
        """The text of a file beside the entry, or None where it is missing or not UTF-8."""
        try:
            return (self.folder / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None


@dataclass(frozen=True)
class CheckFile:
    """A check with its file's places; `wrong` as in an entry."""

    check: Check
    document: Document
    wrong: frozenset[Place] = frozenset()


@dataclass(frozen=True)
class Catalog:
    """All entries and checks that could be read, and the problems of reading.

    Of those that could not, the partial ones hold what is right; only rules look at them.
    """

    root: Path
    entries: tuple[EntryFile, ...]
    checks: tuple[CheckFile, ...]
    entry_ids: frozenset[str]  # folders, also of entries that could not be read
    check_ids: frozenset[str]
    problems: tuple[Problem, ...]
    by_id: dict[str, EntryFile] = field(default_factory=dict)
    checks_by_id: dict[str, CheckFile] = field(default_factory=dict)
    partial_entries: tuple[EntryFile, ...] = ()
    partial_checks: tuple[CheckFile, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether every entry could be read: what no entry uses may be used by one that could not."""
        return len(self.entries) == len(self.entry_ids)


def load_catalog(root: Path, only: str | None = None) -> Catalog:
    """Everything under a folder of entries, or one of its entries and all checks.

    A folder that is not there is a problem, not an exception.
    """
    shown = _shown(root)
    if not root.is_dir():
        return Catalog(root, (), (), frozenset(), frozenset(), (_missing(shown, "a folder of entries"),))
    folders = sorted(item for item in root.iterdir() if item.is_dir() and item.name[0] not in "._")
    check_paths = sorted((root / CHECKS).glob("*.yaml"))
    problems: list[Problem] = []
    read = [folder for folder in folders if only in (None, folder.name)]
    every_entry = [file for folder in read if (file := _entry_file(folder, shown, problems))]
    every_check = [check for path in check_paths if (check := _check_file(path, shown, problems))]
    entries = tuple(file for file in every_entry if not file.wrong)
    checks = tuple(file for file in every_check if not file.wrong)
    return Catalog(
        root,
        entries,
        checks,
        frozenset(folder.name for folder in folders),
        frozenset(path.stem for path in check_paths),
        in_order(problems),
        {file.folder.name: file for file in entries},
        {file.check.id: file for file in checks},
        tuple(file for file in every_entry if file.wrong),
        tuple(file for file in every_check if file.wrong),
    )


def _shown(root: Path) -> str:
    """The folder as people name it: from where they stand, when it lies there."""
    relative = os.path.relpath(root)
    return root.as_posix() if relative.startswith("..") else Path(relative).as_posix()


def _missing(path: str, what: str) -> Problem:
    return Problem(
        path, 1, 1, "KB001", f"{what} is expected here", "make one with `kb new`, or remove the folder"
    )


def _entry_file(folder: Path, shown: str, problems: list[Problem]) -> EntryFile | None:
    path = f"{shown}/{folder.name}/entry.yaml"
    document = _document(folder / "entry.yaml", path, problems)
    if not document:
        return None
    entry, wrong = _model(Entry, document, folder.name, problems)
    files = sorted(item.name for item in folder.iterdir() if item.name != "entry.yaml")
    return EntryFile(entry, document, folder, tuple(files), wrong) if entry else None


def _check_file(path: Path, shown: str, problems: list[Problem]) -> CheckFile | None:
    document = _document(path, f"{shown}/{CHECKS}/{path.name}", problems)
    if not document:
        return None
    check, wrong = _model(Check, document, path.stem, problems)
    return CheckFile(check, document, wrong) if check else None


def _document(path: Path, shown: str, problems: list[Problem]) -> Document | None:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        problems.append(_missing(shown, "entry.yaml"))
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = (
            "is not UTF-8 text"
            if isinstance(error, UnicodeDecodeError)
            else f"cannot be read: {error.strerror}"
        )
        problems.append(Problem(shown, 1, 1, "KB001", f"the file {reason}", "save it as UTF-8 text"))
        return None
    document, found = read_document(shown, text)
    problems.extend(found)
    return document


def _model(
    model: type[M], document: Document, own_id: str, problems: list[Problem]
) -> tuple[M | None, frozenset[Place]]:
    try:
        return model.model_validate(document.value), frozenset()
    except ValidationError as error:
        problems.extend(model_problems(document, error))
        return partial(model, document, error, own_id)
