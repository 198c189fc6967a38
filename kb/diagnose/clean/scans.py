"""Text that was read off a picture: `Traceback(most recent call last)`, `RuntimeErr0r`, `line l2`.

Only what marks a traceback is mended, one character for one; of a message nobody knows which 0 is an O.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import Edit, edit
from kb.diagnose.clean.text import Line

_HEADER = re.compile(r"Traceback ?\(?most ?recent ?call ?last\)?:?")
WHOLE = "Traceback (most recent call last):"
_CLASS = re.compile(r"(?:^|(?<=[\s.:]))[\w.]{0,80}?(?P<end>Err0r|Excepti0n)(?=:|\s*$)")
_ENDS = {"Err0r": "Error", "Excepti0n": "Exception"}
_FRAME = re.compile(
    r'\s*Fi[l1I]e ?"[^"]{1,300}", ?[l1I]ine ?(?P<number>[\dlIO]{1,7}),(?P<blank> ?)in ?(?=\S)'
)
_DIGITS = str.maketrans("lIO", "110")


def is_scanned(text: str) -> bool:
    """Whether a paste has marks of a traceback that only a reader of pictures writes."""
    return "Err0r" in text or "Traceback(most" in text


def mend_scans(lines: Sequence[Line]) -> list[Line]:
    """Lines with headers, frames and classes as Python writes them."""
    return [edit(line, edits) if (edits := _edits(line.text)) else line for line in lines]


def _edits(text: str) -> list[Edit]:
    header = _HEADER.match(text.lstrip())
    if header is not None:
        start = len(text) - len(text.lstrip())
        return [] if header[0] == WHOLE else [(start, start + header.end(), WHOLE)]
    if (frame := _FRAME.match(text)) is not None:
        start = text.index('"')
        path = text[start + 1 : text.index('"', start + 1)]
        return [(0, frame.end(), f'  File "{path}", line {frame["number"].translate(_DIGITS)}, in ')]
    return [(match.start("end"), match.end("end"), _ENDS[match["end"]]) for match in _CLASS.finditer(text)]
