"""KB70x: relations between entries lead somewhere and back."""

from __future__ import annotations

from collections.abc import Iterator

from kb.catalog.document import Path
from kb.catalog.entry import Check, Entry
from kb.catalog.loader import Catalog, EntryFile
from kb.catalog.rules.rule import Finding, entry_rule


@entry_rule("KB701")
def related_entry_is_unknown(file: EntryFile, catalog: Catalog) -> Iterator[Finding]:
    """A relation leads to an entry that exists and is another one."""
    for path, target in _targets(file.entry):
        if target not in catalog.entry_ids:
            yield Finding(
                path, f"there is no entry `{target}`", "write the entry first, or remove the relation"
            )
        elif target == file.entry.id:
            yield Finding(path, "the entry refers to itself", "remove it")


@entry_rule("KB702")
def sibling_does_not_answer(file: EntryFile, catalog: Catalog) -> Iterator[Finding]:
    """Looking alike goes both ways; a reader who lands on the wrong one needs the way back."""
    for number, sibling in enumerate(file.entry.siblings):
        other = catalog.by_id.get(sibling.id)
        if other and other is not file and file.entry.id not in [back.id for back in other.entry.siblings]:
            hint = f"add {file.entry.id} to the siblings of {sibling.id}"
            yield Finding(("siblings", number, "id"), f"{sibling.id} does not name this entry back", hint)


@entry_rule("KB706")
def sibling_is_named_twice(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """One check separates a pair; a second one would never be shown."""
    seen: set[str] = set()
    for number, sibling in enumerate(file.entry.siblings):
        if sibling.id in seen:
            yield Finding(("siblings", number, "id"), f"{sibling.id} is named twice", "keep the better check")
        seen.add(sibling.id)


@entry_rule("KB703")
def sibling_check_is_unknown(file: EntryFile, catalog: Catalog) -> Iterator[Finding]:
    """The check that separates two siblings exists."""
    for number, sibling in enumerate(file.entry.siblings):
        if sibling.check not in catalog.check_ids:
            hint = f"write entries/_checks/{sibling.check}.yaml"
            yield Finding(("siblings", number, "check"), f"there is no check `{sibling.check}`", hint)


@entry_rule("KB704")
def check_does_not_separate(file: EntryFile, catalog: Catalog) -> Iterator[Finding]:
    """A check separates two siblings only when one outcome speaks for one and another for the other."""
    for number, sibling in enumerate(file.entry.siblings):
        check = catalog.checks_by_id.get(sibling.check)
        other = catalog.by_id.get(sibling.id)
        said = other and other.entry.id < file.entry.id and _names(other.entry, file.entry.id, sibling.check)
        if sibling.id not in catalog.entry_ids or said or not check:
            continue
        if not _separates(check.check, file.entry.id, sibling.id):
            hint = "give it an outcome for each: one that supports this entry, one that supports the sibling"
            message = f"{sibling.check} does not tell {file.entry.id} from {sibling.id}"
            yield Finding(("siblings", number, "check"), message, hint)


@entry_rule("KB705", needs=("examples",))
def sibling_pair_lacks_an_example(file: EntryFile, catalog: Catalog) -> Iterator[Finding]:
    """A reviewed entry shows a paste of each sibling: else nothing proves that they are told apart."""
    if file.entry.status != "reviewed":
        return
    expected = {example.expect.split("/")[0] for example in file.entry.examples}
    for number, sibling in enumerate(file.entry.siblings):
        if sibling.id in catalog.entry_ids and sibling.id not in expected:
            hint = f"add an other-*.txt that expects {sibling.id}"
            yield Finding(("siblings", number, "id"), f"no example of {sibling.id} beside this entry", hint)


def _targets(entry: Entry) -> Iterator[tuple[Path, str]]:
    for number, sibling in enumerate(entry.siblings):
        yield ("siblings", number, "id"), sibling.id
    for number, related in enumerate(entry.related):
        yield ("related", number, "id"), related.id
    for number, origin in enumerate(entry.leads_from):
        yield ("leads_from", number), origin
    if entry.superseded_by:
        yield ("superseded_by",), entry.superseded_by


def _separates(check: Check, one: str, other: str) -> bool:
    for_one = {number for number, outcome in enumerate(check.outcomes) if _speaks(outcome.supports, one)}
    for_other = {number for number, outcome in enumerate(check.outcomes) if _speaks(outcome.supports, other)}
    return bool(for_one and for_other and len(for_one | for_other) > 1)


def _names(entry: Entry, sibling: str, check: str) -> bool:
    return any(each.id == sibling and each.check == check for each in entry.siblings)


def _speaks(references: list[str], entry_id: str) -> bool:
    return any(reference.split("/")[0] == entry_id for reference in references)
