"""What the terminal can show."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TextIO


def use_colour(stream: TextIO | None = None) -> bool:
    """Colour only where a person sees it (standard output) and did not decline it (https://no-color.org)."""
    return (
        (stream or sys.stdout).isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )


def columns() -> int:
    """The terminal's width; 80 where there is none."""
    return shutil.get_terminal_size().columns
