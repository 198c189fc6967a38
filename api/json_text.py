"""JSON as clients send it: parsed when it is small in shape. Its strings may be long, its nesting may not.
And JSON as it goes out, which is a twentieth of a small paste's cost when Python's own encoder writes it.

`json.loads` takes twenty times the memory of `[[],[],...]` and its recursion ends the thread's stack. So the
text is looked at first, without its strings: what stays are brackets, commas and numbers.
"""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

from api.problems import Refused

MOST_DEPTH = 16
MOST_VALUES = 10_000
STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)  # ours, and never goes back
DEEPER, UP = "[{", "]}"


def read_json(text: str, what: str = "The body") -> Any:
    """The value of a JSON text. Raises Refused (400): it is no JSON, too deep or of too many parts."""
    if text.count("[") + text.count("{") > MOST_DEPTH or text.count(",") > MOST_VALUES:
        check_shape(STRING.sub("", text), what)
    try:
        return json.loads(text, parse_float=finite, parse_constant=finite)
    except json.JSONDecodeError as error:
        place = f" (line {error.lineno}, column {error.colno}: {error.msg})"
    except (ValueError, RecursionError):
        place = ""
    raise Refused(
        400, f"{what} is not JSON{place}. A paste as it stands is sent to /api/match as text/plain."
    )


def finite(number: str) -> float:
    """A number that can be written as JSON again. Raises ValueError for NaN, Infinity and 1e999."""
    value = float(number)
    if not isfinite(value):
        raise ValueError("not a number of JSON")
    return value


def check_shape(bare: str, what: str) -> None:
    """Raises Refused where a text without its strings nests too deep or has too many parts."""
    if sum(map(bare.count, (",", "[", "{"))) > MOST_VALUES:
        raise Refused(400, f"{what} is not JSON as it is read here: it has more than {MOST_VALUES:,} values.")
    depth = 0
    for character in bare:
        if character in DEEPER:
            depth += 1
            if depth > MOST_DEPTH:
                raise Refused(
                    400, f"{what} is not JSON as it is read here: it is nested more than {MOST_DEPTH} deep."
                )
        elif character in UP:
            depth -= 1


def write_json(value: Any) -> bytes:
    """A value as JSON without spaces. Half a surrogate pair, which JSON lets in, goes out escaped."""
    try:
        return to_json(value)
    except PydanticSerializationError:
        return json.dumps(value, separators=(",", ":")).encode()
