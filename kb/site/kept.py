"""What is slow to make and hangs on its inputs alone is made once and kept beside the npm packages.

`node_modules/.cache` is where tools of that world keep such things, and goes when the packages are installed
anew. Where it cannot be written everything still works, slowly.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

FOLDER = Path(__file__).parents[2] / "node_modules" / ".cache" / "faultbook"
UNUSED = 30 * 24 * 3600  # seconds after which a result that nobody asked for is removed


def kept(make: Callable[[], bytes], *inputs: bytes, folder: Path = FOLDER) -> bytes:
    """What `make` gives for these inputs, from an earlier call if there was one."""
    path = folder / digest(*inputs)
    try:
        result = path.read_bytes()
    except OSError:
        result = make()
        with suppress(OSError):
            write_whole(path, result)
        return result
    with suppress(OSError):
        os.utime(path)
    return result


def digest(*inputs: bytes) -> str:
    """A name for these inputs, in this order and cut in this way."""
    return hashlib.sha256(b"".join(hashlib.sha256(each).digest() for each in inputs)).hexdigest()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that others may read meanwhile, and remove the ones that were long unused."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        file.write(content)
    Path(file.name).replace(path)
    for other in path.parent.iterdir():
        if time.time() - other.stat().st_mtime > UNUSED:
            other.unlink(missing_ok=True)
