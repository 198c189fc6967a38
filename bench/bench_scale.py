"""The matcher with many signatures: loading, memory and time for the entries alone, and with many more.

Each index is measured in a process of its own. Times are CPU milliseconds: the median, and in brackets the
middle half of the runs. `held` is what the process has grown by after loading, `peak` the most that it had
grown by until then, and `warm` what it has grown by after all pastes. `first` is a paste of a text that the
process has not yet seen, when templates are still to be parsed; `reading` is the part that no index changes.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.bench_match import ordinary  # noqa: E402
from bench.synthetic import synthetic_entries  # noqa: E402
from kb.catalog.compiler import compile_catalog  # noqa: E402
from kb.catalog.index_form import index_json, index_text  # noqa: E402
from kb.catalog.loader import load_catalog  # noqa: E402
from kb.diagnose import diagnose  # noqa: E402
from kb.diagnose.clean import clean  # noqa: E402
from kb.diagnose.index import load_index  # noqa: E402
from kb.diagnose.read import read_report  # noqa: E402

MORE = (0, 5_000, 50_000)  # synthetic signatures beside those of the entries
SECONDS = 2.0  # for each figure, at least
FEWEST, MOST = 5, 200  # runs
# No entry knows it: what is damaged or only related is looked for among all signatures.
UNKNOWN = "ValueError: the scheduler lost 3 pages of its block table and stopped for good"


def main() -> None:
    own = compile_catalog(load_catalog(ROOT / "entries")).index
    signatures = sum(len(entry["signatures"]) for entry in own["entries"])
    synthetic = synthetic_entries(max(MORE))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "index.json"
        for more in MORE:
            index = index_json(own["entries"] + synthetic[:more], own["checks"])
            path.write_text(index_text(index), encoding="utf-8")
            print(f"{signatures + more:,} signatures, {path.stat().st_size / 1e6:.1f} MB", flush=True)
            subprocess.run([sys.executable, __file__, str(path)], check=True)


def measure(path: Path) -> None:
    """What one index costs, printed."""
    before = grown()
    index = load_index(path)
    held, most = grown() - before, peak() - before
    print(f"  load {shown(timed(lambda: load_index(path)))}; held {held:.0f} MB, peak {most:.0f} MB")
    for name, text in [(paste.name, paste.text) for paste in ordinary()] + [("unknown", UNKNOWN)]:
        begin = time.process_time()
        diagnose(text, index)
        first = 1000 * (time.process_time() - begin)
        whole = timed(lambda text=text: diagnose(text, index))  # type: ignore[misc]
        reading = timed(lambda text=text: read_report(clean(text)))  # type: ignore[misc]
        print(f"  {name:<20}{shown(whole):>24}   first {first:7.1f}   reading {shown(reading)}")
    print(f"  warm {grown() - before:.0f} MB")


def timed(work: Callable[[], object]) -> list[float]:
    """CPU milliseconds of each run."""
    runs: list[float] = []
    until = time.monotonic() + SECONDS
    while len(runs) < FEWEST or (len(runs) < MOST and time.monotonic() < until):
        begin = time.process_time()
        work()
        runs.append(1000 * (time.process_time() - begin))
    return runs


def shown(runs: list[float]) -> str:
    low, _, high = quantiles(runs, n=4)
    return f"{median(runs):.2f} ({low:.2f} to {high:.2f})"


def grown() -> float:
    """Megabytes of memory that this process has now."""
    return memory("VmRSS")


def peak() -> float:
    """The most that it has had since it was started."""
    return memory("VmHWM")


def memory(name: str) -> float:
    """A figure of the kernel's about this process, in megabytes."""
    rows = Path("/proc/self/status").read_text().splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith(name)) * 1024 / 1e6


if __name__ == "__main__":
    if len(sys.argv) == 2:
        measure(Path(sys.argv[1]))
    else:
        main()
