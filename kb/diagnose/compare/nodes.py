"""The parsed form of an expression. All values; `parse` makes them, `evaluate` reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Operator = Literal["+", "-", "*", "/"]
Comparator = Literal["==", "!=", "<", "<=", ">", ">="]


Question = Literal["known", "same", "differs"]


class CompareError(ValueError):
    """The source is no expression. The text says what is wrong and what to do; `offset` is the place."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Constant:
    """A number (bytes for a size) or a text."""

    value: float | str


@dataclass(frozen=True, slots=True)
class Name:
    """A capture, a derived value, a setting or a fact."""

    name: str


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Two numbers joined; `-x` is `0 - x`."""

    operator: Operator
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Extreme:
    """`min(...)` or `max(...)` of numbers."""

    which: Literal["min", "max"]
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    operator: Comparator
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Member:
    """`item in (a, b, c)`."""

    item: Node
    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Logic:
    """`and` or `or` of two or more truths."""

    operator: Literal["and", "or"]
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    item: Node


@dataclass(frozen=True, slots=True)
class About:
    """A question about a name: is it known, is it the same in all processes, does it differ?"""

    question: Question
    name: str


Value = Constant | Name | Arithmetic | Extreme
Truth = Comparison | Member | Logic | Not | About
Node = Value | Truth


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression: a truth (`when:`) or a value (`derive:`)."""

    source: str
    root: Node
    names: frozenset[str]
