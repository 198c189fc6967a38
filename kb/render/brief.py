"""The few things of a diagnosis that fit into a chat: verdict, line, short answer, fix, one rival, its check.

Built once for every chat, so that Slack, Discord, Markdown and an assistant say the same. All texts are
printable and as they stand in the paste or entry: who writes them into markup escapes them there.
"""

from __future__ import annotations

from dataclasses import dataclass

from kb.diagnose.diagnosis import Diagnosis, Failure, Hypothesis, NextOutcome
from kb.render.forms import first_to_read
from kb.render.plain import one_line, printable
from kb.render.words import KINDS, called, percent, process_name

LONGEST_LINE = 300  # characters of the initiating line
LONGEST_COMMAND = 1500


@dataclass(frozen=True)
class Rival:
    """Another explanation: what it claims, how sure, and where its page lies."""

    title: str
    sure: str
    path: str


@dataclass(frozen=True)
class Question:
    """The check that decides, with its outcomes."""

    id: str
    question: str
    look: str | None
    run: str | None
    outcomes: tuple[NextOutcome, ...]


@dataclass(frozen=True)
class Brief:
    """A diagnosis in short. `path` is relative to the site's root; None where no entry explains it."""

    verdict: str  # match, ambiguous, no_match
    headline: str
    path: str | None
    line: int | None
    text: str | None  # of the line that started it
    process: str
    summary: str
    cause: str | None  # the one that confirm and fix are for
    confirm: str | None  # the command that confirms it
    fix: str | None
    command: str | None  # the fix, ready to copy
    need: str | None  # for a consequence alone: the command that finds the first error
    rival: Rival | None
    question: Question | None
    more: int  # further failures in the paste


def brief(diagnosis: Diagnosis) -> Brief:
    """The few things of a diagnosis."""
    failure = main_failure(diagnosis)
    best = (
        failure.hypotheses[0] if failure and failure.hypotheses and diagnosis.verdict != "no_match" else None
    )
    rivals = failure.hypotheses[1:] if failure and best else ()
    return Brief(
        verdict=diagnosis.verdict,
        headline=headline(diagnosis, failure, best),
        path=best.path if best else None,
        line=failure.initiating.line if failure else None,
        text=one_line(failure.initiating.text.strip(), LONGEST_LINE) if failure else None,
        process=one_line(process_name(failure.initiating.process), 100) if failure else "",
        summary=printable(best.summary) if best else nothing(diagnosis, failure),
        cause=printable(best.cause_title) if best and best.cause_title else None,
        confirm=clipped(best.confirm.get("run")) if best else None,
        fix=printable(best.fix.summary) if best and best.fix else None,
        command=command_of(best, diagnosis),
        need=clipped(failure.need.run) if failure and failure.need else None,
        rival=next((rival_of(each, best) for each in rivals if best), None),
        question=question_of(failure) if best else None,
        more=max(len([each for each in diagnosis.failures if not each.handled]) - 1, 0),
    )


def main_failure(diagnosis: Diagnosis) -> Failure | None:
    """The failure that the best hypothesis belongs to, else the first that was not handled."""
    best = diagnosis.best
    for failure in diagnosis.failures:
        if best and any((h.entry, h.cause) == (best.entry, best.cause) for h in failure.hypotheses):
            return failure
    return next((failure for failure in diagnosis.failures if not failure.handled), None)


def headline(diagnosis: Diagnosis, failure: Failure | None, best: Hypothesis | None) -> str:
    """The verdict in one line."""
    if best is None:
        return "Not a failure we know" if failure else "Nothing in this paste says that something failed"
    if failure and failure.need:
        return f"Only a consequence: {best.title}"
    sure = percent(best.confidence)
    return f"{best.title} ({sure})" if diagnosis.verdict == "match" else f"Likeliest, {sure}: {best.title}"


def nothing(diagnosis: Diagnosis, failure: Failure | None) -> str:
    """What is said where no entry explains the paste."""
    if failure is None:
        handled = "The program dealt with every error in it." if diagnosis.failures else ""
        return handled or "Paste more of the log, from before it stopped."
    kind = KINDS.get(failure.initiating.kind or "")
    looks = f"; it looks like {kind}" if kind else ""
    return f"No entry explains it{looks}. Begin with the line that failed first."


def command_of(best: Hypothesis | None, diagnosis: Diagnosis) -> str | None:
    """The fix to copy: the person's own command changed, else the form that the paste shows in use."""
    if best is None or best.fix is None:
        return None
    if best.fix.change:
        return clipped(best.fix.change.after)
    shown, _ = first_to_read(best.fix.forms, diagnosis.report)
    texts = [text for _, text in shown] or list(best.fix.commands)
    return clipped(texts[0]) if texts else None


def rival_of(other: Hypothesis, best: Hypothesis | None) -> Rival:
    same = best is not None and other.entry == best.entry
    title = other.cause_title if same and other.cause_title else called(other)
    return Rival(printable(title), percent(other.confidence), other.path)


def question_of(failure: Failure | None) -> Question | None:
    check = failure.next_check if failure else None
    if check is None:
        return None
    return Question(check.id, printable(check.question), check.look, clipped(check.run), check.outcomes)


def clipped(text: str | None) -> str | None:
    """Printable text, its end cut where it is very long."""
    if text is None:
        return None
    shown = printable(text)
    return shown if len(shown) <= LONGEST_COMMAND else f"{shown[:LONGEST_COMMAND]} …"
