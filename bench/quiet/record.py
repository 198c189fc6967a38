"""Run real programs, healthy and failing in ways that no entry is about, and keep what they print.

    python bench/quiet/record.py                   what is not recorded yet
    python bench/quiet/record.py --again           everything anew
    python bench/quiet/record.py --only numpy      programs whose name holds the word, anew

Needs Linux and an environment with the packages of packages.txt; it is made once, by default in
build/quiet-venv (5 to 9 GB). Other programs are used where they are there (gcc, cmake, java, go, cargo, node,
ruby, php, lua, perl, git, nginx, redis, postgres ...); where one is missing, its cards are left out.
Writes tests/proof/quiet/recorded.jsonl.gz: `id`, `program`, `style`, `status`, `text`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import venv
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench.lab.record import end_session  # noqa: E402
from bench.lab.scrub import HOME, HOST, scrub  # noqa: E402
from bench.quiet.cards import PYTHON, Card, all_cards, filled, values  # noqa: E402
from bench.quiet.dress import DRESSES, dressed  # noqa: E402
from bench.quiet.private import left_over, without_hosts  # noqa: E402
from bench.quiet.styles import STYLES  # noqa: E402

OUT = ROOT / "tests" / "proof" / "quiet" / "recorded.jsonl.gz"
PACKAGES = Path(__file__).parent / "packages.txt"
LIMIT = 40  # seconds for one run
MOST_LINES = 120  # of one run that are kept
FEWEST_CHARACTERS = 12


@dataclass(frozen=True)
class Run:
    """One run of a card."""

    card: Card
    number: int

    @property
    def id(self) -> str:
        return f"{self.card.name}-{self.number}"

    @property
    def rng(self) -> Random:
        return Random(self.id)

    @property
    def style(self) -> str:
        """The first run of a card is plain; the others are each in a style of their own."""
        first, *others = STYLES if self.card.group in PYTHON else DRESSES
        drawn = Random(f"styles {self.card.name}").sample(others, self.card.runs - 1)
        return [first, *drawn][self.number]


def make_environment(folder: Path) -> Path:
    """The Python that the cards run with, and its packages."""
    python = folder / "bin" / "python"
    if not python.exists():
        print(f"Creating {folder} (5 to 9 GB, some minutes) ...", flush=True)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-qq", "-r", PACKAGES], check=True)
    return python


def write_files(run: Run, folder: Path, marks: dict[str, str]) -> str:
    """Lay the files of a run into a folder; the command that starts it."""
    card = run.card
    if card.group in PYTHON:
        job = f"{marks['@noun@']}s"
        main = Random(f"main {run.id}").choice(["main.py", "run.py", "job.py", "cli.py"])
        (folder / f"{job}.py").write_text(filled(card.code, marks), "utf-8")
        (folder / main).write_text(STYLES[run.style].replace("JOB", job), "utf-8")
        return f"python {main}"
    for path, text in card.files.items():
        target = folder / filled(path, marks)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(filled(text, marks), "utf-8")
    return filled(card.command, marks)


def environment(python: Path, home: Path) -> dict[str, str]:
    """What a run sees: nothing of this machine's settings, and no way to a hub or an index."""
    tool_homes = {
        name: str(path)
        for name, path in (("RUSTUP_HOME", Path.home() / ".rustup"), ("CARGO_HOME", Path.home() / ".cargo"))
        if path.exists()
    }
    return {
        "PATH": f"{python.parent}:{os.environ['PATH']}",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "HF_HUB_OFFLINE": "1",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_ROOT_USER_ACTION": "ignore",
        "GIT_CONFIG_NOSYSTEM": "1",
        "npm_config_update_notifier": "false",
        **tool_homes,
    }


def execute(run: Run, python: Path, folder: Path) -> tuple[str, int]:
    """What a run prints, on both streams as they come, and its exit status."""
    marks = values(run.rng)
    work, home = folder / marks["@noun@"], folder / "home"
    work.mkdir()
    home.mkdir()
    script = dressed(run.style, write_files(run, work, marks), work)
    status = wait_for(script, work, environment(python, home), folder / "log")
    text = (folder / "log").read_bytes().decode("utf-8", errors="replace")
    places = {
        str(work): f"{HOME}/{marks['@noun@']}",
        str(home): HOME,
        str(folder): f"{HOME}/tmp",
        str(python.parents[1]): "/opt/venv",
        os.path.realpath(sys.base_prefix): "/usr/local",
        str(Path.home()): HOME,
        str(ROOT): "/srv/app",
    }
    lines = without_hosts(scrub(text, places, socket.gethostname()), HOST).splitlines(keepends=True)
    return "".join(lines[:MOST_LINES]), status


def wait_for(script: str, work: Path, environment: dict[str, str], log: Path) -> int:
    """Run a script to its end, its exit status; processes that it leaves behind go with it."""
    with log.open("w+b") as out:
        job = subprocess.Popen(
            ["bash", "-c", script],
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            return job.wait(timeout=LIMIT)
        finally:
            end_session(job.pid)


def record(run: Run, python: Path) -> dict[str, Any] | str:
    """The row of a run, or why there is none."""
    program = run.card.command.split()[0] if run.card.command else "python"
    if "=" not in program and not shutil.which(program, path=f"{python.parent}:{os.environ['PATH']}"):
        return f"{program} is not there"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            text, status = execute(run, python, Path(folder).resolve())
        except subprocess.TimeoutExpired:
            return "took too long"
    if "command not found" in text and status == 127 and run.card.group != "scripts":
        return text.strip()[:80]
    if len(text.strip()) < FEWEST_CHARACTERS:
        return "printed nothing"
    if found := left_over(text):
        return f"still names {found}"
    return {
        "id": run.id,
        "program": run.card.name,
        "style": run.style,
        "status": status,
        "text": text,
    }


def read_rows() -> dict[str, dict[str, Any]]:
    """What is recorded, by id."""
    if not OUT.exists():
        return {}
    lines = gzip.decompress(OUT.read_bytes()).decode("utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def write_rows(rows: dict[str, dict[str, Any]]) -> None:
    """Rows of cards that are there, in their order; two runs that printed the same are one."""
    order = {run.id: number for number, run in enumerate(all_runs())}
    kept = sorted((row for row in rows.values() if row["id"] in order), key=lambda row: order[row["id"]])
    different = {row["text"]: row for row in reversed(kept)}
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in reversed(different.values()))
    OUT.write_bytes(gzip.compress("".join(lines).encode("utf-8"), mtime=0))


def all_runs() -> list[Run]:
    return [Run(card, number) for card in all_cards() for number in range(card.runs)]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help="programs whose name holds this")
    parser.add_argument("--again", action="store_true", help="record what is already there as well")
    parser.add_argument("--venv", type=Path, default=ROOT / "build" / "quiet-venv", help="its environment")
    parser.add_argument("--jobs", type=int, default=2, help="runs at the same time")
    options = parser.parse_args(argv)
    python = make_environment(options.venv.absolute())
    rows = read_rows()
    known = set() if options.again or options.only else set(rows)
    todo = [r for r in all_runs() if r.id not in known and (options.only or "") in r.card.name]
    start = time.monotonic()
    with ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda run: record(run, python), todo)
        for number, (run, row) in enumerate(zip(todo, results, strict=True), start=1):
            if isinstance(row, str):
                print(f"none of {run.id} ({run.style}): {row}", flush=True)
            else:
                rows[run.id] = row
            if number % 100 == 0 or number == len(todo):
                write_rows(rows)
                print(f"{number}/{len(todo)} {time.monotonic() - start:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
