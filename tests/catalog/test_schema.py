"""The JSON Schema takes what the loader takes, so that an editor shows no error where there is none."""

import json
from pathlib import Path
from typing import Any

import pytest

from kb.catalog.build import write_schemas
from kb.catalog.entry import Check, Entry
from kb.catalog.scaffold import write_draft
from kb.catalog.schema import check_schema, entry_schema

ENTRIES = Path(__file__).parents[2] / "entries"


def test_the_schemas_in_the_repository_are_those_of_the_models(tmp_path: Path) -> None:
    """An editor reads them in a fresh clone; `kb schema --write` renews them."""
    fresh = {path.name: path.read_text(encoding="utf-8") for path in write_schemas(tmp_path).iterdir()}
    kept = {path.name: path.read_text(encoding="utf-8") for path in (ENTRIES / "_schema").iterdir()}
    assert set(fresh) == {"entry.json", "check.json"}
    assert kept == fresh, "run `kb schema --write`"


def test_the_schema_that_a_new_entry_names_is_there(tmp_path: Path) -> None:
    line = write_draft(tmp_path, "engine-x", "A title that is long enough").read_text("utf-8").splitlines()[0]
    named = line.partition("$schema=")[2]
    schema = json.loads((ENTRIES / "engine-x" / named).resolve().read_text(encoding="utf-8"))
    assert set(schema["properties"]) == set(Entry.model_fields)


def test_the_schemas_that_entries_name_are_there() -> None:
    heads = {path: path.read_text("utf-8").partition("\n")[0] for path in ENTRIES.glob("*/entry.yaml")}
    named = {path: head.partition("$schema=")[2] for path, head in heads.items() if "$schema=" in head}
    assert named
    assert [path.parent.name for path, name in named.items() if not (path.parent / name).is_file()] == []


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
