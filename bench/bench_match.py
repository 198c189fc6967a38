"""The matcher alone: how long a paste takes, in which step, with how much memory, and how both grow.

Times are CPU time of this process, medians of several runs; `spread` is the range of the middle half of the
runs over the median. Growth is time and memory for four times the text: 4 is linear, 16 quadratic.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.hostile import HOSTILE, healthy  # noqa: E402
from kb.catalog.build import write_catalog  # noqa: E402
from kb.catalog.loader import load_catalog  # noqa: E402
from kb.diagnose import diagnose  # noqa: E402
from kb.diagnose.clean import clean  # noqa: E402
from kb.diagnose.failures import group_failures  # noqa: E402
from kb.diagnose.index import Index, load_index  # noqa: E402
from kb.diagnose.read import read_report  # noqa: E402
from kb.diagnose.recall import recall  # noqa: E402

STEPS = ("clean", "read", "recall", "group", "conclude")
SECONDS = 2.0  # for each text, at least
FEWEST, MOST = 5, 200  # runs


@dataclass(frozen=True)
class Text:
    """A paste to measure; `target` in milliseconds, where there is one."""

    name: str
    text: str
    target: float | None = None


def main() -> None:
    with TemporaryDirectory() as folder:
        write_catalog(load_catalog(ROOT / "entries"), Path(folder))
        index = load_index(Path(folder) / "index.json")
    print(f"{len(index)} entries; CPU milliseconds, medians")
    print(f"{'paste':<22}{'lines':>7}{'KB':>7}{'total':>9}{'spread':>8}{'target':>8}   ", end="")
    print("".join(f"{step:>9}" for step in STEPS) + f"{'peak MB':>9}")
    for text in ordinary():
        print(measured(text, index))
    print("\ngrowth at four times the text (4 is linear)")
    print(f"{'paste':<32}{'KB':>7}{'ms':>9}{'time':>7}{'memory':>8}")
    for name, make in HOSTILE.items():
        print(growth(name, make, index))


def ordinary() -> Iterator[Text]:
    """Pastes as people make them: one failure in healthy lines, and a text that is nothing but failures."""
    examples = [path.read_text() for path in sorted((ROOT / "entries").glob("*/match-*.txt"))]
    longest = max(examples, key=lambda text: text.count("\n"))
    yield Text("60 lines", "\n".join([*longest.splitlines(), *healthy(60)][:60]), 1.5)
    yield Text("100 KB log", inside(longest, 100_000), 10.0)
    yield Text("1 MB log", inside(longest, 1_000_000), 100.0)
    failures = "\n".join(examples)
    yield Text("100 KB of failures", (failures * (100_000 // len(failures) + 1))[:100_000])


def inside(failure: str, size: int) -> str:
    """A failure in the middle of healthy lines, about `size` characters."""
    lines = healthy(size // 100)
    half = size // 2
    head = "\n".join(lines)[:half].rpartition("\n")[0]
    tail = "\n".join(lines[::-1])[: half - len(failure)].partition("\n")[2]
    return f"{head}\n{failure}\n{tail}"


def measured(text: Text, index: Index) -> str:
    """One row of the table."""
    runs = [timed_steps(text.text, index) for _ in range(2)]  # the first parses templates
    del runs[0]
    until = time.monotonic() + SECONDS
    while len(runs) < FEWEST or (len(runs) < MOST and time.monotonic() < until):
        runs.append(timed_steps(text.text, index))
    totals = [sum(run) for run in runs]
    low, _, high = quantiles(totals, n=4)
    target = f"{text.target:g}" if text.target else "-"
    steps = "".join(f"{median(run[i] for run in runs):>9.2f}" for i in range(len(STEPS)))
    return (
        f"{text.name:<22}{text.text.count(chr(10)) + 1:>7}{len(text.text) / 1000:>7.0f}{median(totals):>9.2f}"
        f"{(high - low) / median(totals):>8.0%}{target:>8}   {steps}{peak(text.text, index):>9.1f}"
    )


def timed_steps(text: str, index: Index) -> list[float]:
    """CPU milliseconds of each step for one paste; the last is what `diagnose` takes beyond the others."""
    marks = [time.process_time()]
    cleaned = clean(text)
    marks.append(time.process_time())
    report = read_report(cleaned)
    marks.append(time.process_time())
    candidates = recall(report, index)
    marks.append(time.process_time())
    group_failures(report, candidates, index)
    marks.append(time.process_time())
    del cleaned, report, candidates
    begin = time.process_time()
    diagnose(text, index)
    whole = time.process_time() - begin
    steps = [after - before for before, after in pairwise(marks)]
    return [1000 * step for step in (*steps, whole - sum(steps))]


def peak(text: str, index: Index) -> float:
    """The most memory that one diagnosis holds, in MB, the paste itself not counted."""
    tracemalloc.start()
    diagnose(text, index)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1_000_000


SMALL = 250_000  # characters of the smaller text


def growth(name: str, make: Callable[[int], str], index: Index) -> str:
    """How time and memory grow from a hostile text to one of four times its size."""
    small, large = make(SMALL), make(4 * SMALL)
    fast, slow = fastest(small, index), fastest(large, index)
    memory = peak(large, index) / peak(small, index)
    return f"{name:<32}{len(large) / 1000:>7.0f}{slow:>9.1f}{slow / fast:>7.1f}{memory:>8.1f}"


def fastest(text: str, index: Index) -> float:
    """CPU milliseconds of the quickest of a few runs."""
    return min(sum(timed_steps(text, index)) for _ in range(3))


if __name__ == "__main__":
    main()
