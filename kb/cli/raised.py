"""An exception of this very process as a paste, and what this process knows beside it."""

from __future__ import annotations

import sys
import traceback
from importlib import metadata

from kb.diagnose import Given
from kb.diagnose.versions import compare


def as_paste(error: BaseException) -> str:
    """The exception as Python prints it, with its chain, groups and notes."""
    return "".join(traceback.format_exception(error))


def loaded() -> Given:
    """The releases of the packages that are imported by now.

    A distribution is looked up by the name of its package, as most are called; others are passed over.
    """
    names = {name.partition(".")[0] for name in list(sys.modules)} - sys.stdlib_module_names
    found = {name.replace("_", "-"): release(name) for name in sorted(names) if not name.startswith("_")}
    return Given(versions={name: version for name, version in found.items() if version})


def release(name: str) -> str | None:
    """The release of a distribution, where there is one of that name and it says its release."""
    try:
        found = metadata.version(name)
    except (metadata.PackageNotFoundError, ValueError):
        return None
    return found if compare(found, found) is not None else None  # such as "unknown"
