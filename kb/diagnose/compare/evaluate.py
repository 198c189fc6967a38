"""What an expression yields over the values at hand. None stands for unknown, all the way through."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from typing import Protocol

from kb.diagnose.compare.nodes import (
    About,
    Arithmetic,
    Comparison,
    Constant,
    Expression,
    Extreme,
    Logic,
    Member,
    Name,
    Node,
    Not,
)
from kb.diagnose.compare.values import number

Result = bool | float | str | None


class Scope(Protocol):
    """Where values come from. Values are texts as they stand in the paste; None when there is none."""

    def value(self, name: str) -> str | None:
        """The value of a name."""

    def across(self, name: str) -> tuple[str | None, ...]:
        """The value of a name in each process (rank), one item a process."""


_ORDER: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def evaluate(expression: Expression, scope: Scope) -> Result:
    """True, False, a number or a text; None when it cannot be told. Never raises.

    A missing name, a number compared with a text, texts that are ordered and a division by zero are unknown.
    """
    return _evaluate(expression.root, scope)


def _evaluate(node: Node, scope: Scope) -> Result:
    match node:
        case Constant(constant):
            return constant
        case Name(name):
            return _typed(scope.value(name))
        case Arithmetic():
            return _arithmetic(node, scope)
        case Extreme(which, items):
            values = [_evaluate(item, scope) for item in items]
            numbers = [value for value in values if isinstance(value, float)]
            if len(numbers) < len(items):
                return None
            return min(numbers) if which == "min" else max(numbers)
        case Comparison(sign, left, right):
            return _compare(sign, _evaluate(left, scope), _evaluate(right, scope))
        case Member(item, options):
            return _any(
                _compare("==", _evaluate(item, scope), _evaluate(option, scope)) for option in options
            )
        case Logic(which, items):
            truths = [_truth(item, scope) for item in items]
            return _any(truths) if which == "or" else _negate(_any(_negate(truth) for truth in truths))
        case Not(item):
            return _negate(_truth(item, scope))
        case About(question, name):
            return _about(question, name, scope)


def _truth(node: Node, scope: Scope) -> bool | None:
    """A node that the parser has found to be a truth."""
    result = _evaluate(node, scope)
    return result if isinstance(result, bool) else None


def _typed(text: str | None) -> float | str | None:
    """A value typed by looking at it."""
    if text is None:
        return None
    value = number(text)
    return text if value is None else value


def _arithmetic(node: Arithmetic, scope: Scope) -> float | None:
    left, right = _evaluate(node.left, scope), _evaluate(node.right, scope)
    if not isinstance(left, float) or not isinstance(right, float):
        return None
    if node.operator == "/":
        result = left / right if right else math.nan
    else:
        result = {"+": operator.add, "-": operator.sub, "*": operator.mul}[node.operator](left, right)
    return result if math.isfinite(result) else None


def _compare(sign: str, left: Result, right: Result) -> bool | None:
    if isinstance(left, float) and isinstance(right, float):
        if sign in _ORDER:
            return _ORDER[sign](left, right)
        return (left == right) == (sign == "==")
    if isinstance(left, str) and isinstance(right, str) and sign in ("==", "!="):
        return (left == right) == (sign == "==")
    return None


def _any(truths: Iterable[bool | None]) -> bool | None:
    """Kleene's or: true if one is, else unknown if one is, else false."""
    result: bool | None = False
    for truth in truths:
        if truth:
            return True
        if truth is None:
            result = None
    return result


def _negate(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _about(question: str, name: str, scope: Scope) -> bool | None:
    if question == "known":
        return scope.value(name) is not None
    values = [_typed(value) for value in scope.across(name) if value is not None]
    if len(values) < 2:
        return None
    same = all(value == values[0] for value in values)
    return same if question == "same" else not same
