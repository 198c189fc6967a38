"""Whether anything that was built from has changed since.

A build folder holds a listing of what it was built from, by name, size and time. It is compared, not read: an
unchanged checkout costs a look at each file. Imports nothing slow, for `kb match` asks at every start.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from kb.cli.places import CHECKOUT

BUILT_FROM = ".built-from"
"""The file of a build folder that lists what site and search were built from."""

COMPILED_FROM = ".compiled-from"
"""The file of a build folder that lists what the index was compiled from, the entries' folder first."""

PAGES = (CHECKOUT / "docs", CHECKOUT / "mkdocs.yml")
TOOLS = (
    CHECKOUT / "kb",
    CHECKOUT / "requirements.lock",
    CHECKOUT / "node_modules" / "pyodide" / "package.json",
)
COMPILER = (CHECKOUT / "kb" / "catalog", CHECKOUT / "kb" / "diagnose")


def inputs(entries: Path) -> str:
    """Everything that a build reads."""
    named = (os.environ.get(name, "") for name in ("FAULTBOOK_SITE_URL", "FAULTBOOK_REPOSITORY"))
    return f"{' '.join(named)}\n{_listing(_files(entries.resolve(), *PAGES, *TOOLS))}"


def pages(entries: Path) -> str:
    """The same without our own code: what can change while the server runs."""
    return _listing(_files(entries.resolve(), *PAGES))


def compiled_from(entries: Path) -> str:
    """What the index is compiled from: the entries and checks without their pastes, and the compiler."""
    root = entries.resolve()
    return f"{root}\n{_listing((*_written(root), *_files(*COMPILER)))}"


def site_is_current(out: Path, now: str) -> bool:
    """Whether a build folder has a site, made from just these inputs."""
    return (out / "site" / "index.html").is_file() and _text(out / BUILT_FROM) == now


def index_is_stale(out: Path, entries: Path) -> bool:
    """Whether the index of a build folder was compiled from these entries as they were before.

    A folder other than the checkout's own may have been built from other entries, and stays what it is.
    """
    then, now = _text(out / COMPILED_FROM), compiled_from(entries)
    same_entries = then.partition("\n")[0] == now.partition("\n")[0]
    return then != now and (same_entries or out == CHECKOUT / "build")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _written(entries: Path) -> Iterator[Path]:
    for item in sorted(os.scandir(entries), key=lambda item: item.name):
        if item.is_dir():
            yield from sorted(Path(item).glob("*.yaml"))


def _files(*roots: Path) -> Iterator[Path]:
    for root in roots:
        yield root  # a file, or a folder that the walk goes through
        for folder, below, names in os.walk(root):
            below[:] = sorted(name for name in below if name != "__pycache__")
            yield from (Path(folder, name) for name in sorted(names))


def _listing(paths: Iterable[Path]) -> str:
    return "".join(_row(path) for path in paths)


def _row(path: Path) -> str:
    try:
        status = path.stat()
    except FileNotFoundError:
        return ""  # an editor's temporary file, gone again
    return "" if path.is_dir() else f"{status.st_size} {status.st_mtime_ns} {path}\n"
