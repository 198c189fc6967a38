"""The browser build: the matcher as it stands, beside Pyodide, its standard library and the index.

    assets/matcher/manifest.json      names of the files below, so that each can be cached for ever
    assets/matcher/library-<digest>.zip   what the matcher uses of the standard library
    assets/matcher/matcher-<digest>.zip
    assets/matcher/index-<digest>.json
    assets/matcher/nothing-<digest>.zip   empty, for Pyodide asks for a library of its own
    assets/matcher/pyodide-<version>/ Python for the browser, from the npm package

Both zips hold their files as they are: compressed as a whole they are a third smaller than file by file.
Where a host compresses no zip on the way, a page takes the sibling that `kb.site.compress` writes.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

from kb.site.byte_code import LIBRARY, archives

PACKAGE = Path(__file__).parents[1]  # kb/
PYODIDE = PACKAGE.parent / "node_modules" / "pyodide"
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
NOTHING = b"PK\5\6" + bytes(18)  # a zip's end, which is all that an empty one has
LOCK = "pyodide-lock.json"  # lists packages that could be loaded from elsewhere; ours lists none
EPOCH = (1980, 1, 1, 0, 0, 0)  # zip's earliest date: the same sources give the same bytes


@dataclass(frozen=True)
class BundleReport:
    """What was written: file (under assets/matcher) -> bytes."""

    sizes: dict[str, int]


def can_bundle(pyodide: Path = PYODIDE) -> bool:
    """Whether the npm package is there (`npm ci` brings it)."""
    return all((pyodide / name).is_file() for name in (*PYODIDE_FILES, LIBRARY, LOCK))


def bundle(index: bytes, target: Path, pyodide: Path = PYODIDE) -> BundleReport:
    """Write the browser build into `target` (assets/matcher). `index` is the compiled index as JSON."""
    packed = archives(matcher_sources(), pyodide)
    version = json.loads((pyodide / "package.json").read_text(encoding="utf-8"))["version"]
    lock = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))
    names = {
        "pyodide": f"pyodide-{version}/",
        "library": f"library-{digest(packed.library)}.zip",
        "matcher": f"matcher-{digest(packed.matcher)}.zip",
        "index": f"index-{digest(index)}.json",
        "nothing": f"nothing-{digest(NOTHING)}.zip",
    }
    folder = target / names["pyodide"]
    folder.mkdir(parents=True, exist_ok=True)
    for name in PYODIDE_FILES:
        shutil.copyfile(pyodide / name, folder / name)
    contents = {"library": packed.library, "matcher": packed.matcher, "index": index, "nothing": NOTHING}
    for name, content in contents.items():
        (target / names[name]).write_bytes(content)
    manifest = {**names, "lock": {"info": lock["info"], "packages": {}}}
    (target / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    files = (path for path in sorted(target.rglob("*")) if path.is_file())
    return BundleReport({path.relative_to(target).as_posix(): path.stat().st_size for path in files})


def matcher_sources() -> bytes:
    """`kb/__init__.py` and all of `kb/diagnose` and `kb/redact` as a zip that Python imports from."""
    folders = (PACKAGE / "diagnose", PACKAGE / "redact")
    sources = [
        PACKAGE / "__init__.py",
        *(path for folder in folders for path in sorted(folder.rglob("*.py"))),
    ]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for source in sources:
            name = source.relative_to(PACKAGE.parent).as_posix()
            archive.writestr(zipfile.ZipInfo(name, EPOCH), source.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def digest(data: bytes) -> str:
    """A short name for these bytes."""
    return hashlib.sha256(data).hexdigest()[:12]
