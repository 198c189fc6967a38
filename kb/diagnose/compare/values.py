"""Texts as numbers: `16`, `1,024`, `20.00 MiB`, `0 bytes`; and sizes as texts."""

from __future__ import annotations

import re

_NUMBER = re.compile(
    r"([+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|[+-]?\.[0-9]+)"
    r"(?:\s?([A-Za-z]+))?"
)
_LONGEST = 64
_PREFIXES = "KMGTPE"
UNITS: dict[str, float] = {
    # bytes; "7B" is a model's size as often as seven bytes, so a bare B is none
    **dict.fromkeys(("bytes", "byte", "Bytes", "Byte"), 1.0),
    **{f"{prefix}iB": 1024.0**power for power, prefix in enumerate(_PREFIXES, 1)},
    **{f"{prefix}i": 1024.0**power for power, prefix in enumerate(_PREFIXES, 1)},
    **{f"{prefix}B": 1000.0**power for power, prefix in enumerate(_PREFIXES, 1)},
    **{prefix: 1000.0**power for power, prefix in enumerate(_PREFIXES, 1)},
    "kB": 1024.0,  # as the Linux kernel writes it
}


def number(text: str) -> float | None:
    """The number that `text` writes down, in bytes for a size; None when it is none.

    KiB and Ki are 1,024 bytes and KB and K 1,000; kB is the kernel's 1,024.
    """
    text = text.strip()
    match = _NUMBER.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        return None
    digits, unit = match.groups()
    factor = 1.0 if unit is None else UNITS.get(unit)
    if factor is None:
        return None
    value = float(digits.replace(",", "")) * factor
    return value if abs(value) < float("inf") else None


def format_size(size: float) -> str:
    """A number of bytes as PyTorch writes it: `0 bytes`, `64.00 KiB`, `20.00 MiB`, `79.15 GiB`."""
    if abs(size) < 1024:
        return f"{size:.0f} bytes"
    for prefix in "KMG":
        size /= 1024
        if abs(size) < 1024 or prefix == "G":
            return f"{size:.2f} {prefix}iB"
    raise AssertionError("the loop returns at GiB")
