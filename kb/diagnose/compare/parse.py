"""The source of an expression -> `Expression`. The grammar, loosest first:

    truth      = all ("or" all)*            all   = one ("and" one)*
    one        = "not" one | comparison
    comparison = sum [("==" | "!=" | "<" | "<=" | ">" | ">=") sum | "in" "(" sum ("," sum)* ")"]
    sum        = term (("+" | "-") term)*   term  = factor (("*" | "/") factor)*
    factor     = "-" factor | "(" truth ")" | number [unit] | text | name | function "(" ... ")"

A text stands in quotes or is a word that begins with a capital; names are in lower case.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, cast

from kb.diagnose.compare.nodes import (
    About,
    Arithmetic,
    Comparator,
    CompareError,
    Comparison,
    Constant,
    Expression,
    Extreme,
    Logic,
    Member,
    Name,
    Node,
    Not,
    Operator,
    Question,
    Truth,
)
from kb.diagnose.compare.values import UNITS, number

LONGEST = 500
DEEPEST = 30

_UNIT = "|".join(sorted(UNITS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"""\s*(?:
    (?P<number>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:e[+-]?[0-9]+)?(?![0-9.])
        (?:\ ?(?P<unit>{_UNIT})(?![A-Za-z0-9_])|(?![A-Za-z_])))
    |(?P<text>"[^"]*"|'[^']*'|[A-Z][A-Za-z0-9_]*)
    |(?P<word>[a-z_][a-z0-9_]*(?![A-Za-z0-9_]))
    |(?P<sign>==|!=|<=|>=|[-+*/()<>,])
    )""",
    re.VERBOSE,
)
_COMPARATORS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_RESERVED = frozenset({"and", "or", "not", "in"})


class _Token(NamedTuple):
    kind: str
    text: str
    offset: int
    factor: float = 1.0


@lru_cache(maxsize=4096)
def parse(source: str) -> Expression:
    """The expression that `source` writes down. Raises CompareError with the place and what to do."""
    if len(source) > LONGEST:
        raise CompareError(
            f"an expression has at most {LONGEST} characters; derive a part of it first", LONGEST
        )
    parser = _Parser(_tokens(source))
    root = parser.truth(0)
    parser.expect("end", "")
    return Expression(source, root, frozenset(parser.names))


def names(expression: Expression) -> frozenset[str]:
    """The names that the expression reads."""
    return expression.names


def _tokens(source: str) -> list[_Token]:
    tokens = []
    position = 0
    end = len(source.rstrip())
    while position < end:
        match = _TOKEN.match(source, position)
        if match is None:
            offset = position + len(source[position:]) - len(source[position:].lstrip())
            raise CompareError(_unreadable(source[offset:]), offset)
        kind = match.lastgroup if match.lastgroup != "unit" else "number"
        assert kind is not None
        text = match.group(kind)
        unit = match.group("unit")
        start = match.start(kind)
        if unit:
            text = text[: -len(unit)].rstrip()
        tokens.append(_Token(kind, text, start, UNITS[unit] if unit else 1.0))
        position = match.end()
    return [*tokens, _Token("end", "", end)]


def _unreadable(rest: str) -> str:
    """What to do about a place that begins no token."""
    if rest[0] == "=":
        return "a single =; write == to compare"
    if rest[0] in "'\"":
        return f"the text that {rest[0]} opens is never closed"
    if rest[0].isdigit():
        return f"no number: {rest[:12]}; write 16, 1.5, 20 GiB or 512 bytes, digits without commas"
    if rest[0].isalpha():
        return f"no name: {rest[:12]}; names are in lower case, texts stand in quotes or begin with a capital"
    return f"{rest[0]!r} means nothing here; see the grammar: + - * / == != < <= > >= in and or not ( )"


class _Parser:
    """Reads tokens from left to right; every method takes how deep it is and returns a node."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.position = 0
        self.names: set[str] = set()

    @property
    def next(self) -> _Token:
        return self.tokens[self.position]

    def take(self) -> _Token:
        """The next token, now read."""
        token = self.next
        self.position += 1
        return token

    def accept(self, *texts: str) -> _Token | None:
        """The next token if it is one of these signs or words, now read."""
        return self.take() if self.next.kind in ("sign", "word") and self.next.text in texts else None

    def expect(self, kind: str, text: str) -> None:
        """Read a token that must be there."""
        token = self.take()
        if token.kind != kind or token.text != text:
            found = f"not {token.text}" if token.text else "the expression ends"
            wanted = text or "the expression should end here"
            raise CompareError(
                f"{wanted} is missing, {found}" if text else f"{wanted}, {found}", token.offset
            )

    def truth(self, depth: int) -> Node:
        """`or`, the loosest."""
        return self._logic("or", depth)

    def _logic(self, operator: str, depth: int) -> Node:
        offset = self.next.offset
        read = self._one if operator == "and" else lambda level: self._logic("and", level)
        items = [read(depth)]
        while self.accept(operator):
            _must_be(items[-1], offset, truth=True)
            offset = self.next.offset
            items.append(_must_be(read(depth), offset, truth=True))
        return items[0] if len(items) == 1 else Logic("and" if operator == "and" else "or", tuple(items))

    def _one(self, depth: int) -> Node:
        if self.accept("not"):
            offset = self.next.offset
            return Not(_must_be(self._one(_deeper(depth, offset)), offset, truth=True))
        return self._comparison(depth)

    def _comparison(self, depth: int) -> Node:
        offset = self.next.offset
        left = self._sum(depth)
        if self.accept("in"):
            self.expect("sign", "(")
            return Member(_must_be(left, offset, truth=False), self._list(depth))
        if not (self.next.kind == "sign" and self.next.text in _COMPARATORS):
            return left
        sign = self.take()
        _must_be(left, offset, truth=False)
        offset = self.next.offset
        right = _must_be(self._sum(depth), offset, truth=False)
        if self.next.kind == "sign" and self.next.text in _COMPARATORS:
            raise CompareError("two comparisons in a row; write a < b and b < c", self.next.offset)
        return Comparison(cast("Comparator", sign.text), left, right)

    def _sum(self, depth: int) -> Node:
        return self._arithmetic(("+", "-"), depth)

    def _arithmetic(self, signs: tuple[str, ...], depth: int) -> Node:
        offset = self.next.offset
        read = self._factor if "*" in signs else lambda level: self._arithmetic(("*", "/"), level)
        left = read(depth)
        while sign := self.accept(*signs):
            _must_be(left, offset, truth=False)
            offset = self.next.offset
            right = _must_be(read(depth), offset, truth=False)
            left = Arithmetic(cast("Operator", sign.text), left, right)
        return left

    def _factor(self, depth: int) -> Node:
        token = self.take()
        depth = _deeper(depth, token.offset)
        if token.kind == "number":
            return Constant(float(token.text) * token.factor)
        if token.kind == "text":
            text = token.text[1:-1] if token.text[0] in "'\"" else token.text
            value = number(text)
            return Constant(text if value is None else value)
        if token.kind == "word" and token.text not in _RESERVED:
            return self._call(token, depth) if self.accept("(") else self._name(token)
        if token.kind == "sign" and token.text == "(":
            inside = self.truth(depth)
            self.expect("sign", ")")
            return inside
        if token.kind == "sign" and token.text == "-":
            offset = self.next.offset
            return Arithmetic("-", Constant(0.0), _must_be(self._factor(depth), offset, truth=False))
        found = f"not {token.text}" if token.text else "but the expression ends"
        raise CompareError(f"a number, a text or a name is missing, {found}", token.offset)

    def _name(self, token: _Token) -> Name:
        self.names.add(token.text)
        return Name(token.text)

    def _call(self, token: _Token, depth: int) -> Node:
        if token.text in ("min", "max"):
            items = self._list(depth)
            if len(items) < 2:
                raise CompareError(f"{token.text}() needs two values or more", token.offset)
            return Extreme("min" if token.text == "min" else "max", items)
        if token.text not in ("known", "same", "differs"):
            raise CompareError(
                f"no function {token.text}; there are min, max, known, same and differs", token.offset
            )
        name = self.take()
        if name.kind != "word" or name.text in _RESERVED:
            raise CompareError(f"{token.text}() takes one name", name.offset)
        self.names.add(name.text)
        self.expect("sign", ")")
        return About(cast("Question", token.text), name.text)

    def _list(self, depth: int) -> tuple[Node, ...]:
        """Values with commas between them, and the closing parenthesis."""
        items = []
        while True:
            offset = self.next.offset
            items.append(_must_be(self._sum(depth), offset, truth=False))
            if not self.accept(","):
                self.expect("sign", ")")
                return tuple(items)


def _deeper(depth: int, offset: int) -> int:
    if depth >= DEEPEST:
        raise CompareError(f"more than {DEEPEST} levels; derive a part of it first", offset)
    return depth + 1


def _must_be(node: Node, offset: int, *, truth: bool) -> Node:
    """The node, which must be a truth or must be a value."""
    if isinstance(node, Truth) == truth:
        return node
    if truth:
        raise CompareError("a value where a truth belongs; compare it, or ask known(name)", offset)
    raise CompareError("a truth where a number or a text belongs", offset)
