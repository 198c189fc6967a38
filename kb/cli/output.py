"""Write answers for programs, whatever the paste held and wherever the output goes."""

from __future__ import annotations

import json
import sys
from typing import Any


def print_json(value: Any) -> None:
    """One JSON value on standard output. Text as it is where the output can carry it, else escaped.

    A paste can hold half a surrogate pair (JSON lets it through), which no encoding can write.
    """
    text = json.dumps(value, ensure_ascii=False, indent=1)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(value, indent=1)
    print(text)


def print_json_line(value: Any) -> None:
    """One JSON value on a line of its own, in ASCII: some readers also end a line at U+2028 or U+0085."""
    print(json.dumps(value))


def never_fail_on_text() -> None:
    """Let standard output and error replace what they cannot write instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # what replaces them in tests may lack it
        if reconfigure:
            reconfigure(errors="backslashreplace")
