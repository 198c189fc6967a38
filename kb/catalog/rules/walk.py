"""Ways through an entry that several families of rules take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.catalog.document import Path
from kb.catalog.entry import Entry
from kb.catalog.loader import Catalog


def texts(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every text of a document's value, with its path."""
    if isinstance(value, str):
        yield path, value.strip()
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from texts(item, (*path, number))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from texts(item, (*path, key))


def cause_ids(entry: Entry) -> frozenset[str]:
    """The ids of an entry's causes."""
    return frozenset(cause.id for cause in entry.causes)


def unknown_reference(reference: str, catalog: Catalog) -> str | None:
    """What is wrong with a reference to an entry or `entry/cause`, or None.

    The causes of an entry that could not be read are taken to be there: its own problem is enough.
    """
    entry_id, _, cause = reference.partition("/")
    if entry_id not in catalog.entry_ids:
        return f"there is no entry `{entry_id}`"
    target = catalog.by_id.get(entry_id)
    if cause and target and cause not in cause_ids(target.entry):
        return f"{entry_id} has no cause `{cause}`"
    return None
