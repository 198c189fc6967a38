"""Terminal escapes: colours, titles, cursor moves, backspaces. They carry nothing but looks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import Edit, edit, without
from kb.diagnose.clean.text import Line

_ESCAPE = re.compile(
    r"""\x1b(?:
        \[[0-?]*[ -/]*[@-~]?                    # CSI: colours, cursor
        | \][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)? # OSC: window titles, links around paths
        | [PX^_][^\x1b]{0,2000}(?:\x1b\\)?      # DCS, SOS, PM, APC
        | [#%()*+./-][0-~]                      # character sets
        | [78=>cDEHMZ]?                         # what is one letter
    )
    | \x9b[0-?]*[ -/]*[@-~]?""",
    re.VERBOSE,
)
# Issue trackers and web consoles lose the escape character itself or spell it out, and leave
# "[36m(RayWorkerWrapper pid=311)[0m". Bare ones only where a reset stands in the paste too: "[5m]" is
# PromQL, "[0ms" a duration.
_SPELLED = re.compile(
    r"""(?:\\x1[bB]|\\u001[bB]|\\033|\#033|\\e|\^\[|\u241b)\[[0-9;?]{0,20}[A-Za-z]
    | \[[0-9]{1,3}(?:;[0-9]{1,3}){0,8}m(?!\]|s\b|in\b)""",
    re.VERBOSE,
)
_RESET = re.compile(r"\[(?:0|39|00)m")
_LEADS = ("\u241b[", "^[[", "#033[")
_SLASHED = (r"\x1b[", r"\x1B[", r"\u001b[", r"\u001B[", r"\033[", r"\e[")


def escaped(text: str) -> bool:
    """Whether the paste has real or spelled-out escapes, or backspaces."""
    return "\x1b" in text or "\x9b" in text or "\b" in text or _spelled(text)


def _spelled(text: str) -> bool:
    if _RESET.search(text) is not None:
        return True
    # One character is found much faster than several.
    leads = [sign for sign in _LEADS if sign[0] in text] + (list(_SLASHED) if "\\" in text else [])
    return any(sign in text for sign in leads)


def take_out_escapes(lines: Sequence[Line]) -> list[Line]:
    """Lines as the terminal's reader saw them."""
    # The real ones first: "\x1b[0m" would leave its first character to the spelled-out ones.
    plain = [without(line, _ESCAPE) for line in lines]
    if any(_spelled(line.text) for line in plain):
        plain = [without(line, _SPELLED) for line in plain]
    return [edit(line, _erased(line.text)) if "\b" in line.text else line for line in plain]


def _erased(text: str) -> list[Edit]:
    """What backspaces wipe out: Keras draws "10/60 [=>...]" and goes back over it."""
    kept: list[int] = []
    for offset, character in enumerate(text):
        if character != "\b":
            kept.append(offset)
        elif kept:
            kept.pop()
    edits = []
    at = 0
    for offset in [*kept, len(text)]:
        if offset > at:
            edits.append((at, offset, ""))
        at = offset + 1
    return edits
