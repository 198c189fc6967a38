"""The matcher and its standard library as byte code of the browser's own Python.

Python starts three times faster in a page when it need not compile, and the matcher uses a fifth of the
standard library. Node.js runs the browser's Python for it; without it the sources go out as they are.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from kb.site.generate import SiteFailed
from kb.site.kept import kept

TOOLS = Path(__file__).parent / "browser_build"
SCRIPT = TOOLS / "pack.mjs"
PACKING = TOOLS / "packing.py"
LIBRARY = "python_stdlib.zip"  # in the npm package


@dataclass(frozen=True)
class Archives:
    """Two zips that Python imports from."""

    library: bytes
    matcher: bytes


def archives(sources: bytes, pyodide: Path) -> Archives:
    """The standard library and the matcher for a page, from a zip of the matcher and the npm package.

    Raises SiteFailed when Node.js is there and cannot do it.
    """
    if shutil.which("node") is None:
        return Archives((pyodide / LIBRARY).read_bytes(), sources)
    release = (pyodide / "package.json").read_bytes()
    packed = kept(
        lambda: compiled(sources, pyodide), sources, release, SCRIPT.read_bytes(), PACKING.read_bytes()
    )
    with zipfile.ZipFile(io.BytesIO(packed)) as both:
        return Archives(both.read("library.zip"), both.read("matcher.zip"))


def compiled(sources: bytes, pyodide: Path) -> bytes:
    """A zip of both, made by the browser's Python."""
    with TemporaryDirectory() as folder:
        given, out = Path(folder, "sources.zip"), Path(folder, "both.zip")
        given.write_bytes(sources)
        command = ["node", *map(str, (SCRIPT, pyodide, given, PACKING, out))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said = "\n".join(line[:200] for line in done.stderr.splitlines()[-12:])
            raise SiteFailed(f"Node.js could not compile the matcher for the browser:\n{said}")
        return out.read_bytes()
