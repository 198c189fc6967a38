"""What scores are worth as probabilities.

Weights of evidence are set by hand, so a score orders hypotheses but is no probability by itself. How often
scores were right was measured on labelled texts; `fitted.py` holds the result, and
`python -m bench.accuracy.fit` writes it anew.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import exp, fsum

from kb.diagnose.fitted import CAUSE_DOUBT, CAUSE_SHARPNESS, KNOWN

Knots = Sequence[tuple[float, float]]


def known_probability(margin: float, knots: Knots = KNOWN) -> float:
    """How often one of the entries named is right when they beat the unknown by `margin` nats.

    Straight lines between the knots (nats, probability); flat above the last; below the first it falls as
    odds do, so that what is weaker stays less probable.
    """
    nats = [knot for knot, _ in knots]
    place = bisect_right(nats, margin)
    if place == 0:
        return knots[0][1] * logistic(margin) / logistic(nats[0])
    if place == len(knots):
        return knots[-1][1]
    (left, low), (right, high) = knots[place - 1], knots[place]
    return low + (high - low) * (margin - left) / (right - left)


def cause_shares(
    scores: Sequence[float], sharpness: float = CAUSE_SHARPNESS, doubt: float = CAUSE_DOUBT
) -> list[float]:
    """The probability of each cause of the right entry, from their scores in nats. They sum to 1.

    `sharpness` stretches the differences; `doubt` is the part that is shared evenly, whatever was found.
    """
    top = max(scores)
    raw = [exp(sharpness * (score - top)) for score in scores]
    total = fsum(raw)
    return [(1 - doubt) * share / total + doubt / len(raw) for share in raw]


def logistic(nats: float) -> float:
    """The probability whose log odds these are."""
    return 1 / (1 + exp(-nats)) if nats >= 0 else exp(nats) / (1 + exp(nats))
