"""How often the answer is right: a table with intervals, and every miss."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt

from bench.accuracy.cases import Case
from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Diagnosis, Failure
from kb.diagnose.index import Index


@dataclass(frozen=True)
class Outcome:
    """One case and what came out."""

    case: Case
    group: str  # known, unknown, none
    verdict: str
    answer: str
    entry: str | None  # of the answer
    first: bool
    in_three: bool
    line: bool
    named: str  # the initiating line that was answered

    @property
    def wrong(self) -> bool:
        """An answer that costs hours: said with `match`, and not right."""
        return self.verdict == "match" and not self.first

    @property
    def answered(self) -> bool:
        return self.verdict != "no_match"


def try_case(case: Case, index: Index, known: frozenset[str]) -> Outcome:
    """Diagnose one case and compare. `known` are the labels that the index has."""
    group = "none" if not case.accepted else "known" if case.accepted & known else "unknown"
    diagnosis = diagnose(case.text, index)
    failure = main_failure(diagnosis)
    best = diagnosis.best
    names = [(h.entry, h.cause) for h in (failure.hypotheses if failure else ())]
    line = failure.initiating.text if failure else ""
    return Outcome(
        case=case,
        group=group,
        verdict=diagnosis.verdict,
        answer=f"{best.entry}/{best.cause} {best.confidence}" if best else "-",
        entry=best.entry if best else None,
        first=best is not None and bool({best.entry, best.cause} & case.accepted),
        in_three=any({entry, cause} & case.accepted for entry, cause in names[:3]),
        line=squeeze(case.root_line) in squeeze(line),
        named=line,
    )


def squeeze(text: str) -> str:
    return " ".join(text.split())


def main_failure(diagnosis: Diagnosis) -> Failure | None:
    """The failure that `best` belongs to, else the first."""
    best = diagnosis.best
    for failure in diagnosis.failures:
        if best and any((h.entry, h.cause) == (best.entry, best.cause) for h in failure.hypotheses):
            return failure
    return diagnosis.failures[0] if diagnosis.failures else None


def wilson(right: int, count: int) -> tuple[float, float]:
    """The interval that holds the true share in 95 of 100 such samples (Wilson's score interval)."""
    if not count:
        return 0.0, 1.0
    z, share = 1.96, right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(0.0, middle - half), min(1.0, middle + half)


def share(right: int, count: int) -> str:
    """`19/24 = 79.2 % (59.5 to 90.8)`."""
    if not count:
        return "no cases"
    low, high = wilson(right, count)
    return f"{right}/{count} = {right / count:.1%} ({low:.1%} to {high:.1%})"


def print_table(outcomes: list[Outcome]) -> None:
    known = [o for o in outcomes if o.group == "known"]
    unknown = [o for o in outcomes if o.group == "unknown"]
    none = [o for o in outcomes if o.group == "none"]
    lined = [o for o in outcomes if o.case.root_line]
    known_lined = [o for o in known if o.case.root_line]
    rows = [
        ("right first, where the knowledge base has it", sum(o.first for o in known), len(known)),
        ("among the first three", sum(o.in_three for o in known), len(known)),
        ("initiating line right, same cases", sum(o.line for o in known_lined), len(known_lined)),
        ("initiating line right, all cases", sum(o.line for o in lined), len(lined)),
        ("wrong with verdict match, same cases", sum(o.wrong for o in known), len(known)),
        (
            "answered where no entry covers it (match)",
            sum(o.verdict == "match" for o in unknown),
            len(unknown),
        ),
        ("the same, ambiguous", sum(o.verdict == "ambiguous" for o in unknown), len(unknown)),
        ("answered where none is expected", sum(o.answered for o in none), len(none)),
    ]
    for name, right, count in rows:
        print(f"{name:<50} {share(right, count)}")
    print(f"{'verdicts, known cases':<50} {dict(Counter(o.verdict for o in known))}")


def print_misses(outcomes: list[Outcome]) -> None:
    """Every case that is not right, with what was answered."""
    for o in outcomes:
        wanted = "|".join(sorted(o.case.accepted)) or "none"
        if (o.group == "known" and not o.first) or (o.group != "known" and o.answered):
            print(f"MISS {o.case.id} ({o.group}) want {wanted} got {o.verdict} {o.answer}")
        if o.case.root_line and not o.line:
            print(f"LINE {o.case.id} ({o.group})\n  want {o.case.root_line[:140]}\n  got  {o.named[:140]}")


def print_confusion(outcomes: list[Outcome]) -> None:
    """What was answered for what was wanted, where the two differ."""
    pairs = Counter(
        ("|".join(sorted(o.case.accepted)) or "none", o.answer.rpartition(" ")[0])
        for o in outcomes
        if o.answered and not o.first
    )
    for (wanted, answer), count in pairs.most_common():
        print(f"  {count:3} {wanted} -> {answer}")
    print(f"{'taken for another entry or cause':<50} {sum(pairs.values())}/{len(outcomes)}")
