"""Weigh the entries and causes that could explain one failure.

A score is a sum of evidence in nats; each part keeps its line in the paste, or says that it was absent or
given. Entries compete with each other and with "something that no entry knows"; causes compete within their
entry. What the scores are worth as probabilities was measured: see `confidence.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, fsum, log
from typing import Literal

from kb.diagnose.checks import given_evidence, pointed_at
from kb.diagnose.confidence import cause_shares, known_probability
from kb.diagnose.context import Context
from kb.diagnose.diagnosis import Evidence, Quality
from kb.diagnose.evidence import tell_evidence
from kb.diagnose.failures import Group
from kb.diagnose.hits import Hit
from kb.diagnose.index import Cause, Entry, Signature
from kb.diagnose.scope import Scope
from kb.diagnose.unread import unread_evidence
from kb.diagnose.weigh import (
    affected_evidence,
    applicability,
    cause_version_evidence,
    component_evidence,
    consequence_evidence,
    covered_evidence,
    hit_evidence,
    outlived_evidence,
)

FOLLOWS = -4.0  # nats
UNKNOWN = 2.0  # nats of "no entry knows this"; an entry must beat it
POINTED_AT = 6.0  # nats; as much as a long message says
FURTHER_SIGNATURE = 0.7  # for each further signature of the same entry, two at most
MAX_WEIGHED = 200  # hits of one entry that are weighed; the same error can stand there 50,000 times
CEILING = 50.0  # scores above this are all the same


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entry and one of its causes (None for a secondary entry) with the evidence for both."""

    entry: Entry
    cause: Cause | None
    confidence: float
    entry_confidence: float
    quality: Quality
    applies: Literal["yes", "no", "unknown"]
    fixed_in: str | None
    evidence: tuple[Evidence, ...]
    hit: Hit  # the signature that says the most
    scope: Scope

    @property
    def key(self) -> str:
        """`entry/cause`, or the entry alone, as checks name it."""
        return f"{self.entry.id}/{self.cause.id}" if self.cause else self.entry.id


@dataclass(frozen=True, slots=True)
class Scored:
    """An entry with its own evidence, before it competes with others."""

    entry: Entry
    hit: Hit
    evidence: tuple[Evidence, ...]
    scope: Scope

    @property
    def strength(self) -> float:
        return exp(min(fsum(item.weight for item in self.evidence), CEILING))


def rank(group: Group, context: Context) -> tuple[Ranked, ...]:
    """The hypotheses of one failure, most confident first. Empty when no signature stands in it."""
    scored = score_entries(group, context)
    ranked = [one for each in scored for one in rank_causes(each, confidence(each, scored), context)]
    return tuple(sorted(ranked, key=lambda r: (-round(r.confidence, 3), *position(r.hit), r.key)))


def score_entries(group: Group, context: Context) -> list[Scored]:
    """The entries that have a signature in what may have started the failure, with their own evidence."""
    hits = context.candidates.hits
    primary = set(group.events)
    members = primary | {event for event, _ in group.secondary}
    known = sorted({hit.entry for hit in hits if hit.event in primary})
    found = [
        (context.index.entry(number), [h for h in hits if h.entry == number and h.event in members])
        for number in known
    ]
    started = frozenset(effect for entry, _ in found for effect in entry.leads_to)
    scored = [
        score_entry(entry, own, group, context, started)
        for entry, own in found
        if not only_follows(entry, own, group, context)
    ]
    return scored + score_pointed_at({each.entry.id for each in scored}, group, context)


def score_pointed_at(found: set[str], group: Group, context: Context) -> list[Scored]:
    """Entries of which the paste says nothing, but to which an answered check leads from those found."""
    scored = []
    for name, check in pointed_at(found, context.given, context.index).items():
        number = context.index.numbers[name]
        entry = context.index.entry(number)
        hit = Hit(number, Signature(check.id, check.question, on="fact"), group.events[0], None)
        evidence = [Evidence(POINTED_AT, f'the answer to "{check.question}" leads here')]
        evidence += given_evidence(entry.id, context.effects)
        scope = Scope(entry, (), context.candidates.events, context.report)
        scored.append(Scored(entry, hit, tuple(evidence), scope))
    return scored


def only_follows(entry: Entry, hits: list[Hit], group: Group, context: Context) -> bool:
    """Whether an entry about consequences stands beside an exception that says itself what failed first."""
    if (
        group.named is None
        or entry.role != "secondary"
        or context.candidates.events[group.named].type is None
    ):
        return False
    return all(hit.event != group.named for hit in hits)


def confidence(one: Scored, scored: list[Scored]) -> float:
    """The probability of an entry: that any of it and its rivals is right, times its share among them."""
    margin, share = standing(one, scored)
    return known_probability(margin) * share


def standing(one: Scored, scored: list[Scored]) -> tuple[float, float]:
    """How far an entry and its rivals together beat the unknown (nats), and its share among them.

    Complaints beside it in the same message are no rivals.
    """
    rivals = [each for each in scored if each is not one and not beside(each.hit, one.hit)]
    together = fsum(each.strength for each in (one, *rivals))
    return log(together) - UNKNOWN, one.strength / together


def beside(one: Hit, other: Hit) -> bool:
    """Whether two signatures stand at different places of one event: several complaints in a message."""
    if one.event != other.event or one.found is None or other.found is None:
        return False
    return one.found.end <= other.found.start or other.found.end <= one.found.start


def says_the_same(one: Hit, other: Hit) -> bool:
    """Whether a hit adds nothing to another: the same signature or wording, or the same place of the text."""
    if one.signature.template == other.signature.template:
        return True
    return one.event == other.event and not beside(one, other)


def position(hit: Hit) -> tuple[int, int]:
    """Event and offset of a hit: of equals the one that stands first comes first."""
    return hit.event, hit.found.start if hit.found else 0


def score_entry(
    entry: Entry, hits: list[Hit], group: Group, context: Context, started: frozenset[str] = frozenset()
) -> Scored:
    """The evidence for an entry: its best signature, what stands around it, what supports or refutes it.

    `started` are the entries to which others of the same failure are known to lead.
    """
    weighed = [(hit, hit_evidence(hit, context)) for hit in hits[:MAX_WEIGHED]]
    weighed.sort(key=lambda pair: (-fsum(item.weight for item in pair[1]), pair[0].event))
    best, evidence = weighed[0]
    counted = [best]
    for hit, items in weighed[1:]:
        if len(counted) < 3 and not any(says_the_same(hit, other) for other in counted):
            counted.append(hit)
            evidence.append(replace(items[0], weight=FURTHER_SIGNATURE))
    ordered = [hit for hit, _ in weighed] + hits[MAX_WEIGHED:]
    scope = Scope(entry, ordered, context.candidates.events, context.report)
    evidence += component_evidence(entry, context)
    evidence += affected_evidence(entry, context)
    evidence += outlived_evidence(entry, best, group.events, context)
    evidence += unread_evidence(entry, best, context)
    evidence += covered_evidence(best, context)
    evidence += consequence_evidence(entry, best, context)
    if entry.id in started:
        evidence.append(Evidence(FOLLOWS, "another failure that leads to this one stands in the paste"))
    evidence += tell_evidence(entry.supports, scope, context)
    evidence += given_evidence(entry.id, context.effects)
    return Scored(entry, best, tuple(evidence), scope)


def rank_causes(scored: Scored, entry_confidence: float, context: Context) -> list[Ranked]:
    """The causes of one entry with their shares of its confidence; a secondary entry stands for itself."""
    entry = scored.entry
    base = Ranked(
        entry=entry, cause=None, confidence=entry_confidence, entry_confidence=entry_confidence,
        quality=quality(scored.hit), applies=applicability(entry, context.versions)[0],
        fixed_in=fixed_in(entry),
        evidence=scored.evidence, hit=scored.hit, scope=scored.scope,
    )  # fmt: skip
    if not entry.causes:
        return [base]
    weighed = weigh_causes(scored, context)
    shares = cause_shares([score for _, _, score in weighed])
    return [
        replace(
            base,
            cause=cause,
            confidence=entry_confidence * share,
            evidence=scored.evidence + tuple(items),
        )
        for (cause, items, _), share in zip(weighed, shares, strict=True)
    ]


def weigh_causes(scored: Scored, context: Context) -> list[tuple[Cause, list[Evidence], float]]:
    """The causes of an entry with their evidence and their score in nats, their frequency included."""
    entry = scored.entry
    found = [(cause, cause_evidence(entry, cause, scored.scope, context)) for cause in entry.causes]
    return [(cause, items, log(cause.prior) + fsum(i.weight for i in items)) for cause, items in found]


def cause_evidence(entry: Entry, cause: Cause, scope: Scope, context: Context) -> list[Evidence]:
    """What the tells of a cause find, and what the version and outcomes of checks say of it."""
    told = tell_evidence(cause.tells, scope, context)
    told += cause_version_evidence(cause, context.versions)
    return told + given_evidence(f"{entry.id}/{cause.id}", context.effects)


def fixed_in(entry: Entry) -> str | None:
    """The first release without the failure, with its package (`vllm 0.11.1`), where there is one."""
    fixed = (each for each in entry.affected if each.get("fixed_in"))
    return next((f"{each['package']} {each['fixed_in']}" for each in fixed), None)


def quality(hit: Hit) -> Quality:
    if hit.found is None:
        return "exact"
    return "variant" if hit.signature.alias and hit.found.quality == "exact" else hit.found.quality
