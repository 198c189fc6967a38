"""How a scenario says what it is about to do, beside its output: the truth of its case.

`told(...)` writes one JSON line to the file named by LAB_TRUTH just before the failure is made. It prints
nothing, and it is off the stack when the failure comes, so the recorded log holds no trace of it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path


def told(part: str | None, **process: str | int | None) -> None:
    """`part` is what the initiating line will hold (None: it writes none); `process` is who fails."""
    truth = os.environ.get("LAB_TRUTH")
    if truth is None:
        return
    known = {"pid": os.getpid(), **process}
    row = {"part": part, "process": {key: str(value) for key, value in known.items() if value is not None}}
    with Path(truth).open("a") as file:
        file.write(json.dumps(row) + "\n")
