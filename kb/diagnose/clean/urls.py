"""Text in addresses: `?log=RuntimeError%3A+CUDA+out+of+memory.` becomes lines of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.octets import decoded
from kb.diagnose.clean.origin import edit, part
from kb.diagnose.clean.text import Line

_RUN = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_VALUE = re.compile(r"(?:^|(?<=[=?&\s\"']))[^\s&\"'=]{40,}")
FEWEST_ESCAPES = 4
_NEWLINE = re.compile(r"(?:%0[dD])?%0[aA]")


def has_encoded(text: str) -> bool:
    """Whether a text holds escapes of addresses that stand for blanks, line ends or colons of a message."""
    return "%" in text and any(sign in text for sign in ("%20", "%3A", "%3a", "%0A", "%0a"))


def open_addresses(lines: Sequence[Line]) -> list[Line]:
    """Lines with encoded values decoded, each value on lines of its own."""
    return [inner for line in lines for inner in (_opened(line) if "%" in line.text else [line])]


def _opened(line: Line) -> list[Line]:
    text = line.text
    lines: list[Line] = []
    at = 0
    for match in _VALUE.finditer(text):
        value = match[0]
        if len(_RUN.findall(value)) < FEWEST_ESCAPES:
            continue
        lines.append(part(line, at, match.start()))
        lines += _values(part(line, match.start(), match.end()))
        at = match.end()
    if not lines:
        return [line]
    lines.append(part(line, at))
    return [inner for inner in lines if inner.text.strip()]


def _values(line: Line) -> list[Line]:
    """The decoded lines of one value. A plus sign is a blank unless blanks are written as %20."""
    pluses = "%20" not in line.text
    lines = []
    at = 0
    for match in [*_NEWLINE.finditer(line.text), None]:
        stretch = part(line, at, match.start() if match else None)
        edits = list(decoded(stretch.text, _RUN))
        if pluses:
            edits += [(found.start(), found.end(), " ") for found in re.finditer(r"\+", stretch.text)]
        lines.append(edit(stretch, sorted(edits)))
        at = match.end() if match else at
    return lines
