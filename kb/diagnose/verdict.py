"""Turn failures and their hypotheses into the answer: verdict, best, initiating error, next check, need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from math import fsum

from kb.diagnose import diagnosis as d
from kb.diagnose.checks import next_check
from kb.diagnose.context import Context
from kb.diagnose.failures import Group, event_shape
from kb.diagnose.fill import fill, fill_fix, fill_look
from kb.diagnose.fitted import CLOSE, SURE
from kb.diagnose.kinds import kind_of
from kb.diagnose.outputs import given_problems
from kb.diagnose.rank import Ranked, beside, rank
from kb.diagnose.related import related
from kb.diagnose.report import Because, Event
from kb.diagnose.scope import Scope
from kb.diagnose.table import rank_table
from kb.diagnose.tiers import PEER, WRAPPER

MAX_HYPOTHESES = 8
MIN_HYPOTHESIS = 0.01
MAX_SECONDARY = 200
FIND_FIRST = d.Need(
    look="The first error stands above this line, or in the log of another process. Look for the earliest "
    "traceback or line of level ERROR.",
    run="grep -n -m5 -E 'Error|Traceback|FATAL|Xid|OOMKilled|Killed process' LOGFILE",
)


def conclude(groups: Sequence[Group], context: Context) -> d.Diagnosis:
    """The answer to one paste."""
    ranked = [rank(group, context) for group in groups]
    failures = tuple(make_failure(group, found, context) for group, found in zip(groups, ranked, strict=True))
    verdict, best = decide([r for group, r in zip(groups, ranked, strict=True) if not group.handled])
    return d.Diagnosis(
        verdict=verdict,
        best=best,
        failures=failures,
        related=related(failures, context.index) if verdict == "no_match" else (),
        report=context.report,
        fingerprint=fingerprint(groups, ranked, context),
        given=context.given,
        given_problems=given_problems(context.given, context.index),
        entries=len(context.index),
        digest=context.index.digest,
    )


def decide(ranked: Sequence[tuple[Ranked, ...]]) -> tuple[d.Verdict, d.Best | None]:
    """`match` for a sure hypothesis (the first such in time), `ambiguous` when rivals are close."""
    firsts = [hypotheses[0] for hypotheses in ranked if hypotheses]
    sure = next((r for r in firsts if r.confidence >= SURE), None)
    if sure is not None:
        return "match", make_best(sure)
    close = [r[0] for r in ranked if known_share(r) >= CLOSE]
    if close:
        return "ambiguous", make_best(max(close, key=lambda r: r.confidence))
    return "no_match", None


def known_share(hypotheses: Sequence[Ranked]) -> float:
    """How sure it is that one of the entries named explains the failure, whichever it is."""
    return fsum({r.entry.id: r.entry_confidence for r in hypotheses}.values())


def make_best(ranked: Ranked) -> d.Best:
    return d.Best(
        ranked.entry.id,
        ranked.cause.id if ranked.cause else None,
        rounded(ranked.confidence),
        ranked.entry.path,
    )


def make_failure(group: Group, ranked: tuple[Ranked, ...], context: Context) -> d.Failure:
    """One failure of the answer."""
    rivals, also = split_also_true(ranked)
    first = first_event(group, rivals)
    event = context.candidates.events[first]
    kind = rivals[0].cause.kind if rivals and rivals[0].cause else kind_of(event, context.report.facts)
    confidences = {r.key: r.confidence for r in rivals}
    undecided = bool(rivals) and not group.handled and rivals[0].confidence < 0.9 and len(rivals) > 1
    return d.Failure(
        initiating=initiating(event, kind, context),
        hypotheses=tuple(hypothesis(r, context) for r in rivals),
        also_true=also,
        handled=group.handled,
        secondary=secondary(group, first, context),
        ranks=rank_table(group, first, context),
        # Who wrote the line that started it is not silent, though no error of it was read as such.
        silent_ranks=tuple(r for r in context.report.facts.silent_ranks if r != event.process.rank),
        next_check=ask(confidences, rivals[0].scope, context) if undecided else None,
        need=None if group.handled else need(group, rivals),
    )


def ask(confidences: dict[str, float], scope: Scope, context: Context) -> d.NextCheck | None:
    """The check that decides the most, its command filled with what the paste says."""
    check = next_check(confidences, context.given, context.index)
    if check is None:
        return None
    look, run = check.look and fill(check.look, scope), check.run and fill(check.run, scope)
    return replace(check, look=look, run=run)


def split_also_true(ranked: tuple[Ranked, ...]) -> tuple[tuple[Ranked, ...], tuple[str, ...]]:
    """Rivals, and the ids of entries whose complaints stand beside the best one's in the same message."""
    if not ranked:
        return (), ()
    best = ranked[0]
    also: list[str] = []
    rivals = []
    for each in ranked:
        if each.entry.id != best.entry.id and beside(each.hit, best.hit):
            if each.entry.id not in also:
                also.append(each.entry.id)
        elif each.confidence >= MIN_HYPOTHESIS or each is best:
            rivals.append(each)
    return tuple(rivals[:MAX_HYPOTHESES]), tuple(also)


def first_event(group: Group, rivals: Sequence[Ranked]) -> int:
    """The event that started the failure: the earliest in which the best hypothesis' message stands.

    A hypothesis too weak to name says nothing of where the failure began.
    """
    if group.named is not None:
        return group.named
    matched = {hit.event for hit in rivals[0].scope.hits} if known_share(rivals) >= CLOSE else set()
    return next((event for event in group.events if event in matched), group.events[0])


def initiating(event: Event, kind: str | None, context: Context) -> d.Initiating:
    clean = context.report.clean
    number = clean.lines[event.at].number
    process = event.culprit or event.process
    return d.Initiating(number, clean.paste[number - 1], event.on, event.type, event.time, process, kind)


def hypothesis(ranked: Ranked, context: Context) -> d.Hypothesis:
    """A ranked entry and cause as the person gets it, with the numbers of the paste filled in."""
    entry, cause = ranked.entry, ranked.cause
    fix = fill_fix(cause, ranked.scope, context.versions) if cause else None
    return d.Hypothesis(
        entry=entry.id,
        title=entry.title,
        status=entry.status,
        cause=cause.id if cause else None,
        cause_title=cause.title if cause else None,
        kind=cause.kind if cause else None,
        confidence=rounded(ranked.confidence),
        entry_confidence=rounded(ranked.entry_confidence),
        quality=ranked.quality,
        applies=ranked.applies,
        fixed_in=ranked.fixed_in,
        summary=fill(entry.summary, ranked.scope),
        confirm=fill_look(cause.confirm, ranked.scope, fix.value if fix else None) if cause else {},
        fix=fix,
        evidence=ranked.evidence,
        path=entry.path,
    )


def secondary(group: Group, first: int, context: Context) -> tuple[d.Secondary, ...]:
    """The consequences, each line once, with the reason; further tellings of the failure are repeats."""
    clean, events = context.report.clean, context.candidates.events
    rows: dict[int, d.Secondary] = {}
    shape = event_shape(events[first])
    others: list[tuple[int, Because]] = [
        (event, "repeat" if is_repeat(event, first, shape, context) else "echo")
        for event in group.events
        if event != first
    ]
    for number, because in sorted([*group.secondary, *others], key=lambda pair: events[pair[0]].at):
        event = events[number]
        line = clean.lines[event.at].number
        if event.at != events[first].at:
            rows.setdefault(line, d.Secondary(line, clean.paste[line - 1], event.process, because))
    return tuple(rows.values())[:MAX_SECONDARY]


def is_repeat(event: int, first: int, shape: tuple[str | None, str], context: Context) -> bool:
    """Whether an event tells the same as the initiating one: the same text, or an entry that both show."""
    known = context.known
    return event_shape(context.candidates.events[event]) == shape or bool(
        known.get(event, frozenset()) & known.get(first, frozenset())
    )


def need(group: Group, rivals: Sequence[Ranked]) -> d.Need | None:
    """Where the first error is, when the paste holds only a consequence of it."""
    if rivals:
        root = rivals[0].entry.find_root
        return (
            d.Need(fill(root["look"], rivals[0].scope), fill(root["run"], rivals[0].scope)) if root else None
        )
    return FIND_FIRST if PEER <= group.tier <= WRAPPER and group.named is None else None


def fingerprint(groups: Sequence[Group], ranked: Sequence[tuple[Ranked, ...]], context: Context) -> str:
    """A stable hash of what failed, for grouping: classes, signatures or shapes of texts, raising frames."""
    parts: list[str] = []
    for group, hypotheses in zip(groups, ranked, strict=True):
        event = context.candidates.events[first_event(group, hypotheses)]
        frame = event.frames[-1] if event.frames else None
        where = f"{frame.path.replace(chr(92), '/').rpartition('/')[2]}:{frame.function}" if frame else ""
        what = hypotheses[0].hit.signature.id if hypotheses else event_shape(event)[1]
        parts.append(f"{event.type}|{what}|{where}")
    return sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:16] if parts else ""


def rounded(confidence: float) -> float:
    return round(confidence, 3)
