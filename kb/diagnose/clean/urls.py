"""Text in addresses: `?log=RuntimeError%3A+CUDA+out+of+memory.` becomes lines of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.octets import decoded
from kb.diagnose.clean.origin import edit, part
from kb.diagnose.clean.text import Line

_RUN = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_VALUE = re.compile(r"(?:^|(?<=[=?&\s\"']))[^\s&\"'=]{20,}")
FEWEST_ESCAPES = 4
# A short message has few other escapes than its blanks: `text=CUDA+error%3A+invalid+device+ordinal`.
_BLANK = re.compile(r"(?<=[\w.,:;)])(?:\+|%20)(?=[\w(\[])")
LONGEST_WORDS = 24  # characters between two blanks, on average; in base64, which has plus signs too, it is 64
_WORDED = re.compile(r"[?&][\w.-]{1,40}=[^\s&+]{1,60}\+\w")
_NEWLINE = re.compile(r"(?:%0[dD])?%0[aA]")


def has_encoded(text: str) -> bool:
    """Whether a text holds escapes of addresses that stand for blanks, line ends or colons of a message."""
    if "%" in text and any(sign in text for sign in ("%20", "%3A", "%3a", "%0A", "%0a")):
        return True
    return "+" in text and "://" in text and _WORDED.search(text) is not None


def open_addresses(lines: Sequence[Line]) -> list[Line]:
    """Lines with encoded values decoded, each value on lines of its own."""
    return [
        inner
        for line in lines
        for inner in (_opened(line) if "%" in line.text or "+" in line.text else [line])
    ]


def _opened(line: Line) -> list[Line]:
    text = line.text
    lines: list[Line] = []
    at = 0
    for match in _VALUE.finditer(text):
        value = match[0]
        if not _is_encoded(value):
            continue
        lines.append(part(line, at, match.start()))
        lines += _values(part(line, match.start(), match.end()))
        at = match.end()
    if not lines:
        return [line]
    lines.append(part(line, at))
    return [inner for inner in lines if inner.text.strip()]


def _is_encoded(value: str) -> bool:
    """Whether a value has as many escapes, or blanks written as such, as an encoded text has."""
    if len(_RUN.findall(value)) >= FEWEST_ESCAPES:
        return True
    blanks = len(_BLANK.findall(value))
    return blanks >= FEWEST_ESCAPES - 1 and blanks * LONGEST_WORDS >= len(value)


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
