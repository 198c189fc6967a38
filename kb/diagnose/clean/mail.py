"""Mail: quoted-printable cuts lines with `=` at their end and writes `=3D` for an equals sign."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.octets import decoded
from kb.diagnose.clean.origin import edit, join, part
from kb.diagnose.clean.text import Line

_RUN = re.compile(r"(?:=[0-9A-F]{2})+")
_HEADER = re.compile(r"content-transfer-encoding: *quoted-printable", re.IGNORECASE)
_SIGN = re.compile(r"=(?:[\n\r]|3D)")
LONGEST = 77  # of a line of mail, with its "="
MOST_JOINED = 2_000


def is_printable(text: str) -> bool:
    """Whether a paste is quoted-printable: it says so, or has cut lines and written-out equals signs."""
    if _SIGN.search(text) is None:
        return False
    if _HEADER.search(text) is not None:
        return True
    return "=3D" in text and sum(1 for _ in re.finditer(r"[^=\s]=\r?\n[^\s=]", text)) > 1


def join_printable(lines: Sequence[Line]) -> list[Line]:
    """Lines as they were before they were mailed."""
    joined: list[Line] = []
    group: list[Line] = []
    for line in lines:
        if _is_cut(line.text) and len(group) < MOST_JOINED:
            group.append(part(line, 0, len(line.text) - 1))
            continue
        whole = join([*group, line]) if group else line
        group = []
        joined.append(_decoded(whole))
    return [*joined, _decoded(join(group))] if group else joined


def _is_cut(text: str) -> bool:
    """Whether a line goes on behind its "=". Headers end with "?=", rules are nothing but equals signs."""
    return text.endswith("=") and len(text) <= LONGEST and not text.endswith(("?=", "=="))


def _decoded(line: Line) -> Line:
    edits = list(decoded(line.text, _RUN)) if "=" in line.text else []
    return edit(line, edits) if edits else line
