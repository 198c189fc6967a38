"""Tables with a column for the status: Triton says there, folded into cells, why a model did not load.

Each row becomes its status on one line, known by the model's name; an unavailable model is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import join, part, tell
from kb.diagnose.clean.text import Line

_RULE = re.compile(r"\+(?:-{3,}\+){2,12}\s*$")
_STATUS = re.compile(r"\|[^|]{1,200}\|.{0,400}\| Status +\|\s*$")
MOST_ROWS = 2_000


def has_tables(text: str) -> bool:
    """Whether a paste has a table with a status."""
    return "| Status " in text and "--+" in text


def open_tables(lines: Sequence[Line]) -> list[Line]:
    """Lines with the rows of status tables in place of their drawing."""
    opened: list[Line] = []
    at = 0
    while at < len(lines):
        if at + 2 < len(lines) and _RULE.match(lines[at].text) and _STATUS.match(lines[at + 1].text):
            rows, at = _rows(lines, at)
            opened += rows
        else:
            opened.append(lines[at])
            at += 1
    return opened


def _rows(lines: Sequence[Line], at: int) -> tuple[list[Line], int]:
    """The rows of the table whose upper rule stands at `at`, and where the table ends."""
    columns = [offset for offset, character in enumerate(lines[at].text) if character == "+"]
    rows: list[list[Line]] = []
    names: list[str] = []
    end = at + 2
    while end < len(lines) and end - at < MOST_ROWS and lines[end].text.startswith(("|", "+")):
        line = lines[end]
        end += 1
        if _RULE.match(line.text):
            continue
        name = line.text[1 : columns[1]].strip()
        if name or not rows:
            rows.append([])
            names.append(name)
        rows[-1].append(line)
    return [_status(row, columns, name) for row, name in zip(rows, names, strict=True)], end


def _status(row: Sequence[Line], columns: Sequence[int], name: str) -> Line:
    """The status of a row, put together from its cells."""
    left, right = columns[-2] + 1, columns[-1]
    cells = []
    for line in row:
        cell = line.text[left:right]
        start = left + len(cell) - len(cell.lstrip())
        cells.append(part(line, start, max(start, left + len(cell.rstrip()))))
    glue = ["" if len(cell.text) >= right - left - 2 else " " for cell in cells[:-1]]
    whole = join(cells, glue)
    failed = whole.text.startswith("UNAVAILABLE")
    return tell(whole, {"logger": name or None, "level": "error" if failed else whole.level})
