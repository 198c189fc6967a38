"""The JSON Schema of entries and checks, so that editors complete and check them while they are written.

    # yaml-language-server: $schema=../_schema/entry.json

They lie in the repository, as `kb schema --write` wrote them; a test tells when the models have moved on.
Editors type YAML by its own rules (`1.0` is a number there), the loader reads text; so where the model
wants text, the schema also takes a number, a truth value or a date's form.
"""

from __future__ import annotations

from typing import Any

from kb.catalog.entry import Check, Entry

Json = dict[str, Any]

SCHEMAS = "_schema"
"""The folder of the schemas, among the entries."""


def entry_schema() -> Json:
    """The schema of `entries/<id>/entry.yaml`."""
    return _schema(Entry, "entry")


def check_schema() -> Json:
    """The schema of `entries/_checks/<id>.yaml`."""
    return _schema(Check, "check")


def _schema(model: type[Entry | Check], name: str) -> Json:
    schema = model.model_json_schema()
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Faultbook {name}"}
    return {**_as_typed(schema), **head}


def _as_typed(value: Any) -> Any:
    """The schema with every place for free text opened to what editors take for a number or truth value."""
    if isinstance(value, list):
        return [_as_typed(item) for item in value]
    if not isinstance(value, dict):
        return value
    opened = {key: _as_typed(item) for key, item in value.items()}
    if opened.get("type") == "string" and "enum" not in opened and "const" not in opened:
        opened["type"] = ["string", "number", "boolean"]
    if opened.get("type") in ("integer", "boolean"):
        opened["type"] = [opened["type"], "string"]
    return opened
