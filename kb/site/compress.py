"""Beside every file that shrinks, the same file compressed: `.gz`, and `.br` where Node.js is there.

Servers that know such siblings (ours, nginx, Caddy) send them as they are. Compressing Python for the browser
as well as brotli can takes twenty seconds and is done once; pages change with every build and are done fast.
"""

from __future__ import annotations

import gzip
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from kb.site.kept import kept

SCRIPT = Path(__file__).parent / "browser_build" / "brotli.mjs"
SHRINKS = {".css", ".html", ".js", ".json", ".md", ".mjs", ".svg", ".txt", ".wasm", ".xml", ".zip"}
SMALLEST = 1024  # bytes; below it the header costs what is won
LARGE = 500_000  # bytes; from here on a file is compressed once, as well as can be
BEST, QUICK = 11, 5  # qualities of brotli


def compress(site: Path) -> None:
    """Write the compressed siblings of all files of a site."""
    files = [path for path in sorted(site.rglob("*")) if path.suffix in SHRINKS and path.is_file()]
    sizes = {path: path.stat().st_size for path in files}
    with_brotli = shutil.which("node") is not None
    for path in (path for path, size in sizes.items() if size >= LARGE):
        once(path, ".gz", zipped)
        if with_brotli:
            once(path, ".br", lambda path: brotli([path], BEST))
    small = [path for path, size in sizes.items() if SMALLEST <= size < LARGE]
    for path in small:
        zipped(path)
    if with_brotli:
        brotli(small, QUICK)


def once(path: Path, suffix: str, write: Callable[[Path], None]) -> None:
    """A sibling that `write` makes, unless it was made before of the same content."""
    sibling = Path(f"{path}{suffix}")

    def made() -> bytes:
        write(path)
        return sibling.read_bytes()

    sibling.write_bytes(kept(made, path.read_bytes(), suffix.encode()))


def zipped(path: Path) -> None:
    """Write the sibling for gzip."""
    Path(f"{path}.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))


def brotli(paths: Iterable[Path], quality: int) -> None:
    """Write the siblings for brotli."""
    names = "\n".join(str(path.resolve()) for path in paths)
    subprocess.run(["node", SCRIPT, str(quality)], input=names, text=True, check=True)
