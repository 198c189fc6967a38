"""Sources in a zip -> byte code in a zip. Runs in the browser's own Python, which `pack.mjs` starts.

Byte code belongs to one Python, and the browser's is rarely the builder's. It is packed without docstrings
and asserts, dated and ordered always the same, and with a header that asks for no comparison with a source,
for no source goes along. The zips are not compressed: they are as a whole, on the way. Standard library
alone.
"""

from __future__ import annotations

import importlib
import io
import marshal
import sys
import zipfile
from collections.abc import Collection
from importlib.util import MAGIC_NUMBER

EPOCH = (1980, 1, 1, 0, 0, 0)  # zip's earliest date: the same sources give the same bytes
HEADER = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)  # known by a hash that nobody checks


def both(program: str) -> bytes:
    """A zip of two: library.zip with what a program needs, matcher.zip with the program itself."""
    result = io.BytesIO()
    parts = {"library.zip": pack(library(), used(program, library())), "matcher.zip": pack(program)}
    with zipfile.ZipFile(result, "w") as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content)
    return result.getvalue()


def library() -> str:
    """Where this Python has its standard library: one zip."""
    name = f"python{sys.version_info.major}{sys.version_info.minor}.zip"
    return next(path for path in sys.path if path.endswith(name))


def used(program: str, library: str) -> frozenset[str]:
    """The files of the zip `library` that are imported once every module of the zip `program` is.

    What the interpreter itself imported before is among them. Both zips are on Python's path.
    """
    with zipfile.ZipFile(program) as archive:
        for name in archive.namelist():
            if name.endswith(".py"):
                importlib.import_module(name[: -len(".py")].removesuffix("/__init__").replace("/", "."))
    origins = [str(getattr(module.__spec__, "origin", None)) for module in list(sys.modules.values())]
    inside = f"{library}/"
    return frozenset(each.removeprefix(inside) for each in origins if each.startswith(inside))


def pack(archive: str, wanted: Collection[str] | None = None) -> bytes:
    """The modules of a zip as byte code: all, or those whose files are `wanted`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(archive) as sources, zipfile.ZipFile(packed, "w") as target:
        for name in sorted(sources.namelist()):
            if name.endswith(".py") and (wanted is None or name in wanted):
                code = compile(sources.read(name), f"{archive}/{name}", "exec", dont_inherit=True, optimize=2)
                info = zipfile.ZipInfo(f"{name}c", EPOCH)
                target.writestr(info, HEADER + marshal.dumps(code))
    return packed.getvalue()
