"""UTF-8 that was read as Latin-1 or Windows-1252: `GrÃ¶ÃŸe` for a word, `â€œ` for an opening quote.

Put right only where the whole text is: then every character beyond ASCII belongs to a sequence of UTF-8,
which no other text does by chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.diagnose.clean.characters import readable
from kb.diagnose.clean.origin import Edit, edit, rewrite
from kb.diagnose.clean.text import Line

# What Windows-1252 shows for the octets from 0x80 on; it has none for five of them.
OCTETS = {
    ord(shown): octet for octet in range(0x80, 0xA0) if (shown := bytes([octet]).decode("cp1252", "ignore"))
}
_SIGN = re.compile("[\xc2-\xdf][\x80-\xbf\u0152-\u2122]|[\xe0-\xef][\x80-\xbf\u0152-\u2122]{2}")
_RUN = re.compile(r"[^\x00-\x7f]+")
# The last octet of a closing quote is one of the five, and many programs lose it.
_LOST = "\xe2\u20ac\ufffd"


def put_right(text: str) -> str | None:
    """The text as it was meant, or None when it was not misread. Quick for texts without a sign of it."""
    if text.isascii() or _SIGN.search(text) is None:
        return None
    try:
        return _decoded(text)
    except UnicodeError:
        return None


def mend_misread(lines: Sequence[Line]) -> list[Line]:
    """The lines of a misread text with the characters that were meant, each where its sequence begins."""
    return [_mended(line) for line in lines]


def _mended(line: Line) -> Line:
    if line.text.isascii():
        mended = line
    else:
        try:
            mended = edit(line, _edits(line.text))
        except UnicodeError:  # a long line whose middle was left out
            return line
    text = readable(mended.text)
    return mended if text is mended.text else rewrite(mended, text, mended.pieces)


def _edits(text: str) -> Iterator[Edit]:
    for run in _RUN.finditer(text):
        at = run.start()
        for character in _decoded(run[0]):
            length = len(character.encode())
            yield at, at + length, character
            at += length


def _decoded(text: str) -> str:
    """Raises UnicodeError for a text that is no misread UTF-8."""
    return text.replace(_LOST, _LOST[:2] + "\x9d").translate(OCTETS).encode("latin-1").decode("utf-8")
