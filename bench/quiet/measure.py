"""How often something is answered where nothing is known: the quiet corpus, whole pastes and single lines.

    python bench/quiet/measure.py              the figures, and everything that was answered
    python bench/quiet/measure.py --pastes     whole pastes only

A paste is what one program printed (record.py). Each of its lines is also handed in alone. Programs whose
failure an entry truly describes are left out, and the figure says how many: their cards (cards/*.txt) name
the entry behind the program's name.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench.quiet.cards import all_cards  # noqa: E402
from kb.diagnose import diagnose  # noqa: E402
from kb.diagnose.index import Index, load_index  # noqa: E402

RECORDED = ROOT / "tests" / "proof" / "quiet" / "recorded.jsonl.gz"
MOST = 1 / 1000  # answers that are allowed, per paste and per line


@dataclass(frozen=True)
class Quiet:
    """What one program printed."""

    id: str
    program: str
    known: frozenset[str]  # entries that truly describe it
    text: str


@dataclass(frozen=True)
class Answer:
    """An answer where none may be."""

    verdict: str
    entry: str
    confidence: float
    line: str

    def __str__(self) -> str:
        return f"{self.verdict} {self.entry} {self.confidence:.2f}\n    {self.line.strip()[:150]}"


def recorded(path: Path = RECORDED) -> list[Quiet]:
    """All that is recorded. Which entries describe a program its card says."""
    cards = {card.name: frozenset(card.known) for card in all_cards()}
    rows = map(json.loads, gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())
    return [Quiet(row["id"], row["program"], cards[row["program"]], row["text"]) for row in rows]


def unknown(pastes: Iterable[Quiet], index: Index) -> list[Quiet]:
    """The pastes that no entry of the index describes."""
    known = labels(index)
    return [paste for paste in pastes if not paste.known & known]


def labels(index: Index) -> set[str]:
    """Ids of all entries and causes."""
    entries = [index.entry(number) for number in range(len(index))]
    return {entry.id for entry in entries} | {cause.id for entry in entries for cause in entry.causes}


def answer_to(text: str, index: Index) -> Answer | None:
    """What is answered to a text, None for `no_match`."""
    diagnosis = diagnose(text, index)
    if diagnosis.verdict == "no_match" or diagnosis.best is None:
        return None
    best = diagnosis.best
    entries = {h.entry: failure for failure in reversed(diagnosis.failures) for h in failure.hypotheses}
    name = f"{best.entry}/{best.cause}" if best.cause else best.entry
    return Answer(diagnosis.verdict, name, best.confidence, entries[best.entry].initiating.text)


def described(every: Iterable[Quiet], index: Index) -> set[str]:
    """The lines of pastes that an entry describes: such a line is its message wherever it stands."""
    known = labels(index)
    return {line for paste in every if paste.known & known for line in paste.text.splitlines()}


def lines_of(pastes: Iterable[Quiet]) -> Iterator[tuple[str, str]]:
    """Every line that says something, with the paste that it is from."""
    for paste in pastes:
        for line in paste.text.splitlines():
            if line.strip():
                yield paste.id, line


def measure_pastes(pastes: list[Quiet], index: Index) -> list[str]:
    """The answers to whole pastes, with the paste's id."""
    found = ((paste.id, answer_to(paste.text, index)) for paste in pastes)
    return [f"{name}: {answer}" for name, answer in found if answer]


def measure_lines(pastes: list[Quiet], known: set[str], index: Index) -> tuple[int, list[str]]:
    """How many lines there are, and the answers to them; equal lines are asked once and counted each."""
    first = {line: name for name, line in reversed(list(lines_of(pastes)))}
    times = Counter(line for _, line in lines_of(pastes))
    print(f"{len(first)} different lines")
    found = []
    for line, name in first.items():
        if line not in known and (answer := answer_to(line, index)):
            found += [f"{name} ({times[line]} x): {answer}"] * times[line]
    return sum(times.values()), found


def figure(what: str, count: int, answers: list[str]) -> str:
    said = "as wanted" if len(answers) <= MOST * count else "TOO MANY"
    rate = len(answers) / count * 1000
    return f"answered {what:<8}{len(answers):>6} of {count:<7}{rate:8.2f} in 1,000   {said}"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pastes", action="store_true", help="no single lines")
    parser.add_argument("--index", type=Path, default=ROOT / "build" / "index.json", help="compiled index")
    options = parser.parse_args(argv)
    index = load_index(options.index)
    every = recorded()
    pastes = unknown(every, index)
    programs = len({paste.program for paste in pastes})
    print(f"{len(pastes)} pastes of {programs} programs")
    print(f"{len(every) - len(pastes)} that an entry describes left out")
    answers = measure_pastes(pastes, index)
    print(figure("pastes", len(pastes), answers))
    if not options.pastes:
        count, to_lines = measure_lines(pastes, described(every, index), index)
        print(figure("lines", count, to_lines))
        answers += list(dict.fromkeys(to_lines))
    for text in answers:
        print(f"ANSWERED {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
