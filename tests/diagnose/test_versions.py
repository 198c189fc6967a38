"""Versions and ranges agree with PEP 440, of which `packaging` is the judge."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from kb.diagnose.versions import compare, matches


@pytest.mark.parametrize(
    ("version", "specifier", "inside"),
    [
        ("0.11.0", ">=0.6.1,<0.12", True),
        ("0.12.0", ">=0.6.1,<0.12", False),
        ("0.11.0", ">=0.3.3, <=0.33.0", True),
        ("0.9", ">=0.10", False),
        ("0.4.10", ">=0.4.9.post6", True),
        ("0.4.9", ">=0.4.9.post6", False),
        ("0.4.9.post6", "<0.5", True),
        ("0.11.0rc1", "<0.11", False),
        ("0.11.0rc1", "<0.12", True),
        ("0.11.0rc1", ">=0.10", True),
        ("0.11.1.dev3+g1a2b3c4", ">0.11.0", True),
        ("2.4.0+cu121", "==2.4.0", True),
        ("2.4.0+cu121", "==2.4.*", True),
        ("2.4.0+cu121", "==2.4.0+cu118", False),
        ("2.4.0", "==2.4.0+cu118", False),
        ("2.4.0+cu121", "<=2.4.0", True),
        ("2.4.0+cu121", ">2.4.0", False),
        ("2.4", "==2.4.0", True),
        ("2.40", "==2.4.*", False),
        ("2.4.1", "!=2.4.*", False),
        ("1.4.5", "~=1.4.2", True),
        ("1.5.0", "~=1.4.2", False),
        ("1.5.0", "~=1.4", True),
        ("v0.10.0", ">=0.10", True),
        ("0.10.0", "", True),
    ],
)
def test_a_version_in_a_range(version: str, specifier: str, inside: bool) -> None:
    assert matches(version, specifier) is inside


@pytest.mark.parametrize(
    ("version", "specifier"),
    [
        ("nightly", ">=1.0"),
        ("", ">=1.0"),
        ("1.0", "1.0"),
        ("1.0", ">=1.0 <2"),
        ("1.0", ">=nightly"),
        ("1.0", "~=1"),
        ("1.0", ">=1.*"),
        ("1.0", ">=1.0+cu121"),
        ("1.0", "===1.0"),
        ("1.0", ">=1.0,latest"),
        ("1" * 200, ">=1.0"),
        ("١.٠", ">=1.0"),
    ],
)
def test_what_cannot_be_read_is_neither_inside_nor_outside(version: str, specifier: str) -> None:
    assert matches(version, specifier) is None


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        ("0.9.2", "0.10.0", -1),
        ("1.0.dev1", "1.0a1", -1),
        ("1.0a1", "1.0rc1", -1),
        ("1.0rc1", "1.0", -1),
        ("1.0", "1.0.post1", -1),
        ("1.0.post1.dev2", "1.0.post1", -1),
        ("1.0", "1.0+cu121", -1),
        ("1.0+abc", "1.0+5", -1),
        ("1.0", "1.0.0", 0),
        ("1.0-RC.1", "1.0rc1", 0),
        ("1!0.1", "9.9", 1),
        ("1.0", "x", None),
    ],
)
def test_the_order_of_versions(left: str, right: str, order: int | None) -> None:
    assert compare(left, right) == order
    assert compare(right, left) == (order if order is None else -order)


NUMBERS = st.sampled_from(["0", "1", "2", "10"])
RELEASES = st.lists(NUMBERS, min_size=1, max_size=3).map(".".join)
SUFFIXES = st.tuples(
    st.sampled_from(["", "a1", "b2", "rc1", "-alpha", ".c3"]),
    st.sampled_from(["", ".post1", "-2", ".rev3"]),
    st.sampled_from(["", ".dev0", ".dev4"]),
).map("".join)
PUBLIC = st.tuples(st.sampled_from(["", "", "", "1!", "v"]), RELEASES, SUFFIXES).map("".join)
VERSIONS = st.tuples(PUBLIC, st.sampled_from(["", "", "+cu121", "+5.a", "+cu118"])).map("".join)
CLAUSES = (
    st.tuples(st.sampled_from([">=", "<=", ">", "<", "~=", "==", "!="]), PUBLIC).map("".join)
    | st.tuples(st.sampled_from(["==", "!="]), VERSIONS).map("".join)
    | st.tuples(st.sampled_from(["==", "!="]), RELEASES, st.just(".*")).map("".join)
)


@settings(deadline=None)
@given(VERSIONS, VERSIONS)
def test_the_order_is_that_of_packaging(left: str, right: str) -> None:
    a, b = Version(left), Version(right)
    assert compare(left, right) == (a > b) - (a < b)


@settings(deadline=None)
@given(VERSIONS, st.lists(CLAUSES, min_size=1, max_size=3).map(",".join))
def test_ranges_are_those_of_packaging(version: str, specifier: str) -> None:
    try:
        judge = SpecifierSet(specifier)
    except ValueError:
        assert matches(version, specifier) is None
    else:
        assert matches(version, specifier) == judge.contains(version, prereleases=True), (version, specifier)


@settings(deadline=None)
@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_gives_an_answer(version: str, specifier: str) -> None:
    assert matches(version, specifier) in (True, False, None)
    assert compare(version, specifier) in (-1, 0, 1, None)
