"""How often the answer is right, on files of cases: a table, and every miss.

    python bench/accuracy.py cases.jsonl more-cases.jsonl

A case is a JSON line with `id`, `text` and either `label` (the failure that started it; `root_line` is a
part of the line that did) or `expect` (`none`, a label, or a family with the labels in `accept`). A case
counts for the first figures only when the knowledge base has an entry or cause with its label. A case from
which an entry's example was made does not count for that entry: `--leave-out IDS` names such cases.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Diagnosis, Failure
from kb.diagnose.index import Index, load_index

Case = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """One case and what came out."""

    case: Case
    group: str  # known, unknown, none
    verdict: str
    answer: str
    first: bool
    in_three: bool
    line: bool
    named: str  # the initiating line that was answered

    @property
    def wrong(self) -> bool:
        """An answer that costs hours: said with `match`, and not right."""
        return self.verdict == "match" and not self.first


def accepted(case: Case) -> set[str]:
    """The labels that count as right. Empty when nothing may be answered."""
    if "label" in case:
        return {case["label"]}
    return set(case.get("accept") or ()) or ({case["expect"]} - {"none"})


def known_labels(index: Index) -> set[str]:
    """Ids of all entries and causes."""
    entries = [index.entry(number) for number in range(len(index))]
    return {e.id for e in entries} | {c.id for e in entries for c in e.causes}


def try_case(case: Case, index: Index, known: set[str]) -> Outcome:
    """Diagnose one case and compare."""
    wanted = accepted(case)
    group = "none" if not wanted else "known" if wanted & known else "unknown"
    diagnosis = diagnose(case["text"], index)
    failure = main_failure(diagnosis)
    best = diagnosis.best
    hypotheses = failure.hypotheses if failure else ()
    names = [(h.entry, h.cause) for h in hypotheses]
    line = failure.initiating.text if failure else ""
    return Outcome(
        case=case,
        group=group,
        verdict=diagnosis.verdict,
        answer=f"{best.entry}/{best.cause} {best.confidence}" if best else "-",
        first=best is not None and bool({best.entry, best.cause} & wanted),
        in_three=any({entry, cause} & wanted for entry, cause in names[:3]),
        line=squeeze(case.get("root_line", "")) in squeeze(line),
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


def share(outcomes: list[Outcome], field: str) -> str:
    right = sum(getattr(o, field) for o in outcomes)
    return f"{right}/{len(outcomes)} = {right / len(outcomes):.1%}" if outcomes else "no cases"


def print_table(outcomes: list[Outcome]) -> None:
    known = [o for o in outcomes if o.group == "known"]
    unknown = [o for o in outcomes if o.group == "unknown"]
    none = [o for o in outcomes if o.group == "none"]
    lined = [o for o in outcomes if o.case.get("root_line")]
    rows = [
        ("right first, where the knowledge base has it", share(known, "first")),
        ("among the first three", share(known, "in_three")),
        ("initiating line right, same cases", share([o for o in known if o.case.get("root_line")], "line")),
        ("initiating line right, all cases", share(lined, "line")),
        ("wrong with verdict match, same cases", share(known, "wrong")),
        ("answered where no entry covers it (match)", share_of(unknown, "match")),
        ("answered where no entry covers it (ambiguous)", share_of(unknown, "ambiguous")),
        ("answered where none is expected", share_of(none, "match", "ambiguous")),
        ("verdicts, known cases", str(dict(Counter(o.verdict for o in known)))),
    ]
    for name, value in rows:
        print(f"{name:<50} {value}")


def share_of(outcomes: list[Outcome], *verdicts: str) -> str:
    count = sum(o.verdict in verdicts for o in outcomes)
    return f"{count}/{len(outcomes)}"


def print_misses(outcomes: list[Outcome]) -> None:
    """Every case that is not right, with what was answered."""
    for o in outcomes:
        wanted = "|".join(sorted(accepted(o.case))) or "none"
        answered = o.verdict != "no_match"
        miss = (o.group == "known" and not o.first) or (o.group != "known" and answered)
        if miss:
            print(f"MISS {o.case['id']} ({o.group}) want {wanted} got {o.verdict} {o.answer}")
        if o.case.get("root_line") and not o.line:
            print(
                f"LINE {o.case['id']} ({o.group})\n  want {o.case['root_line'][:140]}\n  got  {o.named[:140]}"
            )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, help="JSON Lines files of cases")
    parser.add_argument("--index", type=Path, default=Path("build/index.json"), help="compiled index")
    parser.add_argument(
        "--leave-out", type=Path, help="file with ids of cases that became examples, one a line"
    )
    parser.add_argument("--no-misses", action="store_true", help="only the table")
    options = parser.parse_args(argv)
    index = load_index(options.index)
    left_out = set(options.leave_out.read_text().split()) if options.leave_out else set()
    cases = [
        json.loads(line) for file in options.files for line in file.read_text().splitlines() if line.strip()
    ]
    known = known_labels(index)
    outcomes = [try_case(case, index, known) for case in cases if case["id"] not in left_out]
    print(f"{len(outcomes)} cases, {len(cases) - len(outcomes)} left out, {len(index)} entries")
    print_table(outcomes)
    if not options.no_misses:
        print_misses(outcomes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
