"""Whether anything that a build reads has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from kb.cli.places import CHECKOUT

STAMP = ".inputs"
"""The file of a build folder that holds the digest of what it was built from."""


def inputs(entries: Path) -> str:
    """A digest of everything that a build reads, by name, size and time: equal when nothing was touched."""
    return _digest(entries, CHECKOUT / "docs", CHECKOUT / "mkdocs.yml", CHECKOUT / "kb")


def pages(entries: Path) -> str:
    """The same without our own code: what can change while the server runs."""
    return _digest(entries, CHECKOUT / "docs", CHECKOUT / "mkdocs.yml")


def _digest(*roots: Path) -> str:
    digest = hashlib.sha256()
    for path in _files(*roots):
        try:
            status = path.stat()
        except FileNotFoundError:
            continue  # an editor's temporary file, gone again
        digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def _files(*roots: Path) -> Iterator[Path]:
    for root in roots:
        found = root.rglob("*") if root.is_dir() else [root]
        yield from sorted(path for path in found if path.is_file() and "__pycache__" not in path.parts)
