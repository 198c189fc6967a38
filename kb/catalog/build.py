"""Write what the entries compile to.

    <out>/index.json           what the matcher loads
    <out>/entries/<id>.json    the whole entry, for pages, API and search
    <out>/checks/<id>.json     a check

and the JSON Schemas that editors read, which lie beside the entries, so that a fresh clone has them.

Every file is written whole or not at all, so that a server that reads the folder never meets half a file.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from kb.catalog.compiler import Compiled, compile_catalog
from kb.catalog.index_form import index_text
from kb.catalog.loader import Catalog
from kb.catalog.schema import SCHEMAS, check_schema, entry_schema


def write_catalog(catalog: Catalog, out: Path) -> Compiled:
    """Compile a catalog into a folder. Entries that cannot be compiled are left out and their problems told.

    The index comes last: whoever sees a new index finds the entries that it names.
    """
    compiled = compile_catalog(catalog)
    _write_folder(out / "entries", compiled.entries)
    _write_folder(out / "checks", compiled.checks)
    write_whole(out / "index.json", index_text(compiled.index))
    return compiled


def write_schemas(entries: Path) -> Path:
    """Write the schemas of entries and checks into the folder of entries; return where they lie."""
    folder = entries / SCHEMAS
    _write_folder(folder, {"entry": entry_schema(), "check": check_schema()})
    return folder


def _write_folder(folder: Path, values: dict[str, dict[str, Any]]) -> None:
    """The values as JSON files; files of values that are no more are removed."""
    for name, value in values.items():
        write_whole(folder / f"{name}.json", json.dumps(value, ensure_ascii=False, indent=1) + "\n")
    for path in folder.glob("*.json"):
        if path.stem not in values:
            path.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that others see the old or the new one, never a part. An unchanged file stays."""
    data = text.encode()
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
