"""`tail` over several files: `==> /runs/a/rank2/stderr.log <==` stands before the lines of each.

The file's name tells who wrote them: its rank where it names one, else the name itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import part, tell
from kb.diagnose.clean.text import UNKNOWN_PROCESS, Line
from kb.diagnose.clean.told import who_in

_HEADING = re.compile(r"==> (?P<path>\S.{0,500}?) <==\s*$")
_HEADINGS = re.compile(r"(?m)^==> \S.{0,500}? <==\s*$")


def has_headings(text: str) -> bool:
    """Whether a paste has such headings."""
    return "==> " in text and _HEADINGS.search(text) is not None


def read_headings(lines: Sequence[Line]) -> list[Line]:
    """Lines that know the file that they stand in; a heading becomes a blank line."""
    told: list[Line] = []
    process = UNKNOWN_PROCESS
    for line in lines:
        heading = _HEADING.match(line.text)
        if heading is not None:
            path = heading["path"]
            process = who_in(path, UNKNOWN_PROCESS)
            if not process.known():
                process = process._replace(role=path.rpartition("/")[2])
            told.append(part(line, 0, 0))
        else:
            told.append(tell(line, {"process": process}) if process.known() else line)
    return told
