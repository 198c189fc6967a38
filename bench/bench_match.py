"""The matcher alone: how long a paste takes, in which step, with how much memory, and how both grow.

`reading` is a diagnosis without any entry: the text is cleaned and read, and what failed first is named.
`adds` is what matching against the real entries takes beyond that. Both have a target where one is set.
Times are CPU time of this process, medians of several runs, the two kinds in turns; what was loaded is kept
from the garbage collector, as the server keeps it. `spread` is the range of the middle half of the diagnoses
over their median. Growth is time and memory for four times the text: 4 is linear, 16 quadratic.
"""

from __future__ import annotations

import gc
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
FEWEST, MOST = 6, 200  # runs
TURN = 3  # runs of one kind at a time


@dataclass(frozen=True)
class Text:
    """A paste to measure, and in milliseconds what reading it and matching it may take, where that is set."""

    name: str
    text: str
    reading: float | None = None
    adds: float | None = None


def main() -> None:
    index, nothing = compiled(ROOT / "entries"), no_entries()
    print(f"{len(index)} entries; CPU milliseconds, medians")
    print(f"{'paste':<22}{'lines':>7}{'KB':>7}{'total':>9}{'spread':>8}", end="")
    print(f"{'reading':>9}{'target':>8}{'adds':>8}{'target':>8}   ", end="")
    print("".join(f"{step:>9}" for step in STEPS) + f"{'peak MB':>9}")
    for text in ordinary():
        print(measured(text, index, nothing))
    print("\ngrowth at four times the text (4 is linear)")
    print(f"{'paste':<32}{'KB':>7}{'ms':>9}{'time':>7}{'memory':>8}")
    for name, make in HOSTILE.items():
        print(growth(name, make, index))


def compiled(entries: Path) -> Index:
    """The index of a folder of entries."""
    with TemporaryDirectory() as folder:
        write_catalog(load_catalog(entries), Path(folder))
        return load_index(Path(folder) / "index.json")


def no_entries() -> Index:
    """An index that knows nothing."""
    with TemporaryDirectory() as folder:
        return compiled(Path(folder))


def ordinary() -> Iterator[Text]:
    """Pastes as people make them: one failure in healthy lines, and a text that is nothing but failures."""
    examples = [path.read_text() for path in sorted((ROOT / "entries").glob("*/match-*.txt"))]
    longest = max(examples, key=lambda text: text.count("\n"))
    yield Text("60 lines", "\n".join([*longest.splitlines(), *healthy(60)][:60]), 1.5, 1.0)
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


def measured(text: Text, index: Index, nothing: Index) -> str:
    """One row of the table."""
    timed_steps(text.text, index)  # parses templates
    gc.collect()
    gc.freeze()
    runs: list[list[float]] = []
    readings: list[float] = []
    until = time.monotonic() + SECONDS
    while len(runs) < FEWEST or (len(runs) < MOST and time.monotonic() < until):
        readings += [timed(text.text, nothing) for _ in range(TURN)]
        runs += [timed_steps(text.text, index) for _ in range(TURN)]
    totals = [sum(run) for run in runs]
    low, middle, high = quantiles(totals, n=4)
    reading = median(readings)
    steps = "".join(f"{median(run[i] for run in runs):>9.2f}" for i in range(len(STEPS)))
    return (
        f"{text.name:<22}{text.text.count(chr(10)) + 1:>7}{len(text.text) / 1000:>7.0f}{middle:>9.2f}"
        f"{(high - low) / middle:>8.0%}{reading:>9.2f}{told(text.reading):>8}"
        f"{middle - reading:>8.2f}{told(text.adds):>8}   {steps}{peak(text.text, index):>9.1f}"
    )


def told(target: float | None) -> str:
    """A target as the table shows it."""
    return f"{target:g}" if target else "-"


def timed(text: str, index: Index) -> float:
    """CPU milliseconds of one diagnosis."""
    begin = time.process_time()
    diagnose(text, index)
    return 1000 * (time.process_time() - begin)


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
    steps = [1000 * (after - before) for before, after in pairwise(marks)]
    return [*steps, timed(text, index) - sum(steps)]


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
