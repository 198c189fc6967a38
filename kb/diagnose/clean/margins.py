"""Signs at the left of tracebacks: exception groups, pytest, IPython, loguru and better-exceptions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import edit, part
from kb.diagnose.clean.text import Line

# Exception groups: "  + Exception Group Traceback", "  |   File ...", "  +-+------ 1 ------"
_GROUP = re.compile(r" *(?:\| (?=.)|\|$|\+ (?=Exception Group)|\+-(?=\+-{4})|(?=\+-{4}))")
# pytest: "E   ValueError: ...", ">       engine.add(request)"
_ASSERTED = re.compile(r"(?:E(?: {3}| *$))|>(?= {3,})")
_NUMBERED = re.compile(r"(?P<arrow>-{1,5}> ?)?[ ]{0,8}(?P<number>\d{1,6})(?: |$)")
_ARROW = re.compile(r"-> ?\d{1,6}(?:\s|$)")
# loguru and better-exceptions hang values below the source line.
_HANGING = re.compile(r"\s+(?:\u2502\s+)*\u2514 ?|\s+\u2502[\s\u2502]*$")
_RAISING = re.compile(r"> (?=File \")")


def has_groups(text: str) -> bool:
    """Whether a paste has an exception group."""
    if "+" not in text and "|" not in text:  # no margin to strip
        return False
    return "Exception Group Traceback" in text or "+-+---" in text or "sub-exception" in text


def strip_group_margins(lines: Sequence[Line]) -> list[Line]:
    """Lines of exception groups without margins. `+---- 2 ----` stays and parts exceptions."""
    return [_without(line, _GROUP) if line.text.lstrip()[:1] in ("|", "+") else line for line in lines]


def is_pytest(text: str) -> bool:
    """Whether a paste is the report of failed tests."""
    return "E   " in text


def strip_pytest_margins(lines: Sequence[Line]) -> list[Line]:
    """Lines without pytest's `E` and `>`."""
    return [_without(line, _ASSERTED) if line.text[:1] in ("E", ">") else line for line in lines]


def is_notebook(text: str) -> bool:
    """Whether a paste has IPython's arrows."""
    return "-> " in text and _ARROW.search(text) is not None


def strip_arrows(lines: Sequence[Line]) -> list[Line]:
    """Lines with only the source line of each of IPython's frames left, without its number."""
    kept: list[Line] = []
    at = 0
    while at < len(lines):
        end = _run(lines, at)
        run = lines[at:end]
        arrows = [line for line in run if line.text.startswith("-")]
        if arrows:
            kept += [_source(line) for line in arrows]
        else:
            kept += run
            if end == at:
                kept.append(lines[at])
        at = max(end, at + 1)
    return kept


def _run(lines: Sequence[Line], at: int) -> int:
    """End of the run of numbered lines, with rising numbers, that starts here."""
    last = -1
    while at < len(lines) and (match := _NUMBERED.match(lines[at].text)) is not None:
        number = int(match["number"])
        if number <= last:
            break
        last = number
        at += 1
    return at


def _source(line: Line) -> Line:
    match = _NUMBERED.match(line.text)
    return line if match is None else part(line, match.end())


def has_values(text: str) -> bool:
    """Whether a paste has values hanging below source lines."""
    return "\u2514" in text or "\n> File " in text


def strip_values(lines: Sequence[Line]) -> list[Line]:
    """Lines without hanging values; loguru's mark of the raising frame becomes the frame's indentation."""
    kept = [line for line in lines if not _HANGING.match(line.text)]
    return [edit(line, [(0, 1, " ")]) if _RAISING.match(line.text) else line for line in kept]


def _without(line: Line, pattern: re.Pattern[str]) -> Line:
    match = pattern.match(line.text)
    return part(line, match.end()) if match is not None and match.end() else line
