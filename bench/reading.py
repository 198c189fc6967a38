"""How well pastes are read: is the initiating line right, is the process right, are quiet texts left quiet?

    python bench/reading.py tests/lab/cases.jsonl ../shared/cases/positive.jsonl

Files are those of bench/accuracy/cases.py and of the laboratory (bench/lab). Each case is read as it stands,
and once more hidden among the lines of other processes (bench/lab/compose.py): `--lines` and `--processes`
say how deep, `--seeds` how often.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.lab.compose import Case, compose, read_cases, root_lines  # noqa: E402
from kb.diagnose import diagnose  # noqa: E402
from kb.diagnose.clean.text import Process  # noqa: E402
from kb.diagnose.diagnosis import Diagnosis, Failure  # noqa: E402
from kb.diagnose.index import Index, load_index  # noqa: E402

# Cases of the shared files that hold no failure: prose that quotes a message, and runs that end well. Their
# rows do not say so; all others of that file fail somehow, if only outside the knowledge base.
QUIET = frozenset({"neg-069", "neg-072"})
Fields = dict[str, str]


@dataclass(frozen=True)
class Truth:
    """What is right. No lines: nothing failed. No processes: the text does not show any."""

    lines: frozenset[int]
    processes: tuple[Fields, ...]
    quiet: bool = False
    consequences: frozenset[int] = frozenset()  # lines that follow from the failure
    culprit: str | None = None  # rank that started it without a word of its own


@dataclass(frozen=True)
class Outcome:
    """One text and what came out."""

    case: str
    form: str  # plain or composed
    style: str
    failed: bool  # a failure was reported
    line: bool | None  # None: there is nothing to be right about
    process: bool | None
    answer: str
    grouped: bool | None = None  # no consequence is reported as a failure of its own
    culprit: bool | None = None  # the rank that kept silent is named

    @property
    def right(self) -> bool:
        return self.line is not False and self.process is not False


def truth_of(case: Case) -> Truth:
    """The truth of a case as it stands in its file."""
    if case.get("ending", "failure") != "failure" or case["id"] in QUIET:
        return Truth(frozenset(), (), quiet=True)
    processes = [*case.get("processes", ())]
    if processes and case.get("culprit"):
        processes.append({key: value for key, value in case["culprit"].items() if key in processes[0]})
    if case.get("initiating_rank") is not None:
        processes = [{"any": str(case["initiating_rank"])}]
    culprit = case.get("culprit", {}).get("rank")
    return Truth(
        frozenset(root_lines(case)),
        tuple(processes),
        consequences=frozenset(case.get("secondary", ())),
        culprit=culprit,
    )


def same_process(named: Process, wanted: Fields) -> bool:
    """Whether all that is wanted was said. Hosts and services are both names that a launcher gave."""
    told: Fields = {
        key: value
        for key in ("host", "rank", "local_rank", "role", "pid")
        if (value := getattr(named, key)) is not None
    }
    names = {told.get("host"), told.get("role")}
    return all(
        names_it(value, told)
        if key == "any"
        else value in names
        if key in ("host", "role")
        else told.get(key) == value
        for key, value in wanted.items()
    )


def names_it(value: str, told: Fields) -> bool:
    """Whether some field is what a case names. A GPU's address is told with its domain: `GPU 0000:3b:00`."""
    return value in told.values() or (":" in value and any(each.endswith(value) for each in told.values()))


def main_failure(diagnosis: Diagnosis) -> Failure | None:
    """The failure that `best` belongs to, else the first that was not handled."""
    best = diagnosis.best
    live = [failure for failure in diagnosis.failures if not failure.handled]
    for failure in live:
        if best and any((h.entry, h.cause) == (best.entry, best.cause) for h in failure.hypotheses):
            return failure
    return live[0] if live else None


def judge(case: str, form: str, style: str, text: str, truth: Truth, index: Index) -> Outcome:
    """Read one text and compare."""
    diagnosis = diagnose(text, index)
    failure = main_failure(diagnosis)
    first = failure.initiating if failure else None
    line = process = None
    if truth.lines:
        line = first is not None and first.line in truth.lines
    if truth.processes:
        process = first is not None and any(same_process(first.process, one) for one in truth.processes)
    answer = f"{first.line}: {first.text[:110]} {show(first.process)}" if first else "no failure"
    named = {f.initiating.line for f in diagnosis.failures if not f.handled}
    grouped = not named & truth.consequences if truth.consequences else None
    culprit = names_rank(diagnosis, truth.culprit) if truth.culprit else None
    return Outcome(case, form, style, failure is not None, line, process, answer, grouped, culprit)


def names_rank(diagnosis: Diagnosis, rank: str) -> bool:
    """Whether a rank is said to have failed or kept silent."""
    return any(
        rank == failure.initiating.process.rank or rank in failure.silent_ranks
        for failure in diagnosis.failures
    )


def show(process: Process) -> str:
    fields = ("host", "rank", "local_rank", "role", "pid")
    told = [f"{key}={getattr(process, key)}" for key in fields if getattr(process, key) is not None]
    return f"<{' '.join(told) or 'unknown process'}>"


def judge_all(cases: list[Case], index: Index, options: argparse.Namespace) -> Iterator[Outcome]:
    for case in cases:
        truth = truth_of(case)
        if not truth.quiet and not truth.lines:
            continue  # nothing is known of its lines
        yield judge(case["id"], "plain", "", case["text"], truth, index)
        for seed in range(options.seeds):
            made = compose(case, seed, options.processes, options.lines)
            hidden = Truth(
                frozenset(made.lines),
                made.processes if truth.lines else (),
                truth.quiet,
                consequences=frozenset(made.consequences),
            )
            yield judge(case["id"], "composed", f"{made.style}, seed {seed}", made.text, hidden, index)


def progress(outcomes: Iterator[Outcome], total: int) -> list[Outcome]:
    """All outcomes, with a count on a terminal: composed logs take a while."""
    done, last = [], time.monotonic()
    for outcome in outcomes:
        done.append(outcome)
        if sys.stderr.isatty() and time.monotonic() - last > 1:
            last = time.monotonic()
            print(f"\r{len(done)} of at most {total} texts", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return done


def share(values: list[bool]) -> str:
    return f"{sum(values)}/{len(values)} = {sum(values) / len(values):.1%}" if values else "no cases"


def print_table(outcomes: list[Outcome], options: argparse.Namespace) -> None:
    plain = [o for o in outcomes if o.form == "plain"]
    composed = [o for o in outcomes if o.form == "composed"]
    depth = f"{options.lines} lines, {options.processes} processes"
    rows: list[tuple[str, Any]] = [
        ("initiating line right", share(known(plain, "line"))),
        (
            "initiating process right, where it is shown",
            share(known(plain, "process")),
        ),
        (f"line and process right, {depth}", share([o.right for o in composed if o.line is not None])),
        (f"line right, {depth}", share(known(composed, "line"))),
        ("no consequence reported as a failure of its own", share(known(plain, "grouped"))),
        (f"the same, {depth}", share(known(composed, "grouped"))),
        ("silent culprit named", share(known(plain, "culprit"))),
        ("quiet texts that were reported as a failure", quiet(plain)),
        (f"the same, {depth}", quiet(composed)),
    ]
    for name, value in rows:
        print(f"{name:<60} {value}")


def known(outcomes: list[Outcome], field: str) -> list[bool]:
    """The values of a field where there is something to be right about."""
    return [value for o in outcomes if (value := getattr(o, field)) is not None]


def quiet(outcomes: list[Outcome]) -> str:
    texts = [o for o in outcomes if o.line is None]
    return f"{sum(o.failed for o in texts)}/{len(texts)}"


def print_misses(outcomes: list[Outcome], cases: dict[str, Case]) -> None:
    """Every text that is not right, with what was answered."""
    for o in outcomes:
        if o.line is None and o.failed:
            print(f"QUIET   {o.case} {o.form} {o.style}\n  got  {o.answer}")
        elif o.right and o.grouped is False:
            print(f"GROUP   {o.case} {o.form} {o.style}\n  a consequence is reported as a failure of its own")
        elif not o.right:
            what = "LINE   " if o.line is False else "PROCESS"
            truth = truth_of(cases[o.case])
            lines = cases[o.case]["text"].splitlines()
            said = [f"{n}: {lines[n - 1][:110]}" for n in sorted(truth.lines)[:3]]
            print(f"{what} {o.case} {o.form} {o.style}")
            print(f"  want {' | '.join(said)} {list(truth.processes) or ''}\n  got  {o.answer}")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, help="JSON Lines files of cases")
    parser.add_argument("--index", type=Path, default=ROOT / "build" / "index.json", help="compiled index")
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=1, help="composed logs for each case (0: none)")
    parser.add_argument("--no-misses", action="store_true", help="only the tables")
    options = parser.parse_args(argv)
    index = load_index(options.index)
    for file in options.files:
        cases = read_cases(file)
        outcomes = progress(judge_all(cases, index, options), len(cases) * (1 + options.seeds))
        print(f"\n{file}: {len(cases)} cases")
        print_table(outcomes, options)
        if not options.no_misses:
            print_misses(outcomes, {case["id"]: case for case in cases})
    return 0


if __name__ == "__main__":
    sys.exit(main())
