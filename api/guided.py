"""A diagnosis taken further without its paste: hypotheses and outcomes of checks in, where they stand out.

A button in a chat and an assistant know the hypotheses of an answer and what a check showed, but not the
paste any more. What is carried are ids of entries and causes with their confidences, so nothing of a paste is
ever kept. The numbers of the paste are not known here: commands show them as NAMES in capitals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, fsum

from kb.diagnose.checks import effects, next_check
from kb.diagnose.diagnosis import Failure, Given, NextCheck, Verdict
from kb.diagnose.fill import PLACEHOLDER
from kb.diagnose.fitted import CLOSE, SURE
from kb.diagnose.index import Cause, Entry, Index
from kb.diagnose.outputs import given_problems, resolve, short
from kb.render.brief import Brief, Question, Rival, clipped
from kb.render.plain import printable
from kb.render.words import percent

DECIDED = 0.9  # as in the matcher: from here on no further check is asked for
UNKNOWN = 0.02  # the least that stays for "none of them"

Confidences = Mapping[str, float]
"""`entry/cause`, or the entry alone where it has no cause -> confidence."""


@dataclass(frozen=True)
class Standing:
    """Where the hypotheses stand, the likeliest first."""

    verdict: Verdict
    confidences: dict[str, float]
    given: Given  # pasted outputs resolved to outcomes
    check: NextCheck | None
    problems: tuple[str, ...]  # what was given and cannot be used


def of_failure(failure: Failure) -> dict[str, float]:
    """The hypotheses of an answer, as they are carried on."""
    return {reference(each.entry, each.cause): each.confidence for each in failure.hypotheses}


def reference(entry: str, cause: str | None) -> str:
    return f"{entry}/{cause}" if cause else entry


def advance(confidences: Confidences, given: Given, index: Index) -> Standing:
    """The hypotheses weighed anew by the outcomes given, and the check that decides the most of the rest."""
    known = resolve(given, index)
    said = effects(known, index)
    there = {ref: value for ref, value in confidences.items() if find(ref, index)}
    weights = {
        ref: value * exp(fsum(e.weight for e in said if e.ref in (ref, ref.partition("/")[0])))
        for ref, value in there.items()
    }
    total = fsum(weights.values()) + max(1 - fsum(there.values()), UNKNOWN)
    now = dict(sorted(((ref, weight / total) for ref, weight in weights.items()), key=lambda pair: -pair[1]))
    top, any_of_them = max(now.values(), default=0.0), fsum(now.values())
    verdict: Verdict = "match" if top >= SURE else "ambiguous" if any_of_them >= CLOSE else "no_match"
    check = next_check(now, known, index) if top < DECIDED and len(now) > 1 else None
    gone = tuple(f"there is no entry or cause `{short(ref)}`" for ref in confidences if ref not in there)
    return Standing(verdict, now, known, check, (*gone, *given_problems(known, index)))


def told(standing: Standing, index: Index) -> Brief:
    """Where they stand, for people."""
    named = [pair for ref in standing.confidences if (pair := find(ref, index))]
    if not named or standing.verdict == "no_match":
        return nothing_left(standing)
    (entry, cause), sure = named[0], [percent(value) for value in standing.confidences.values()]
    fix = cause.fix if cause else {}
    texts = list(fix.get("forms", {}).values()) or list(fix.get("commands", ()))
    title = printable(entry.title)
    return Brief(
        verdict=standing.verdict,
        headline=f"{title} ({sure[0]})" if standing.verdict == "match" else f"Likeliest, {sure[0]}: {title}",
        path=entry.path,
        line=None,
        text=None,
        process="",
        summary=named_in_capitals(entry.summary),
        cause=printable(cause.title) if cause else None,
        confirm=command(cause.confirm.get("run")) if cause else None,
        fix=named_in_capitals(fix["summary"]) if fix else None,
        command=command(texts[0]) if texts else None,
        need=command(entry.find_root["run"]) if entry.find_root else None,
        rival=rival(named[1], sure[1], entry) if len(named) > 1 else None,
        question=question(standing.check),
        more=0,
    )


def nothing_left(standing: Standing) -> Brief:
    """What is said when the outcomes rule out all that was likely."""
    return Brief(
        verdict="no_match",
        headline="None of the failures we know fits any more",
        path=None,
        line=None,
        text=None,
        process="",
        summary="What the checks showed rules out what was likely. Begin with the line that failed first.",
        cause=None,
        confirm=None,
        fix=None,
        command=None,
        need=None,
        rival=None,
        question=question(standing.check),
        more=0,
    )


def find(ref: str, index: Index) -> tuple[Entry, Cause | None] | None:
    """The entry and cause of a reference; None when the index has no such one."""
    name, _, wanted = ref.partition("/")
    entry = index.find(name)
    cause = next((each for each in entry.causes if each.id == wanted), None) if entry else None
    return None if entry is None or (wanted and cause is None) else (entry, cause)


def rival(other: tuple[Entry, Cause | None], sure: str, best: Entry) -> Rival:
    entry, cause = other
    whole = f"{entry.title}: {cause.title}" if cause else entry.title
    title = cause.title if cause and entry.id == best.id else whole
    return Rival(printable(title), sure, entry.path)


def question(check: NextCheck | None) -> Question | None:
    if check is None:
        return None
    return Question(check.id, printable(check.question), check.look, command(check.run), check.outcomes)


def command(text: str | None) -> str | None:
    return clipped(named_in_capitals(text)) if text else None


def named_in_capitals(text: str) -> str:
    """The text with what only the paste knew as its NAME."""
    return printable(PLACEHOLDER.sub(lambda found: found[1].upper(), text))
