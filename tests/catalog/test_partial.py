"""A wrong value is told plainly, at its place, and hides nothing else that is wrong."""

import copy
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from kb.catalog.document import Path as Place
from kb.catalog.document import read_document
from kb.catalog.entry import Check, Entry
from kb.catalog.loader import Catalog, load_catalog
from kb.catalog.rules import all_problems
from kb.catalog.wording import model_problems

GOOD = Path(__file__).parent / "good" / "entries"
FILES = sorted(path.relative_to(GOOD).as_posix() for path in GOOD.rglob("*.yaml"))
INSTEAD: tuple[Any, ...] = ("", "?", {"x": "y"}, ["x"])
"""Taken in turns of two, a short text and something that is no text."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(GOOD, tmp_path / "entries")
    return tmp_path / "entries"


def places(value: Any, path: Place = ()) -> Iterator[Place]:
    """Every place of a document, the whole included."""
    yield path
    steps: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for step, item in steps:
        yield from places(item, (*path, step))


def with_value(value: Any, path: Place, instead: Any) -> Any:
    """A copy of a document with one value exchanged."""
    if not path:
        return instead
    changed = copy.copy(value)
    changed[path[0]] = with_value(value[path[0]], path[1:], instead) if len(path) > 1 else instead
    return changed


def without(value: Any, path: Place) -> Any:
    """A copy of a document without one key or item."""
    changed = copy.deepcopy(value)
    around = changed
    for step in path[:-1]:
        around = around[step]
    del around[path[-1]]
    return changed


def variants(name: str) -> Iterator[tuple[str, Any]]:
    """A file with each value in turn exchanged for something of another sort, taken away or misnamed."""
    document, _ = read_document(name, (GOOD / name).read_text(encoding="utf-8"))
    assert document
    for number, path in enumerate(places(document.value)):
        for instead in INSTEAD[number % 2 :: 2]:
            yield f"{path} = {instead!r}", with_value(document.value, path, instead)
        if path and isinstance(path[-1], str):
            yield f"{path} taken away", without(document.value, path)
            whole = with_value(without(document.value, path), (*path[:-1], "unknown"), document.lookup(path))
            yield f"{path} misnamed", whole


def read_with(root: Path, name: str, value: Any) -> Catalog:
    (root / name).write_text(json.dumps(value), encoding="utf-8")  # JSON of texts is YAML
    return load_catalog(root)


@pytest.mark.parametrize("name", FILES)
def test_whatever_value_is_refused_only_that_is_told(root: Path, name: str) -> None:
    """What stands in for a refused value, or lacks with it, must not be taken for a mistake of the person."""
    refused, wrong = 0, []
    for what, value in variants(name):
        catalog = read_with(root, name, value)
        if not catalog.problems:
            continue  # the model takes it; whether it makes sense is asked of the rules elsewhere
        refused += 1
        others = [str(p) for p in all_problems(catalog) if p not in catalog.problems]
        wrong += [f"{what}: {other}" for other in others]
    assert wrong == []
    assert refused > 50


def test_messages_are_sentences_for_people() -> None:
    """No word of the library that reads the values, no position, no notation of Python."""
    told = set()
    for name in FILES:
        for _, value in variants(name):
            document, _ = read_document(name, json.dumps(value))
            assert document
            try:
                (Check if name.startswith("_checks") else Entry).model_validate(document.value)
            except ValidationError as error:
                told |= {(p.message, p.hint) for p in model_problems(document, error)}
    assert len(told) > 100
    jargon = re.compile(r"input|valid|dictionary|instance|`\d+`|\['|\{'|None|True|\^")
    assert [f"{message} ({hint})" for message, hint in sorted(told) if jargon.search(message + hint)] == []


@pytest.mark.parametrize(
    ("before", "after", "say"),
    [
        ("components: [toyengine]", "components: [Toy Engine]", "`Toy Engine` does not fit `components` ("),
        ("title: Engine lost a worker and stops", "title: E", "`title` is too short, 1 character ("),
        (
            "title: Engine lost a worker and stops",
            f"title: {'E' * 101}",
            "`title` is too long, 101 characters (",
        ),
        ("summary: Another", "warnings: text\nsummary: Another", "`warnings` is `text` (write a list"),
        ("published: 2026-11-01", "published: 2026-13-01", "`2026-13-01` is no day of the calendar ("),
        (
            "published: 2026-11-01",
            "published: today",
            "`today` does not fit `published` (write a date such as",
        ),
        ("status: draft", "status: [draft]", "`status` is a list (write text)"),
        ("status: draft", "status:", "`status` is empty ("),
    ],
)
def test_a_wrong_value_is_told_plainly(root: Path, before: str, after: str, say: str) -> None:
    path = root / "engine-worker-lost" / "entry.yaml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")
    said = [str(problem).partition(" KB103 ")[2] for problem in load_catalog(root).problems]
    assert len(said) == 1
    assert said[0].startswith(say)


def test_an_empty_file_is_said_to_be_empty(root: Path) -> None:
    (root / "engine-worker-lost" / "entry.yaml").write_text("", encoding="utf-8")
    (problem,) = load_catalog(root).problems
    assert problem.message == "the file is empty"


def test_one_wrong_value_hides_no_other_problem(root: Path) -> None:
    """What a newcomer gets wrong at the first try, all told in one run."""
    path = root / "engine-slots-full" / "entry.yaml"
    text = path.read_text(encoding="utf-8")
    for before, after in (
        ("kind: configuration", "kind: config"),
        ("status: reviewed", "status: ready"),
        ("{slots:int}", "{slots:int"),
        ("check: who-holds-the-slots", "check: who-knows"),
        ("file: match-batch.txt", "file: match-lost.txt"),
    ):
        assert before in text
        text = text.replace(before, after, 1)
    path.write_text(text, encoding="utf-8")
    found = [(p.code, p.line) for p in all_problems(load_catalog(root)) if p.path == str(path)]
    assert {code for code, _ in found} >= {"KB103", "KB401", "KB703", "KB601"}
    assert sum(code == "KB103" for code, _ in found) == 2
    for code, line in found:
        if code == "KB601":
            assert "match-lost.txt" in text.splitlines()[line - 1]
