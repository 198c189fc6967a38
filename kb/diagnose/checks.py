"""Outcomes of checks: those given are applied, and the next check is the one that decides the most."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import fsum, log2

from kb.diagnose.diagnosis import Evidence, Given, NextCheck, NextOutcome
from kb.diagnose.index import Check, Index

SUPPORTS, RULES_OUT = 3.0, -5.0  # nats that an outcome gives to what it names
LIKELY, NEUTRAL, UNLIKELY = 6.0, 1.0, 0.1  # how often an outcome is seen under a hypothesis it supports, ...
MIN_GAIN = 0.02  # bits; a check that decides less is not worth asking for


@dataclass(frozen=True, slots=True)
class Effect:
    """What a given outcome says of an entry or `entry/cause`."""

    ref: str
    weight: float
    note: str


def effects(given: Given, index: Index) -> tuple[Effect, ...]:
    """What the given outcomes say. Unknown checks and outcomes say nothing."""
    found: list[Effect] = []
    for check in index.checks if given.outcomes else ():
        outcome = next((o for o in check.outcomes if o.id == given.outcomes.get(check.id)), None)
        if outcome is not None:
            note = f"given: {check.question} - {outcome.see}"
            found += [Effect(ref, SUPPORTS, note) for ref in outcome.supports]
            found += [Effect(ref, RULES_OUT, note) for ref in outcome.rules_out]
    return tuple(found)


def given_evidence(ref: str, known: Iterable[Effect]) -> list[Evidence]:
    """The evidence that given outcomes are for an entry or `entry/cause`."""
    return [Evidence(effect.weight, effect.note) for effect in known if effect.ref == ref]


def pointed_at(found: Collection[str], given: Given, index: Index) -> dict[str, Check]:
    """Entries beside those found that the outcome of an answered check supports, each with that check.

    Only checks that concern an entry found: what somebody saw is about this failure then. And only outcomes
    that support none of those found: else what was seen explains itself.
    """
    pointed: dict[str, Check] = {}
    for check in index.checks if given.outcomes else ():
        outcome = next((o for o in check.outcomes if o.id == given.outcomes.get(check.id)), None)
        if outcome is None or not concerns(check, found):
            continue
        supported = {ref.partition("/")[0] for ref in outcome.supports}
        if supported.isdisjoint(found):
            pointed.update({entry: check for entry in supported if entry in index.numbers})
    return dict(sorted(pointed.items()))


def next_check(confidences: Mapping[str, float], given: Given, index: Index) -> NextCheck | None:
    """The open check that is expected to tell the most about the hypotheses (`entry/cause` -> confidence)."""
    open_checks = [check for check in index.checks if check.id not in given.outcomes]
    gains = [
        (expected_gain(check, confidences), check) for check in open_checks if concerns(check, confidences)
    ]
    if not gains:
        return None
    gain, best = max(gains, key=lambda pair: (pair[0], pair[1].id))
    return shown(best) if gain >= MIN_GAIN else None


def concerns(check: Check, keys: Iterable[str]) -> bool:
    """Whether an outcome names one of the hypotheses (`entry/cause`), or a cause of one of the entries."""
    return any(names(check.refs, key) or key in check.entries for key in keys)


def names(refs: Iterable[str], key: str) -> bool:
    """Whether `entry/cause`, or its entry as a whole, is among the references."""
    return key in refs or key.partition("/")[0] in refs


def expected_gain(check: Check, confidences: Mapping[str, float]) -> float:
    """Bits by which the entropy of the hypotheses is expected to fall when the check is answered."""
    total = fsum(confidences.values())
    if total <= 0:
        return 0.0
    prior = {key: value / total for key, value in confidences.items()}
    chances = {key: outcome_chances(check, key) for key in prior}
    after = 0.0
    for number in range(len(check.outcomes)):
        joint = [prior[key] * chances[key][number] for key in prior]
        seen = fsum(joint)
        if seen > 0:
            after += seen * entropy([value / seen for value in joint])
    return entropy(list(prior.values())) - after


def outcome_chances(check: Check, key: str) -> list[float]:
    """How likely each outcome is if this hypothesis is true."""
    weights = [
        LIKELY if names(o.supports, key) else UNLIKELY if names(o.rules_out, key) else NEUTRAL
        for o in check.outcomes
    ]
    return [weight / fsum(weights) for weight in weights]


def entropy(shares: list[float]) -> float:
    return -fsum(share * log2(share) for share in shares if share > 0)


def shown(check: Check) -> NextCheck:
    outcomes = tuple(NextOutcome(o.id, o.see, o.supports, o.rules_out) for o in check.outcomes)
    return NextCheck(check.id, check.question, check.look, check.run, outcomes)
