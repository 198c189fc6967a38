"""KB3xx: ids only grow; one name means one thing for ever."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.catalog.document import Path
from kb.catalog.entry import Entry
from kb.catalog.loader import Catalog, CheckFile, EntryFile
from kb.catalog.rules.rule import Finding, check_rule, entry_rule


@entry_rule("KB301", stops=True)
def id_is_not_the_folder(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """The id is the folder's name, so that a person who knows one finds the other."""
    if file.entry.id != file.folder.name:
        hint = f"the folder is {file.folder.name}; make them equal"
        yield Finding(("id",), f"the id is `{file.entry.id}`", hint)


@check_rule("KB302", stops=True)
def check_id_is_not_the_file(file: CheckFile, _catalog: Catalog) -> Iterator[Finding]:
    """A check's id is its file's name."""
    name = file.document.path.rsplit("/", 1)[-1].removesuffix(".yaml")
    if file.check.id != name:
        yield Finding(("id",), f"the id is `{file.check.id}`", f"the file is {name}.yaml; make them equal")


@entry_rule("KB303")
def id_is_used_again(file: EntryFile, catalog: Catalog) -> Iterator[Finding]:
    """An id once given is never given again: old links and answers must not change their meaning."""
    for number, former in enumerate(file.entry.former_ids):
        path: Path = ("former_ids", number)
        owners = [other.entry.id for other in catalog.entries if former in other.entry.former_ids]
        if former in catalog.entry_ids:
            yield Finding(path, f"`{former}` is an entry today", "give that entry another id")
        elif owners and owners[0] != file.entry.id:
            yield Finding(path, f"`{former}` is also a former id of {owners[0]}", "an id leads to one entry")
    if file.entry.id in catalog.check_ids:
        yield Finding(("id",), f"`{file.entry.id}` is also a check", "give one of them another id")


@entry_rule("KB304", stops=True)
def part_id_stands_twice(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Signatures and causes are referred to by id, so ids are unique among their kind in an entry."""
    entry = file.entry
    for name, parts in (("signatures", entry.signatures), ("causes", entry.causes), ("values", entry.values)):
        ids = [str(getattr(part, "id", "") or getattr(part, "name", "")) for part in parts]
        for number in _repeated(ids):
            field = "name" if name == "values" else "id"
            yield Finding(
                (name, number, field), f"`{ids[number]}` stands twice in {name}", "give it another name"
            )


@check_rule("KB305", stops=True)
def outcome_id_stands_twice(file: CheckFile, _catalog: Catalog) -> Iterator[Finding]:
    """A person answers a check with an outcome's id, so it names one outcome."""
    ids = [outcome.id for outcome in file.check.outcomes]
    for number in _repeated(ids):
        yield Finding(("outcomes", number, "id"), f"`{ids[number]}` stands twice", "give it another id")


@entry_rule("KB306")
def alias_belongs_to_another(file: EntryFile, catalog: Catalog) -> Iterator[Finding]:
    """Two entries that answer to the same words answer to neither."""
    mine = file.entry
    for number, alias in enumerate(mine.aliases):
        same = [_plain(other) for other in mine.aliases[:number]]
        others = [o.entry.id for o in catalog.entries if o is not file and _plain(alias) in _names(o.entry)]
        if others or _plain(alias) in same:
            owner = others[0] if others else "this entry too"
            yield Finding(("aliases", number), f"the alias is also of {owner}", "keep it where it belongs")


@entry_rule("KB307")
def dates_run_backwards(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """An entry is modified on or after the day it was published; pages and feeds sort by these."""
    if file.entry.modified < file.entry.published:
        yield Finding(
            ("modified",), f"modified before {file.entry.published}", "write the day of the last change"
        )


def _names(entry: Entry) -> frozenset[str]:
    return frozenset(_plain(alias) for alias in (*entry.aliases, entry.title))


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _repeated(ids: Iterable[str]) -> Iterator[int]:
    seen: set[str] = set()
    for number, name in enumerate(ids):
        if name in seen:
            yield number
        seen.add(name)
