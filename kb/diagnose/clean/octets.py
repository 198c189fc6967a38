"""Characters written as their bytes in hexadecimal: `%20` in addresses, `=3D` in mail."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.diagnose.clean.origin import Edit


def decoded(text: str, runs: re.Pattern[str], start: int = 0, end: int | None = None) -> Iterator[Edit]:
    """Edits that put characters in place of their bytes; `runs` finds sequences of `?XX`."""
    for match in runs.finditer(text, start, len(text) if end is None else end):
        at = match.start()
        octets = bytes.fromhex(re.sub(r"[^0-9A-Fa-f]", "", match[0]))
        while octets:
            length = _length(octets[0])
            character = octets[:length].decode("utf-8", "replace")
            yield at, at + 3 * len(octets[:length]), _plain(character)
            at += 3 * length
            octets = octets[length:]


def _length(lead: int) -> int:
    """Bytes of a character of UTF-8, by its first."""
    return 1 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _plain(character: str) -> str:
    return character if character.isprintable() or character in "\t\n" else " "
