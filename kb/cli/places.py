"""Where the entries and what is built from them lie. Only here do the commands read the environment."""

from __future__ import annotations

import os
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent


def entries_folder(given: str | None = None) -> Path:
    """The folder of entries: the one given, else FAULTBOOK_ENTRIES, else that of the checkout."""
    named = given or os.environ.get("FAULTBOOK_ENTRIES")
    return Path(named) if named else CHECKOUT / "entries"


def build_folder(given: str | None = None) -> Path:
    """What `kb build` writes to: the folder given, else FAULTBOOK_BUILD_DIR, else `build` in the checkout."""
    named = given or os.environ.get("FAULTBOOK_BUILD_DIR")
    return Path(named) if named else CHECKOUT / "build"


def named_index(given: str | None = None) -> Path | None:
    """The index that is named: the one given, else FAULTBOOK_INDEX. None: that of the build folder."""
    named = given or os.environ.get("FAULTBOOK_INDEX")
    return Path(named) if named else None
