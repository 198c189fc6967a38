"""The search index on disk: written whole, checked whole before it is opened.

Opening a Whoosh index unpickles parts of it, so only an index that `kb build` wrote may be opened: a manifest
beside it names every file with its digest, the files are read once, compared, and opened from memory. A half
written, exchanged or damaged file is refused before Whoosh sees it; files that the manifest does not name are
never touched. (Whoever can write files and manifest can write our code too; this is no guard against them.)
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from whoosh.analysis import SpaceSeparatedTokenizer
from whoosh.fields import STORED, TEXT, Schema
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.index import FileIndex

from kb.search.find import FIELDS, WordSearch

FORM = "1.0"
MANIFEST = "manifest.json"


class BrokenSearch(ValueError):
    """The search index cannot be used; the text says why and what to do."""


def schema() -> Schema:
    """One scored field for each kind of text, of words made by `kb.search.words`; and what a result shows."""
    text = {field: TEXT(analyzer=SpaceSeparatedTokenizer(), phrase=False) for field in FIELDS}
    return Schema(shown=STORED(), **text)


@contextmanager
def writing(out: Path) -> Iterator[Any]:
    """Yields a Whoosh writer; what was written becomes the folder `out`, or nothing does when that fails."""
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(mkdtemp(dir=out.parent, prefix=f".{out.name}."))
    try:
        writer = FileStorage(str(fresh)).create_index(schema()).writer()
        try:
            yield writer
        except BaseException:
            writer.cancel()
            raise
        writer.commit(optimize=True)
        write_manifest(fresh)
        fresh.chmod(0o755)
        exchange(fresh, out)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def exchange(fresh: Path, out: Path) -> None:
    """Put a folder in the place of another; between the two renames, for an instant, nothing is there."""
    old = Path(mkdtemp(dir=out.parent, prefix=f".{out.name}.old."))
    if out.exists():
        out.replace(old / out.name)
    fresh.replace(out)
    shutil.rmtree(old, ignore_errors=True)


def write_manifest(folder: Path) -> None:
    """Name every file of a finished index with its digest; what Whoosh left of its work is removed."""
    digests: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix in {".toc", ".seg"}:
            digests[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            path.unlink()
    manifest = {"form": FORM, "files": digests}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def open_search(folder: Path) -> WordSearch:
    """The search over the index in a folder. Raises BrokenSearch with what to do when it cannot be used."""
    storage = RamStorage()
    for name, digest in read_manifest(folder).items():
        content = read_bytes(folder / name)
        if hashlib.sha256(content).hexdigest() != digest:
            raise BrokenSearch(f"{folder / name} is not the file that was built; run `kb build`")
        storage.files[name] = content
    return WordSearch(FileIndex(storage, schema=schema()))


def read_manifest(folder: Path) -> dict[str, str]:
    """File name -> SHA-256, of every file of the index."""
    try:
        manifest: Any = json.loads(read_bytes(folder / MANIFEST))
        form, files = manifest["form"], dict(manifest["files"])
    except (ValueError, TypeError, KeyError) as error:
        if isinstance(error, BrokenSearch):
            raise
        raise BrokenSearch(f"{folder / MANIFEST} is no manifest of a search index; run `kb build`") from error
    if form != FORM:
        raise BrokenSearch(f"the search index has form {form!r}, this reader reads {FORM!r}; run `kb build`")
    if any(Path(name).name != name for name in files):
        raise BrokenSearch(f"{folder / MANIFEST} names files outside its folder; run `kb build`")
    return files


def read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BrokenSearch(f"no search index: {path} ({error.strerror}); run `kb build`") from error
