r"""Tracebacks inside strings: `\n` for the ends of lines, in Python's repr, in JSON, or twice escaped.

A string is opened only where a traceback, a frame, an exception or a record follows a written-out line end,
or it is named as a program's output: paths of Windows have `\n` too. rsyslog writes `#012` for the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.diagnose.clean.origin import Edit, edit, part
from kb.diagnose.clean.text import Line

_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)"
)
_ONE = {"t": "\t", "b": "\b", "f": " ", "0": "", "a": "", "v": " "}
_BREAK = re.compile(
    r"""(?P<slashes>\\{1,8})(?:r\\{1,8})?n(?:
        \ *File\ \\*" | \ *\|\ | Traceback\ \(most | \\+n(?:During\ handling|The\ above\ exc|Traceback)
        | (?:[A-Za-z_]\w{0,40}\.){0,8}[A-Za-z_]\w{0,60}(?:Error|Exception)(?![A-Za-z])
        | \[rank\d{1,5}\]: | \([\w.:-]{1,60}\ pid=\d | (?:INFO|WARNING|ERROR)\ \d\d-\d\d\ \d\d:
        | \[?\d{4}-\d\d-\d\d[T\ ]\d\d: | (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\ [\ \d]\d\ \d\d:
        )
    | (?:call\ last\):|call\ first\):)(?P<more>\\{1,8})(?:r\\{1,8})?n""",
    re.VERBOSE,
)
# `CompletedProcess(args=[...], returncode=1, stdout='', stderr='bash: nvcc: command not found\n')`
_OUTPUT = re.compile(
    r"(?:\b|_)(?:stdout|stderr|output)[\"']?\s?[=:]\s?b?[\"'](?:[^\"'\\]|\\[^n]){1,2000}+(?P<slashes>\\{1,8})n"
)
# `OSError: You are trying to access a gated repo.\nMake sure to have access`: sentences of one message.
_MESSAGE = re.compile(
    r"\w(?:Error|Exception): (?:[^\"\\]|\\[^n]){1,2000}+(?<=[.!?)])(?P<slashes>\\{1,8})n(?=[A-Z0-9\\])"
)
_SYSLOG = re.compile(r"#01[12]")
_SYSLOG_SIGN = re.compile(r"#012(?: *File \"| {2,}|Traceback|[\w.]{1,80}(?:Error|Exception)|at |#01)")
MOST_LAYERS = 4


def has_breaks(text: str) -> bool:
    """Whether a text has written-out line ends of a traceback."""
    return ("\\n" in text and _first_break(text) is not None) or ("#012" in text and _has_numbers(text))


def _first_break(text: str) -> re.Match[str] | None:
    return _BREAK.search(text) or _OUTPUT.search(text) or _MESSAGE.search(text)


def _has_numbers(text: str) -> bool:
    return text.count("#012") > 1 or _SYSLOG_SIGN.search(text) is not None


def open_strings(line: Line) -> list[Line]:
    """The line in front of the string, the string's lines, and what stands behind it."""
    if "#012" in line.text and _has_numbers(line.text):
        return _cut_at_numbers(line)
    match = _first_break(line.text)
    if match is None:
        return [line]
    group = "slashes" if match["slashes"] else "more"
    slashes = len(match[group])
    start, end = _string(line.text, match.start(group), slashes - 1)
    head = part(line, 0, start)
    lines = _content(line, start, end, slashes)
    # traceback.format_exception gives a list of strings, one for each frame.
    while (following := _NEXT.match(line.text, end)) is not None:
        start, end = following.end(), _closing(line.text, following.end(), slashes - 1, following["opening"])
        lines += _content(line, start, end, slashes)
    tail = part(line, end)
    return [
        *([head] if head.text.strip() else []),
        *lines,
        *([tail] if any(character.isalpha() for character in tail.text) else []),
    ]


def _content(line: Line, start: int, end: int, slashes: int) -> list[Line]:
    """The lines of a string's content, all layers of escapes undone."""
    lines = unescaped(line, start, end)
    for _ in range(slashes.bit_length() - 1):
        lines = [inner for outer in lines for inner in unescaped(outer, 0, len(outer.text))]
    return lines


def unescaped(line: Line, start: int, end: int) -> list[Line]:
    """The lines that a string's content stands for, one layer of escapes undone."""
    edits: list[Edit] = []
    lines = []
    text = line.text
    at = start
    for match in _ESCAPE.finditer(text, start, end):
        letter = text[match.start() + 1]
        if letter in "nr":
            if letter == "r" and text.startswith("\\n", match.end()):
                edits.append((match.start() - at, match.end() - at, ""))
                continue
            lines.append(_edited(line, at, match.start(), edits))
            edits = []
            at = match.end()
        else:
            edits.append((match.start() - at, match.end() - at, _character(match[0])))
    if at < end or not lines:
        lines.append(_edited(line, at, end, edits))
    return lines


def _edited(line: Line, start: int, end: int, edits: list[Edit]) -> Line:
    stretch = part(line, start, end)
    return edit(stretch, edits) if edits else stretch


def _character(escape: str) -> str:
    letter = escape[1]
    if letter in "ux" and len(escape) > 2:
        if len(escape) > 6:
            high, low = int(escape[2:6], 16), int(escape[8:], 16)
            return chr(0x10000 + ((high & 0x3FF) << 10 | low & 0x3FF))
        digits = escape[2:]
        code = int(digits, 16)
        return chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd"
    return _ONE.get(letter, letter)


def _string(text: str, at: int, slashes: int) -> tuple[int, int]:
    """From where to where the string goes that has a written-out line end at `at`.

    Its quotes bear one backslash less than the line end does: none in `"a\\nb"`, one in `\\"a\\\\nb\\"`.
    Without an opening quote it is the whole text.
    """
    opening = None
    for match in _quotes(text, 0, at, slashes):
        before = text[: match.start()].rstrip("bBrRuUfF")[-1:]
        if opening is not None and match["quote"] == opening["quote"]:
            opening = None
        elif opening is None and not (before.isalnum() or before in "_)]"):
            opening = match
    if opening is None:
        return 0, len(text)
    return opening.end(), _closing(text, at, slashes, opening["quote"])


def _closing(text: str, at: int, slashes: int, quote: str) -> int:
    """Where the string ends that is open at `at`: at its quote, or where the text is cut off."""
    for match in _quotes(text, at, len(text), slashes):
        if match["quote"] == quote:
            return match.start()
    return len(text)


_NEXT = re.compile(r"\\*[\"'], \\*(?P<opening>[\"'])")
_QUOTE = re.compile(r"(?<!\\)(?P<slashes>\\*)(?P<quote>[\"'])")


def _quotes(text: str, start: int, end: int, slashes: int) -> Iterator[re.Match[str]]:
    for match in _QUOTE.finditer(text, start, end):
        if len(match["slashes"]) == slashes:
            yield match


def _cut_at_numbers(line: Line) -> list[Line]:
    """rsyslog: #012 is the end of a line, #011 a tab."""
    lines = []
    edits: list[Edit] = []
    at = 0
    for match in _SYSLOG.finditer(line.text):
        if match[0] == "#011":
            edits.append((match.start() - at, match.end() - at, "\t"))
            continue
        lines.append(_edited(line, at, match.start(), edits))
        edits = []
        at = match.end()
    if at < len(line.text):
        lines.append(_edited(line, at, len(line.text), edits))
    return lines
