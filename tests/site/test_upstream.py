"""Every fact that an entry calls confirmed has an address upstream that a reader can open."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from kb.catalog.entry import Source
from kb.catalog.loader import load_catalog
from kb.site.upstream import permalink

ENTRIES = Path(__file__).resolve().parents[2] / "entries"


def sources(value: object) -> Iterator[Source]:
    if isinstance(value, Source):
        yield value
    elif isinstance(value, BaseModel):
        for field in type(value).model_fields:
            yield from sources(getattr(value, field))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from sources(item)
    elif isinstance(value, dict):
        yield from sources(list(value.values()))


def test_every_confirmed_source_has_an_address() -> None:
    found = [
        (file.entry.id, source) for file in load_catalog(ENTRIES).entries for source in sources(file.entry)
    ]
    assert len(found) > 1000
    assert [(id_, source) for id_, source in found if source.confirmed and not permalink(source)] == []
