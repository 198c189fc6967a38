"""Lines that only show messages: a diff's, and those of a test run that passed.

What an error in them says happened nowhere, or was wanted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.text import Line
from kb.diagnose.words import WordMap

HUNK = re.compile(r"\s*@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_ONLY_NEW, _ONLY_OLD = ("+", "\\"), ("-", "\\")
# pytest: `==== 2 passed, 1 skipped in 0.81s ====`, with -q without the bars.
SUMMARY = re.compile(r"\s*(?:=+\s*)?(?P<counts>\d{1,9} \w+(?:, \d{1,9} \w+)*) in \d[\d.]*s\b")
FAILED = re.compile(r" (?:failed|errors?)\b")
# unittest: `Ran 12 tests in 0.3s`, an empty line, `OK (skipped=1)`
RAN = re.compile(r"\s*Ran \d+ tests? in \d")
OK = re.compile(r"\s*OK(?: \(|\s*$)")
BEGIN = re.compile(r"\s*=+ test session starts =+")
BELOW = 3  # lines below `Ran` in which the result stands


def quoted_lines(lines: Sequence[Line], words: WordMap) -> frozenset[int]:
    """The numbers (from 0) of the lines in which nothing fails, whatever they say."""
    quoted = diff_lines(lines) if words.has("diff") else []
    if words.has("passed") or (words.has("ran") and words.has("ok")):
        quoted += passed_lines(lines)
    return frozenset(quoted)


def diff_lines(lines: Sequence[Line]) -> list[int]:
    """The lines of a diff's hunks, by the counts in their heads."""
    found: list[int] = []
    old = new = 0  # lines of the hunk that are still to come, of the file before and after
    for at, line in enumerate(lines):
        if old > 0 or new > 0:
            found.append(at)
            old, new = old - (line.text[:1] not in _ONLY_NEW), new - (line.text[:1] not in _ONLY_OLD)
        elif "@@ -" in line.text and (head := HUNK.match(line.text)) is not None:
            old, new = (1 if count is None else int(count) for count in head.groups())
    return found


def passed_lines(lines: Sequence[Line]) -> list[int]:
    """The lines of test runs in which nothing failed, up to their summaries."""
    found: list[int] = []
    begin = 0
    for at, line in enumerate(lines):
        text = line.text
        if " in " in text and (passed := result(lines, at)) is not None:
            if passed:
                found += range(begin, at + 1)
            begin = at + 1
        elif "test session" in text and BEGIN.match(text):
            begin = at
    return found


def result(lines: Sequence[Line], at: int) -> bool | None:
    """Whether the test run whose summary a line is passed; None for any other line."""
    text = lines[at].text
    if (summary := SUMMARY.match(text)) is not None:
        if " passed" not in summary["counts"] and not FAILED.search(summary["counts"]):
            return None
        return not FAILED.search(summary["counts"])
    if RAN.match(text):
        return any(OK.match(line.text) for line in lines[at + 1 : at + 1 + BELOW])
    return None
