"""Turn what pydantic says about a file into problems that a person can act on, at the right place."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import ValidationError

from kb.catalog import entry
from kb.catalog.document import Document, Path
from kb.catalog.problems import Problem

FORMS = {
    "^[a-z0-9]+(-[a-z0-9]+)*$": "an id: lower-case words and numbers with single dashes",
    "^[a-z][a-z0-9_]*$": "a name: lower-case letters, numbers and _, a letter first",
    r"^\d{4}-\d{2}-\d{2}$": "a date such as 2026-11-30",
    "^[a-z0-9-]+(/[a-z0-9-]+)?$": "an entry's id, or `entry/cause`",
    "^[0-9a-f]{40}$": "a full commit id, 40 hexadecimal digits",
    r"^https://\S+$": "a link that starts with https://",
    r"^pkg:[a-z]+/\S+$": "a package URL such as pkg:pypi/vllm",
    r"^(match|other)-[a-z0-9-]+\.txt$": "a file name such as match-two-ranks.txt or other-healthy.txt",
}
"""What the patterns of the models mean, in words."""


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
    kind, context = detail["type"], detail.get("ctx", {})
    name = str(path[-1]) if path else "the file"
    if kind == "missing":
        return "KB101", f"`{name}` is missing", _needed(name)
    if kind == "extra_forbidden":
        return "KB102", f"the key `{name}` is unknown", _closest(path)
    if kind == "string_pattern_mismatch":
        form = FORMS.get(context["pattern"], f"text of the form {context['pattern']}")
        return "KB103", f"`{_short(detail['input'])}` does not fit `{name}`", f"write {form}"
    if kind == "string_too_short" and not str(detail["input"]).strip():
        return "KB103", f"`{name}` is empty", "write the text, or remove the key"
    if kind in ("string_too_long", "string_too_short"):
        return "KB103", f"`{name}` has {len(detail['input'].strip())} characters", _limit(kind, context)
    if kind == "literal_error":
        return (
            "KB103",
            f"`{_short(detail['input'])}` is not known for `{name}`",
            f"write {context['expected']}",
        )
    if kind == "value_error":
        return "KB103", str(context["error"]), "add what is missing"
    return "KB103", f"`{name}`: {_lower(detail['msg'])}", _shape(kind)


def _needed(name: str) -> str:
    return f"add `{name}:`; kb/catalog/entry.py says what it holds"


def _closest(path: Path) -> str:
    near = difflib.get_close_matches(str(path[-1]), _field_names(), n=1)
    return f"did you mean `{near[0]}`?" if near else "remove it, or see the keys in kb/catalog/entry.py"


@cache
def _field_names() -> tuple[str, ...]:
    models = [m for m in vars(entry).values() if isinstance(m, type) and issubclass(m, entry.Part)]
    return tuple(sorted({name for model in models for name in model.model_fields}))


def _limit(kind: str, context: dict[str, Any]) -> str:
    if kind == "string_too_long":
        return f"at most {context['max_length']}: shorten it"
    return f"at least {context['min_length']}: say more"


def _shape(kind: str) -> str:
    shapes = {
        "list_type": "write a list: one item a line, each after `- `",
        "dict_type": "write keys and values, each on its own line",
        "model_type": "write keys and values, each on its own line",
        "string_type": "write text; quote it when it holds `: ` or starts with { or [",
        "int_parsing": "write a whole number",
        "bool_parsing": "write yes or no",
        "too_short": "add what is missing",
    }
    return shapes.get(kind, "see the entry model in kb/catalog/entry.py")


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 40 else text[:39] + "…"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
