"""The JSON Schema takes what the loader takes, so that an editor shows no error where there is none."""

from typing import Any

import pytest

from kb.catalog.entry import Check, Entry
from kb.catalog.schema import check_schema, entry_schema


def definitions(schema: dict[str, Any]) -> dict[str, Any]:
    return {schema["title"]: schema, **schema["$defs"]}


def test_every_key_of_the_model_is_offered() -> None:
    assert set(entry_schema()["properties"]) == set(Entry.model_fields)
    assert set(check_schema()["properties"]) == set(Check.model_fields)


@pytest.mark.parametrize("schema", [entry_schema(), check_schema()], ids=["entry", "check"])
def test_unknown_keys_are_marked_everywhere(schema: dict[str, Any]) -> None:
    parts = {name: part for name, part in definitions(schema).items() if "properties" in part}
    assert parts
    assert [name for name, part in parts.items() if part.get("additionalProperties") is not False] == []


def test_free_text_may_look_like_a_number_to_an_editor() -> None:
    release = entry_schema()["$defs"]["Verified"]["properties"]["release"]
    assert release["type"] == ["string", "number", "boolean"]
    assert entry_schema()["$defs"]["Source"]["properties"]["confirmed"]["type"] == ["boolean", "string"]


def test_choices_are_offered() -> None:
    assert "hardware" in entry_schema()["$defs"]["Cause"]["properties"]["kind"]["enum"]
