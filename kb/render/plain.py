"""Text from outside, made safe to print.

A paste is hostile text: an escape sequence in it could repaint the terminal, a bidirectional override could
show a command other than the one that is copied. All of it is cut before anything is printed.
"""

from __future__ import annotations

import re

# ANSI sequences first, whole: without their ESC, `[31m` would stay behind as text.
_SEQUENCES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]"
)


def printable(text: str) -> str:
    """The text without control characters, escapes, invisible and direction marks; line ends are kept."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", _SEQUENCES.sub("", lines)).expandtabs(4)


def one_line(text: str, longest: int = 400) -> str:
    """Printable text on one line, its middle cut out where it is longer than `longest` characters."""
    flat = " ".join(printable(text).split("\n"))
    if len(flat) <= longest:
        return flat
    head = longest * 2 // 3
    return f"{flat[:head]} … {flat[-(longest - head - 3) :]}"
