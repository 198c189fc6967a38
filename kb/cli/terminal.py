"""What the terminal can show."""

from __future__ import annotations

import os
import shutil
import sys


def use_colour() -> bool:
    """Colour only where a person sees it and did not decline it (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def columns() -> int:
    """The terminal's width; 80 where there is none."""
    return shutil.get_terminal_size().columns
