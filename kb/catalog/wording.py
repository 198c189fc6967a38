"""Turn what pydantic says about a file into problems that a person can act on, at the right place."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import ValidationError

from kb.catalog import entry
from kb.catalog.document import Document, Path, key_of
from kb.catalog.problems import Problem

FORMS = {
    entry.ID: "an id: lower-case words and numbers with single dashes",
    "^[a-z][a-z0-9_]*$": "a name: lower-case letters, numbers and _, a letter first",
    entry.DATE: "a date such as 2026-11-30",
    "^[a-z0-9-]+(/[a-z0-9-]+)?$": "an entry's id, or `entry/cause`",
    "^[0-9a-f]{40}$": "a full commit id, 40 hexadecimal digits",
    r"^https://\S+$": "a link that starts with https://",
    r"^pkg:[a-z]+/\S+$": "a package URL such as pkg:pypi/vllm",
    r"^(match|other)-[a-z0-9-]+\.txt$": "a file name such as match-two-ranks.txt or other-healthy.txt",
}
"""What the patterns of the models mean, in words."""

SORTS = {
    "list_type": "write a list: one item a line, each after `- `",
    "dict_type": "write keys and values, each on its own line",
    "model_type": "write keys and values, each on its own line",
    "string_type": "write text; quote it when it holds `: ` or starts with { or [",
    "literal_error": "write text",
    "int_type": "write a whole number",
    "int_parsing": "write a whole number",
    "bool_type": "write yes or no",
    "bool_parsing": "write yes or no",
}
"""What to write where the model says that a value is another sort of thing."""

NOTHING = "write it, or remove its folder; `kb new` makes one"


def model_problems(document: Document, error: ValidationError) -> Iterator[Problem]:
    """One problem for each thing the model refused."""
    for detail in error.errors(include_url=False):
        path, is_key = _path(document, detail["loc"])
        code, message, hint = _words(path[:-1] if is_key else path, detail)
        at_key = is_key or detail["type"] == "extra_forbidden"
        line, column = document.locate_key(path) if at_key else document.locate(path)
        yield Problem(document.path, line, column, code, message, hint)


def _path(document: Document, place: tuple[int | str, ...]) -> tuple[Path, bool]:
    """The place without what pydantic adds to it: `[key]`, names of a union's members."""
    if place and place[-1] == "[key]":
        return place[:-1], True
    path = place
    while path and path not in document.marks and path[:-1] not in document.marks:
        path = path[:-1]
    return path, False


def _words(path: Path, detail: Any) -> tuple[str, str, str]:
    kind, given, context = detail["type"], detail["input"], detail.get("ctx", {})
    name = f"`{key_of(path)}`" if path else "the file"
    if kind == "missing":
        return "KB101", f"{name} is missing", f"add `{path[-1]}:`; kb/catalog/entry.py says what it holds"
    if kind == "extra_forbidden":
        return "KB102", f"the key {name} is unknown", _closest(path)
    if isinstance(given, str) and not given.strip():
        return "KB103", f"{name} is empty", "write what belongs there, or remove the key" if path else NOTHING
    if kind == "string_pattern_mismatch":
        form = FORMS.get(context["pattern"], f"text of the form {context['pattern']}")
        return "KB103", f"`{_short(given)}` does not fit {name}", f"write {form}"
    if kind in ("string_too_long", "string_too_short"):
        return "KB103", *_length(name, len(given.strip()), context)
    if kind == "literal_error" and isinstance(given, str):
        return "KB103", f"`{_short(given)}` is not known for {name}", f"write {context['expected']}"
    if kind == "value_error":
        what, _, hint = str(context["error"]).partition("; ")
        return "KB103", what, hint or "add what is missing"
    return "KB103", *_shape(name, given, kind, context)


def _closest(path: Path) -> str:
    near = difflib.get_close_matches(str(path[-1]), _field_names(), n=1)
    return f"did you mean `{near[0]}`?" if near else "remove it, or see the keys in kb/catalog/entry.py"


@cache
def _field_names() -> tuple[str, ...]:
    models = [m for m in vars(entry).values() if isinstance(m, type) and issubclass(m, entry.Part)]
    return tuple(sorted({name for model in models for name in model.model_fields}))


def _length(name: str, length: int, context: dict[str, Any]) -> tuple[str, str]:
    characters = "1 character" if length == 1 else f"{length} characters"
    if "max_length" in context:
        return f"{name} is too long, {characters}", f"write at most {context['max_length']}"
    return f"{name} is too short, {characters}", f"write at least {context['min_length']}"


def _shape(name: str, given: Any, kind: str, context: dict[str, Any]) -> tuple[str, str]:
    """What is said of a value that is another sort of thing than the model wants."""
    if kind == "too_short":
        return (
            f"{name} has {context['actual_length']} of {context['min_length']} items",
            "add what is missing",
        )
    if kind in ("greater_than_equal", "less_than_equal"):
        limit = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
        return f"{name} is {_short(given)}", f"write {limit}"
    if isinstance(given, dict):
        what = "keys and values"
    else:
        what = "a list" if isinstance(given, list) else f"`{_short(given)}`"
    return f"{name} is {what}", SORTS.get(kind, "see what it holds in kb/catalog/entry.py")


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 40 else text[:39] + "…"
