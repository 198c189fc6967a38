"""Fit what scores are worth as probabilities, and from which probability on an answer pays.

    python -m bench.accuracy.fit ../cases/positive.jsonl ../cases/negative.jsonl --write

Observed are the given cases, the entries' own examples, and the cases hidden among other processes' lines;
each covered text also without its entry, where every answer is wrong. Every prediction that is scored comes
from a fit without any text about the same entry (cross-validation by entry). Without `--write` only the
tables are printed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise, product
from math import log
from pathlib import Path

from bench.accuracy.cases import ROOT, Knowledge, composed_cases, example_cases, read_cases
from bench.accuracy.observe import Observation, observe_all
from bench.accuracy.score import wilson
from kb.diagnose.confidence import Knots, cause_shares, known_probability, logistic

EDGES = (-4.0, -2.0, -0.75, 0.75, 2.0, 3.0, 4.0, 6.0)  # nats; bins of the margin
PRIOR = 2.0  # texts' worth of belief in the margin's own claim, for each bin
SHARPNESS = (0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0)
DOUBT = (0.0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2)
FOLDS = 10
# What an answer costs. An honest "not known" where the entry is there costs 1.
WRONG, NOT_KNOWN, WRONG_AMBIGUOUS, AMBIGUOUS, RIVAL = 10.0, 1.0, 2.0, 0.25, 0.5


@dataclass(frozen=True)
class Fitted:
    known: Knots
    sharpness: float
    doubt: float


@dataclass(frozen=True)
class Predicted:
    """An observation with the probabilities that a fit without its entry gives it."""

    seen: Observation
    known: float  # that one of the entries named is right
    entry: float
    causes: tuple[float, ...]  # of each cause, given the entry

    @property
    def joint(self) -> float:
        return self.entry * max(self.causes, default=1.0)

    @property
    def right(self) -> bool:
        """Whether the answer would count: the entry where the case names it, else the very cause."""
        first = max(range(len(self.causes)), key=self.causes.__getitem__, default=0)
        return self.seen.entry_wanted or first in self.seen.right_causes


def fit(observations: Sequence[Observation]) -> Fitted:
    """The knots of the known share, and the pair for the causes with the greatest likelihood."""
    weights = weigh(observations)
    told = [
        (o, w) for o, w in zip(observations, weights, strict=True)
        if o.right_causes and len(o.scores) > 1 and o.case.source != "examples"
    ]  # fmt: skip
    sharpness, doubt = max(product(SHARPNESS, DOUBT), key=lambda pair: cause_likelihood(told, *pair))
    return Fitted(fit_known(observations, weights), sharpness, doubt)


def weigh(observations: Sequence[Observation]) -> list[float]:
    """All texts of one report together count as one, so that ten forms of it are not ten witnesses."""
    counts = Counter((o.case.id, o.covered) for o in observations)
    return [1 / counts[o.case.id, o.covered] for o in observations]


def fit_known(observations: Sequence[Observation], weights: Sequence[float]) -> Knots:
    """Share of right entries in bins of the margin, made to rise (pool adjacent violators)."""
    bins: list[list[tuple[float, bool, float]]] = [[] for _ in range(len(EDGES) + 1)]
    for o, weight in zip(observations, weights, strict=True):
        bins[sum(o.margin >= edge for edge in EDGES)].append((o.margin, o.entry_right, weight))
    middles = (-5.0, *((a + b) / 2 for a, b in pairwise(EDGES)), 8.0)
    pools: list[list[float]] = []  # weight, right, margin x weight
    for middle, seen in zip(middles, bins, strict=True):
        weight = PRIOR + sum(w for _, _, w in seen)
        right = PRIOR * logistic(middle) + sum(w for _, is_right, w in seen if is_right)
        pools.append([weight, right, PRIOR * middle + sum(min(max(m, -5), 8) * w for m, _, w in seen)])
        while len(pools) > 1 and pools[-2][1] / pools[-2][0] >= pools[-1][1] / pools[-1][0]:
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last, strict=True)]
    return [(round(moment / weight, 2), round(right / weight, 4)) for weight, right, moment in pools]


def cause_likelihood(told: Sequence[tuple[Observation, float]], sharpness: float, doubt: float) -> float:
    total = 0.0
    for o, weight in told:
        shares = cause_shares(o.scores, sharpness, doubt)
        total += weight * log(max(sum(shares[n] for n in o.right_causes), 1e-6))
    return total


def predict(observations: Sequence[Observation]) -> list[Predicted]:
    """Each observation as a fit sees it that never saw a text about the same entry."""
    homes = sorted({o.home for o in observations})
    fold_of = {home: number % FOLDS for number, home in enumerate(homes)}
    found = []
    for fold in range(FOLDS):
        fitted = fit([o for o in observations if fold_of[o.home] != fold])
        found += [apply(o, fitted) for o in observations if fold_of[o.home] == fold]
    return found


def apply(o: Observation, fitted: Fitted) -> Predicted:
    known = known_probability(o.margin, fitted.known)
    causes = tuple(cause_shares(o.scores, fitted.sharpness, fitted.doubt)) if o.scores else ()
    return Predicted(o, known, known * o.share, causes)


def cost(predicted: Sequence[Predicted], sure: float, close: float) -> float:
    """What the answers would cost with these thresholds."""
    total = 0.0
    for p, weight in zip(predicted, weigh([p.seen for p in predicted]), strict=True):
        if p.joint >= sure:
            total += 0.0 if p.right else WRONG * weight
        elif p.known >= close:
            total += weight * (AMBIGUOUS if p.right else RIVAL if p.seen.entry_right else WRONG_AMBIGUOUS)
        elif p.seen.covered:
            total += NOT_KNOWN * weight
    return total


def thresholds(predicted: Sequence[Predicted]) -> tuple[float, float, float]:
    """The cheapest pair, and its cost; of equally cheap ones the middle, so that neither is at an edge."""
    steps = [n / 100 for n in range(30, 100)]
    costs = {(s, c): cost(predicted, s, c) for s in steps for c in steps if c <= s}
    least = min(costs.values())
    best = sorted(pair for pair, value in costs.items() if value <= least + 1e-9)
    sure = sorted({s for s, _ in best})
    middle = sure[len(sure) // 2]
    close = sorted(c for s, c in best if s == middle)
    return middle, close[len(close) // 2], least


def print_reliability(title: str, rows: Sequence[tuple[float, bool]]) -> None:
    """Of answers said with a confidence, how many were right."""
    print(f"\n{title}: {len(rows)}")
    print(f"  {'said':<14}{'mean':>7}{'right':>12}{'share':>9}   95 % interval")
    for low, high in ((0, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)):
        inside = [(p, right) for p, right in rows if low <= p < high]
        if inside:
            right = sum(r for _, r in inside)
            low_end, high_end = wilson(right, len(inside))
            mean = sum(p for p, _ in inside) / len(inside)
            said = f"{low:.2f} to {min(high, 1):.2f}"
            print(
                f"  {said:<14}{mean:>7.3f}{f'{right}/{len(inside)}':>12}"
                f"{right / len(inside):>9.1%}   {low_end:.1%} to {high_end:.1%}"
            )


def print_reliabilities(predicted: Sequence[Predicted], name: str) -> None:
    print_reliability(f"{name}, the entry", [(p.entry, p.seen.entry_right) for p in predicted])
    decided = [p for p in predicted if not p.seen.entry_right or p.seen.right_causes or p.seen.entry_wanted]
    print_reliability(f"{name}, entry and cause", [(p.joint, p.right) for p in decided])


def write(
    fitted: Fitted, sure: float, close: float, observations: Sequence[Observation], entries: int
) -> None:
    sources = Counter(o.case.source for o in observations)
    told = ", ".join(f"{count} {source}" for source, count in sorted(sources.items()))
    knots = "\n".join(f"    ({nats}, {probability})," for nats, probability in fitted.known)
    (ROOT / "kb/diagnose/fitted.py").write_text(
        f'''"""What scores are worth, measured by `python -m bench.accuracy.fit`; do not edit by hand.

Fitted {datetime.now(UTC):%Y-%m-%d} with {entries} entries on {len(observations)} texts with a signature:
{told};
covered texts once more without their entry.
"""

# Nats by which the entries named beat the unknown -> how often one of them is right.
KNOWN = (
{knots}
)
CAUSE_SHARPNESS = {fitted.sharpness}
CAUSE_DOUBT = {fitted.doubt}
SURE = {sure}  # confidence of entry and cause from which the answer is `match`
CLOSE = {close}  # probability that one of the entries named is right, from which it is `ambiguous`
''',
        "utf-8",
    )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.accuracy.fit",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, help="JSON Lines files of cases")
    parser.add_argument("--write", action="store_true", help="write kb/diagnose/fitted.py")
    options = parser.parse_args(argv)
    knowledge = Knowledge.load()
    cases = [case for file in options.files for case in read_cases(file)]
    texts = cases + composed_cases(cases) + example_cases(knowledge)
    observations = list(observe_all(texts, knowledge))
    predicted = predict(observations)
    print_reliabilities(predicted, "all texts")
    print_reliabilities([p for p in predicted if p.seen.case.source != "examples"], "cases alone")
    sure, close, least = thresholds(predicted)
    fitted = fit(observations)
    print(f"\nsure {sure}, close {close}: cost {least:.2f} over {len(predicted)} texts")
    print(f"knots {fitted.known}\nsharpness {fitted.sharpness}, doubt {fitted.doubt}")
    if options.write:
        write(fitted, sure, close, observations, len(knowledge.entries))
    return 0


if __name__ == "__main__":
    sys.exit(main())
