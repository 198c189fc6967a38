"""UTF-16 that was read byte by byte: `T\\0r\\0a\\0c\\0e\\0`, with or without its mark, in either byte order.

Windows' shells write it when output goes to a file. Between ASCII letters stand NULs; any other character is
two odd ones (`SO` or `B\\x04`), so taking out the NULs is not enough.
"""

from __future__ import annotations

import re

from kb.diagnose.clean.characters import tidy
from kb.diagnose.clean.misread import OCTETS
from kb.diagnose.clean.split import LONGEST_LINE, MOST_CHARACTERS
from kb.diagnose.clean.text import Line, Piece

MARKS = ("\xff\xfe", "\xfe\xff")
SAMPLE = 8192  # characters that tell the byte order
FEWEST = 8  # NULs in them
SHARE = 0.2  # of the pairs have a NUL: letters of ASCII among others
RARE = 20  # NULs on the right side for each on the wrong one
_END = re.compile(r"\r\n|\r|\n")
_ENDS = "\r\n"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def read_utf16(text: str) -> str | None:
    """The text as it was meant, or None when it is no UTF-16."""
    if "\0" not in text or len(text) > MOST_CHARACTERS:
        return None
    start = _start(text)
    encoding = _encoding(text[start : start + SAMPLE])
    if encoding is None:
        return None
    try:
        octets = text[start:].translate(OCTETS).encode("latin-1")
    except UnicodeError:
        return None
    return octets[: len(octets) // 2 * 2].decode(encoding, "replace")


def utf16_lines(text: str, meant: str) -> list[Line]:
    """The lines of `meant`, each character where its first byte stands in the paste."""
    ends = [match.end() for match in _END.finditer(text)]
    at = _start(text)
    row = begin = 0  # the paste's line (from 0), and where it begins
    lines: list[Line] = []
    for line in _LINE.findall(meant):
        pieces: list[Piece] = []
        for offset, character in enumerate(line):
            while row < len(ends) and ends[row] <= at:
                begin = ends[row]
                row += 1
            if text[at] in _ENDS and character not in _ENDS and row < len(ends):
                pieces.append(Piece(offset, row + 2, 0))  # its second byte stands on the next line
            else:
                pieces.append(Piece(offset, row + 1, at - begin))
            at += 4 if ord(character) > 0xFFFF else 2
        shown = line.rstrip("\r\n")[:LONGEST_LINE]
        lines.append(tidy(Line(shown, tuple(pieces[: max(len(shown), 1)]))))
    return lines


def _start(text: str) -> int:
    return 2 if text.startswith(MARKS) else 0


def _encoding(sample: str) -> str | None:
    """The byte order by the side of each pair on which the NULs stand."""
    high, low = sample[::2].count("\0"), sample[1::2].count("\0")
    most = max(high, low)
    if most < FEWEST or most < SHARE * len(sample) / 2 or min(high, low) * RARE > most:
        return None
    return "utf-16-be" if high > low else "utf-16-le"
