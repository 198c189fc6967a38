"""Take the noise off a paste: `clean(text) -> CleanText`.

The steps run in a fixed order, each on the lines that the one before left. A step whose signs are not in the
paste does not run, so an ordinary log pays for little more than its prefixes. No step raises on odd text, and
each keeps the way back: `Line.locate` gives line and column of the paste as handed in.
"""

from __future__ import annotations

from kb.diagnose.clean.characters import noisy, readable, take_out_noise
from kb.diagnose.clean.escapes import escaped, take_out_escapes
from kb.diagnose.clean.prefixes import strip_prefixes
from kb.diagnose.clean.split import split
from kb.diagnose.clean.text import CleanText

__all__ = ["clean"]


def clean(text: str) -> CleanText:
    """The lines of a paste without escapes, envelopes and prefixes, each knowing its place and its writer."""
    shown = readable(text)
    pieces = split(text, shown)
    lines = pieces.lines
    notes = [] if shown is text else ["look-alikes"]
    if escaped(shown):
        lines = take_out_escapes(lines)
        notes.append("escapes")
    if noisy(shown):
        lines = take_out_noise(lines)
        notes.append("noise")
    lines = strip_prefixes(lines)
    return CleanText(tuple(lines), pieces.paste, len(text), pieces.truncated, tuple(notes))
