"""HTML: entities, `<br>` and the tags that logs get when they are copied from a page's source."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.characters import readable
from kb.diagnose.clean.origin import Edit, edit, part
from kb.diagnose.clean.text import Line

_ENTITY = re.compile(
    r"&(?:#[xX](?P<hex>[0-9a-fA-F]{1,6})|#(?P<number>[0-9]{1,7})|(?P<name>[A-Za-z][A-Za-z0-9]{1,30}));"
)
# What tools write for the characters of logs; an unknown name stays as it is.
_NAMED = {
    "lt": "<", "gt": ">", "quot": '"', "apos": "'", "amp": "&", "nbsp": " ", "hellip": "\u2026",
    "ndash": "\u2013", "mdash": "\u2014", "lsquo": "\u2018", "rsquo": "\u2019", "ldquo": "\u201c",
    "rdquo": "\u201d", "times": "\xd7", "middot": "\xb7", "bull": "\u2022", "lbrack": "[", "rbrack": "]",
    "lsqb": "[", "rsqb": "]", "lbrace": "{", "rbrace": "}", "lcub": "{", "rcub": "}", "lowbar": "_",
    "colon": ":", "comma": ",", "period": ".", "equals": "=", "sol": "/", "bsol": "\\", "grave": "`",
    "num": "#", "percnt": "%", "lpar": "(", "rpar": ")", "plus": "+", "vert": "|", "verbar": "|",
}  # fmt: skip
_TAG = re.compile(
    r"</?(?:pre|code|span|div|p|br|font|b|i|em|strong|tt|samp|table|tbody|tr|td|details|summary|blockquote|a)"
    r"(?: [^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_BREAK = re.compile(r"<(?:br ?/?|/p|/div|/tr)>", re.IGNORECASE)
# A frame's "<module>" and "<lambda>" are no tags; these are the signs of a page.
# Each begins with one character: a pattern of both would look at every character instead of seeking it.
_ENTITY_SIGN = re.compile(r"&(?:lt|gt|quot|amp|nbsp|#39|#34|#x27);", re.IGNORECASE)
_TAG_SIGN = re.compile(r"<(?:br ?/?>|pre[ >])", re.IGNORECASE)


def is_markup(text: str) -> bool:
    """Whether a paste has escaped characters or tags of HTML."""
    return _ENTITY_SIGN.search(text) is not None or _TAG_SIGN.search(text) is not None


def take_out_markup(lines: Sequence[Line]) -> list[Line]:
    """Lines as a browser shows them."""
    shown: list[Line] = []
    for line in lines:
        shown += _broken(line) if "<" in line.text else [line]
    return [_unescaped(line) if "&" in line.text else line for line in shown]


def _broken(line: Line) -> list[Line]:
    """The line cut where a tag ends it, without tags. A tag at the very end opens no further line."""
    lines = []
    edits: list[Edit] = []
    at = 0
    for match in _TAG.finditer(line.text):
        if _BREAK.fullmatch(match[0]):
            lines.append(edit(part(line, at, match.start()), edits))
            edits = []
            at = match.end()
        else:
            edits.append((match.start() - at, match.end() - at, ""))
    if not lines and not edits:
        return [line]
    if at < len(line.text):
        lines.append(edit(part(line, at), edits))
    return lines


def _unescaped(line: Line) -> Line:
    edits = [(match.start(), match.end(), _character(match)) for match in _ENTITY.finditer(line.text)]
    return edit(line, [item for item in edits if item[2]])


def _character(match: re.Match[str]) -> str:
    if match["name"]:
        return _NAMED.get(match["name"], "")
    code = int(match["hex"], 16) if match["hex"] else int(match["number"])
    if code in (0, 10, 13) or code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return " "
    return readable(chr(code))
