"""The texts that are mangled: what each must lead to, and where its message stands.

The line of the message is taken from the answer to the text as it is; a text that is not answered right
as it is says nothing about its mangled forms and is left out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from random import Random

from kb.catalog.loader import load_catalog
from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Diagnosis, Failure
from kb.diagnose.index import Entry, Index, Signature

# What loggers and launchers put before a message.
_TAGS = re.compile(
    r"""^(?: \s* (?: \([^()]*\)  |  \[[^\[\]]*\]:?  |  \d{4}-\d\d-\d\d\S*  |  \d\d-\d\d
        |  \d\d:\d\d:\d\d\S*
        |  (?:stdout|stderr)\ [FP]
        |  (?:TRACE|DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL):?  |  - ) \s )+""",
    re.VERBOSE,
)
_WORD = re.compile(r"[A-Za-z][\w.]*\w|[A-Za-z]")
_SLOT = re.compile(r"\{[^{}]*\}|\[\[|\]\]")
FIXED_SHARE = 0.6  # of a signature's fixed words that a cut message must keep
MOST_CONTINUED = 3  # lines of a message below its first that are kept with it


class DoesNotApply(Exception):
    """The form is of another kind of text: no traceback to draw, no line to cut."""


class Undecided(Exception):
    """What is left of the text does not say any more what failed."""


@dataclass(frozen=True)
class Paste:
    """A text with what must be answered to it. Lines count from 0."""

    id: str
    text: str
    wanted: frozenset[str]  # entries or causes of which one must be first
    line: int  # where the message stands
    head: str  # that line without what a logger put before it: `ValueError: ...`
    message: str  # the same without the exception's class
    more: tuple[str, ...] = ()  # the lines below it that belong to it
    entry: str = ""  # that is answered to the text as it is
    telling: tuple[tuple[str, ...], ...] = ()  # fixed words of the signatures that stand in it, each one's
    code: bool = False  # it is a line of code, a bare assert
    wrapper: bool = False  # it says that something failed, not what

    def decides(self, kept: str) -> bool:
        """Whether a part of the message still says which failure it is.

        It must keep most of the fixed words of a signature, and the longest, which tells it from others.
        """
        held = set(words(kept))
        for fixed in self.telling:
            left = [word for word in fixed if word in held]
            if max(fixed, key=len) in held and len(left) >= FIXED_SHARE * len(fixed):
                return True
        return False

    @property
    def lines(self) -> list[str]:
        return self.text.removesuffix("\n").split("\n")


@dataclass(frozen=True)
class Case:
    """A text and the labels that are right, before it is known where its message stands."""

    id: str
    text: str
    wanted: frozenset[str]


def example_cases(entries: Path, count: int, seed: int) -> list[Case]:
    """`count` of the pastes beside the entries that must lead to them, drawn with a seed."""
    cases = [
        Case(f"{file.entry.id}/{example.file.removesuffix('.txt')}", text, frozenset({file.entry.id}))
        for file in load_catalog(entries).entries
        for example in file.entry.examples
        if example.file.startswith("match-") and (text := file.example(example.file)) is not None
    ]
    cases.sort(key=lambda case: case.id)
    return Random(seed).sample(cases, min(count, len(cases)))


def file_cases(path: Path) -> list[Case]:
    """The cases of a JSON Lines file that expect an answer."""
    rows = [json.loads(row) for row in path.read_text("utf-8").splitlines() if row.strip()]
    found = []
    for row in rows:
        labels = [row["label"]] if "label" in row else row.get("accept") or [row["expect"]]
        wanted = frozenset(labels) - {"none"}
        if wanted:
            found.append(Case(row["id"], row["text"], wanted))
    return found


def answered(diagnosis: Diagnosis, wanted: frozenset[str]) -> bool:
    """Whether the right entry or cause is first."""
    best = diagnosis.best
    return best is not None and bool({best.entry, best.cause} & wanted)


def main_failure(diagnosis: Diagnosis) -> Failure:
    """The failure that `best` belongs to."""
    best = diagnosis.best
    for failure in diagnosis.failures:
        if best and any((h.entry, h.cause) == (best.entry, best.cause) for h in failure.hypotheses):
            return failure
    return diagnosis.failures[0]


def locate(case: Case, index: Index) -> Paste | None:
    """The case with the place of its message; None when it is not answered right as it is."""
    text = case.text.replace("\r\n", "\n")
    diagnosis = diagnose(text, index)
    if not answered(diagnosis, case.wanted):
        return None
    failure = main_failure(diagnosis)
    lines = text.removesuffix("\n").split("\n")
    at = failure.initiating.line - 1
    head, more = untagged(lines[at]), continued(lines, at)
    entry = first_entry(failure, index)
    found = signatures(failure, entry)
    said = set(words(" ".join([lines[at], *more])))
    telling = (tuple(word for word in words(_SLOT.sub(" ", one.template)) if word in said) for one in found)
    return Paste(
        id=case.id,
        text=text,
        wanted=case.wanted,
        line=at,
        head=head,
        message=without_class(head, failure.initiating.type),
        more=more,
        entry=entry.id,
        telling=tuple(fixed for fixed in telling if fixed),
        code=all(one.on == "source" for one in found),
        wrapper=entry.role == "secondary",
    )


def first_entry(failure: Failure, index: Index) -> Entry:
    """The entry that was answered."""
    first = failure.hypotheses[0].entry
    return next(entry for n in range(len(index)) if (entry := index.entry(n)).id == first)


def signatures(failure: Failure, entry: Entry) -> list[Signature]:
    """The signatures of the entry that were found in the failure's first line."""
    evidence = failure.hypotheses[0].evidence
    seen = {e.signature for e in evidence if e.line == failure.initiating.line}
    return [one for one in entry.signatures if one.id in seen]


def words(text: str) -> list[str]:
    return _WORD.findall(text)


def untagged(line: str) -> str:
    """A line without the tags, times and levels before its message."""
    return _TAGS.sub("", line).strip()


def without_class(head: str, kind: str | None) -> str:
    """`ValueError: text` -> `text`."""
    if kind:
        before, colon, after = head.partition(f"{kind.rpartition('.')[2]}: ")
        if colon and " " not in before.strip():
            return after.strip()
    return head


def continued(lines: list[str], at: int) -> tuple[str, ...]:
    """The lines right below a message that are indented deeper than it and are no frames."""
    margin = indent(lines[at])
    found: list[str] = []
    for line in lines[at + 1 : at + 1 + MOST_CONTINUED]:
        if indent(line) <= margin or not line.strip() or line.lstrip().startswith(('File "', "at ")):
            break
        found.append(line)
    return tuple(found)


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())
