"""Write answers for programs, whatever the paste held and wherever the output goes."""

from __future__ import annotations

import json
import sys
from typing import Any


def print_json(value: Any, indent: int | None = None) -> None:
    """One JSON value on standard output. Text as it is where the output can carry it, else escaped.

    A paste can hold half a surrogate pair (JSON lets it through), which no encoding can write.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent)
    print(text)


def never_fail_on_text() -> None:
    """Let standard output and error replace what they cannot write instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # what replaces them in tests may lack it
        if reconfigure:
            reconfigure(errors="backslashreplace")
