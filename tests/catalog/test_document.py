"""YAML as plain text with places: what is typed is what is read, and every value knows where it stood."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.catalog.document import DEEPEST, LARGEST, Document, read_document


def read(text: str) -> Document:
    document, problems = read_document("x.yaml", text)
    assert document is not None, problems
    return document


def only_problem(text: str) -> tuple[str, int, int]:
    document, problems = read_document("x.yaml", text)
    assert document is None
    assert len(problems) == 1, problems
    return problems[0].code, problems[0].line, problems[0].column


@pytest.mark.parametrize(
    "typed",
    ["no", "yes", "null", "~", "0.10", "1.0", "12:30", "2026-11-30", "0x10", "1e3", ".inf", "<<", "="],
)
def test_scalars_stay_the_text_that_was_typed(typed: str) -> None:
    assert read(f"key: {typed}\n").value == {"key": typed}


def test_text_after_a_hash_survives_where_it_is_quoted() -> None:
    assert read('a: "#123"\nb: x#1\nc: x # said\n').value == {"a": "#123", "b": "x#1", "c": "x"}


@pytest.mark.parametrize(
    ("text", "path", "offset", "place"),
    [
        ("a: xyz\n", ("a",), 2, (1, 6)),
        ('a: "xyz"\n', ("a",), 2, (1, 7)),
        ("a: |\n  one\n  two\n", ("a",), 4, (3, 3)),
        ("a: |\n  one\n    two\n", ("a",), 6, (3, 5)),
        ("a:\n  - b: |-\n      one\n\n      two\n", ("a", 0, "b"), 5, (5, 7)),
        ("a: |\n\n  one\n", ("a",), 1, (3, 4)),  # counted after leading white space, as models strip it
        ("a: >\n  one\n  two\n", ("a",), 5, (1, 4)),  # folded: only the start is certain
        ("a: {b: [x, y]}\n", ("a", "b", 1), 0, (1, 12)),
        ("a: {b: 1}\n", ("a", "missing"), 0, (1, 1)),
        ("a:\n  - b: 1\n", ("a", 0, "c"), 0, (2, 5)),
    ],
)
def test_a_character_of_a_value_is_found_in_the_file(
    text: str, path: tuple[str | int, ...], offset: int, place: tuple[int, int]
) -> None:
    assert read(text).locate(path, offset) == place


def test_a_key_is_found_in_the_file() -> None:
    document = read("a:\n  b:   1\n")
    assert document.locate_key(("a", "b")) == (2, 3)
    assert document.locate(("a", "b")) == (2, 8)
    assert document.locate_key(("a", "c")) == (1, 1)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\na: 2\n", ("KB003", 2, 1)),
        ("a:\n  b: 1\n  b: 1\n", ("KB003", 3, 3)),
        ("a: &x 1\n", ("KB004", 1, 4)),
        ("a: !!str 1\n", ("KB004", 1, 4)),
        ("a: !python/object:os.system 1\n", ("KB004", 1, 4)),
        ("a: 1\n---\nb: 1\n", ("KB005", 2, 1)),
        ("a: [1\n", ("KB002", 2, 1)),
        ("? [1, 2]\n: 3\n", ("KB002", 1, 3)),
        ("a: 1\nb: \x07\n", ("KB002", 2, 4)),
        ("x" * (LARGEST + 1), ("KB006", 1, 1)),
        ("[" * 300 + "]" * 300, ("KB006", 1, DEEPEST + 2)),
    ],
)
def test_what_is_refused_is_told_with_its_place(text: str, problem: tuple[str, int, int]) -> None:
    assert only_problem(text) == problem


def test_a_billion_laughs_are_refused_at_the_first_anchor() -> None:
    text = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
    document, problems = read_document("x.yaml", text)
    assert document is None
    assert {problem.code for problem in problems} == {"KB004"}
    assert len(problems) == 6


@given(st.text(max_size=200))
def test_any_text_gives_values_or_problems_with_places(text: str) -> None:
    document, problems = read_document("x.yaml", text)
    assert (document is None) == bool(problems)
    for problem in problems:
        assert 1 <= problem.line <= text.count("\n") + text.count("\r") + 3
        assert problem.column >= 1


TREE: Any = st.recursive(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(st.characters(min_codepoint=97, max_codepoint=122), min_size=1), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@given(TREE)
def test_every_value_has_a_place(tree: Any) -> None:
    import json

    document = read(json.dumps(tree))  # JSON of texts is YAML
    assert document.value == tree
    for path in document.marks:
        line, column = document.locate(path)
        assert (line, column) >= (1, 1)
        value = document.lookup(path)
        if isinstance(value, str):
            assert document.text.splitlines()[line - 1][column - 1] == '"'
