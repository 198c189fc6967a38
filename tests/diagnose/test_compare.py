"""Comparisons and arithmetic over captures: what is true, false and unknown, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.diagnose.compare import CompareError, evaluate, format_size, names, number, parse

MIB = 1024.0**2
GIB = 1024.0**3


class Values:
    """Names with a value, and names with a value in each rank."""

    def __init__(
        self, values: dict[str, str], ranks: dict[str, tuple[str | None, ...]] | None = None
    ) -> None:
        self.values = values
        self.ranks = ranks or {}

    def value(self, name: str) -> str | None:
        return self.values.get(name)

    def across(self, name: str) -> tuple[str | None, ...]:
        return self.ranks.get(name, ())


SCOPE = Values(
    {
        "wanted": "20.00 MiB",
        "free": "1.58 GiB",
        "unallocated": "764.12 MiB",
        "zero": "0 bytes",
        "rank": "64",
        "limit": "16",
        "numel": "160,672,064",
        "exit_code": "137",
        "k8s_reason": "OOMKilled",
        "op": "ALLREDUCE",
        "mode": "auto",
    },
    {
        "seq": ("28956", "28956", None),
        "op": ("ALLREDUCE", "BROADCAST"),
        "size": ("1,024", "1024"),
        "alone": ("1", None),
    },
)


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("unallocated >= wanted", True),
        ("wanted > free", False),
        ("wanted == 20 MiB", True),
        ("wanted == 20480 KiB", True),
        ("zero == 0", True),
        ("zero == 0 bytes", True),
        ("numel > 1", True),
        ("numel <= 160672064", True),
        ("free - wanted > 1.5 GiB", True),
        ("rank > limit", True),
        ("rank != limit", True),
        ("rank < limit or exit_code == 137", True),
        ("rank > limit and exit_code == 1", False),
        ("not rank > limit", False),
        ("not (rank < limit)", True),
        ("k8s_reason == OOMKilled", True),
        ("k8s_reason == 'OOMKilled'", True),
        ('k8s_reason != "Error"', True),
        ("op in (ALLREDUCE, BROADCAST)", True),
        ("mode in ('none', 'half')", False),
        ("exit_code in (9, 137)", True),
        ("rank == '64'", True),
        ("1 < 2", True),
        ("known(rank)", True),
        ("known(missing)", False),
        ("not known(missing) and rank > 1", True),
        ("same(seq)", True),
        ("differs(seq)", False),
        ("differs(op) or missing > 1", True),
        ("same(size)", True),
    ],
)
def test_what_is_true_and_what_is_false(source: str, result: bool) -> None:
    assert evaluate(parse(source), SCOPE) is result


@pytest.mark.parametrize(
    "source",
    [
        "missing > 1",
        "missing == missing",
        "not missing > 1",
        "missing > 1 or rank < limit",
        "missing > 1 and rank > limit",
        "missing in (1, 2)",
        "rank in (1, missing)",
        "rank == OOMKilled",
        "rank in (OOMKilled, ALLREDUCE)",
        "op < OOMKilled",
        "rank / zero > 1",
        "op + 1 > 0",
        "min(rank, missing) > 1",
        "same(missing)",
        "same(alone)",
        "differs(alone)",
    ],
)
def test_what_cannot_be_told_is_unknown_never_false(source: str) -> None:
    assert evaluate(parse(source), SCOPE) is None


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("rank", 64.0),
        ("wanted", 20 * MIB),
        ("free - unallocated", 1.58 * GIB - 764.12 * MIB),
        ("2 + 3 * 4", 14.0),
        ("(2 + 3) * 4", 20.0),
        ("10 - 3 - 2", 5.0),
        ("16 / 4 / 2", 2.0),
        ("-rank + 1", -63.0),
        ("max(rank, limit, 32)", 64.0),
        ("min(rank, limit) * 2", 32.0),
        ("1.5 GiB", 1.5 * GIB),
        ("512bytes", 512.0),
        ("k8s_reason", "OOMKilled"),
        ("'a text'", "a text"),
        ("missing", None),
        ("rank / 0", None),
        ("1e300 * 1e300", None),
    ],
)
def test_what_an_expression_yields(source: str, result: float | str | None) -> None:
    value = evaluate(parse(source), SCOPE)
    assert value == (pytest.approx(result) if isinstance(result, float) else result)


@pytest.mark.parametrize("left", [True, False, None])
@pytest.mark.parametrize("right", [True, False, None])
def test_and_or_not_are_kleenes(left: bool | None, right: bool | None) -> None:
    parts = {True: "1 == 1", False: "1 == 2", None: "missing == 1"}
    a, b = parts[left], parts[right]
    both = False if False in (left, right) else None if None in (left, right) else True
    either = True if True in (left, right) else None if None in (left, right) else False
    assert evaluate(parse(f"{a} and {b}"), SCOPE) is both
    assert evaluate(parse(f"{a} or {b}"), SCOPE) is either
    assert evaluate(parse(f"not {a}"), SCOPE) is (None if left is None else not left)
    assert evaluate(parse(f"not ({a} and {b})"), SCOPE) is evaluate(parse(f"not {a} or not {b}"), SCOPE)


@pytest.mark.parametrize(
    ("source", "offset", "says"),
    [
        ("rank = 1", 5, "write == to compare"),
        ("rank ! 1", 5, "'!' means nothing here"),
        ("rank and limit", 0, "a value where a truth belongs"),
        ("rank > 1 and limit", 13, "a value where a truth belongs"),
        ("not rank", 4, "a value where a truth belongs"),
        ("(rank > 1) + 1", 0, "a number or a text belongs"),
        ("(rank > 1) == (limit > 1)", 0, "a number or a text belongs"),
        ("(rank", 5, ") is missing, the expression ends"),
        ("rank >", 6, "is missing, but the expression ends"),
        ("", 0, "is missing, but the expression ends"),
        ("rank limit", 5, "the expression should end here, not limit"),
        ("min(rank)", 0, "needs two values or more"),
        ("open(rank)", 0, "no function open"),
        ("known(1)", 6, "takes one name"),
        ("known(and)", 6, "takes one name"),
        ("1 < rank < 3", 9, "write a < b and b < c"),
        ("rank in 3", 8, "( is missing, not 3"),
        ("rank == 1,024", 9, "the expression should end here, not ,"),
        ("rank == 'x", 8, "is never closed"),
        ("rank > 1.2.3", 7, "no number: 1.2.3"),
        ("rank > 3 apples", 9, "the expression should end here, not apples"),
        ("rank > 3apples", 7, "no number: 3apples"),
        ("maxRank > 3", 0, "no name: maxRank"),
        ("__import__('os')", 0, "no function __import__"),
        ("rank.real > 1", 4, "'.' means nothing here"),
        ("rank ** 2 > 1", 6, "is missing, not *"),
        ("(" * 31 + "1" + ")" * 31, 30, "more than 30 levels"),
        ("not " * 31 + "1 > 2", 124, "more than 30 levels"),
        ("-" * 31 + "1", 30, "more than 30 levels"),
        ("1" * 501, 500, "at most 500 characters"),
    ],
)
def test_what_is_no_expression_is_told_with_its_place(source: str, offset: int, says: str) -> None:
    with pytest.raises(CompareError) as caught:
        parse(source)
    assert says in str(caught.value)
    assert caught.value.offset == offset


def test_the_names_of_an_expression() -> None:
    assert names(parse("max(a, b) > c and same(d) or not known(e) and f in (1, g)")) == set("abcdefg")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16", 16.0),
        (" 16 ", 16.0),
        ("-221", -221.0),
        ("+3", 3.0),
        ("1,024", 1024.0),
        ("130,000.00 GiB", 130_000 * GIB),
        ("0.95", 0.95),
        (".5", 0.5),
        ("1.5e-05", 1.5e-5),
        ("0 bytes", 0.0),
        ("1 byte", 1.0),
        ("20.00 MiB", 20 * MIB),
        ("20.00\nMiB", 20 * MIB),
        ("512Mi", 512 * MIB),
        ("64G", 64e9),
        ("80 GB", 80e9),
        ("12kB", 12 * 1024.0),
        ("7B", None),
        ("20 apples", None),
        ("1,02", None),
        ("0x10", None),
        ("1.2.3", None),
        ("nan", None),
        ("inf", None),
        ("1e999", None),
        ("OOMKilled", None),
        ("", None),
        ("9" * 65, None),
        ("٣", None),
    ],
)
def test_the_number_that_a_text_writes(text: str, value: float | None) -> None:
    assert number(text) == (value if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (1023, "1023 bytes"),
        (1024, "1.00 KiB"),
        (20 * MIB, "20.00 MiB"),
        (79.15 * GIB, "79.15 GiB"),
        (2048 * GIB, "2048.00 GiB"),
        (-512 * MIB, "-512.00 MiB"),
    ],
)
def test_a_size_is_written_as_pytorch_writes_it(size: float, text: str) -> None:
    assert format_size(size) == text


@settings(deadline=None)
@given(st.floats(-1e15, 1e15))
def test_a_size_that_is_written_can_be_read_again(size: float) -> None:
    assert number(format_size(size)) == pytest.approx(size, rel=0.006, abs=0.5)


TOKENS = st.sampled_from(
    ["rank", "missing", "op", "1", "20 MiB", "'t'", "OOMKilled", "and", "or", "not", "in", "(", ")", ",", "+",
     "-", "*", "/", "==", "<", ">=", "min", "known", "same", "=", "@", "1.", '"']
)  # fmt: skip


@settings(deadline=None)
@given(
    st.lists(TOKENS, max_size=12).map(" ".join) | st.text(max_size=40),
    st.dictionaries(st.sampled_from(["rank", "op"]), st.text(max_size=8)),
)
def test_any_source_yields_something_or_is_refused_with_a_place(source: str, values: dict[str, str]) -> None:
    try:
        expression = parse(source)
    except CompareError as error:
        assert 0 <= error.offset <= len(source)  # noqa: PT017
    else:
        assert isinstance(evaluate(expression, Values(values)), bool | float | str | None)
        assert (
            names(expression) <= {*source.replace("(", " ").split(), *"abcdefghijklmnopqrstuvwxyz_"} or source
        )
