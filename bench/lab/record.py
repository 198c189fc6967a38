"""Make the laboratory's failures for real and write their logs as cases.

    python bench/lab/record.py                  what is not recorded yet
    python bench/lab/record.py --again          everything anew
    python bench/lab/record.py --only killed    scenarios whose name holds the word, anew

Needs Linux and an environment with PyTorch (CPU), FastAPI and uvicorn; it is made once, by default in
build/lab-venv (about 1 GB). Writes tests/lab/logs/<name>.txt and tests/lab/cases.jsonl.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench.lab.scenarios import SCENARIOS, Scenario  # noqa: E402
from bench.lab.scrub import machine_places, scrub  # noqa: E402
from bench.lab.truth import NoTruth, find_truth, to_case  # noqa: E402

SCRIPTS = ROOT / "bench" / "lab" / "scripts"
OUT = ROOT / "tests" / "lab"
PACKAGES = (
    "torch==2.13.0",
    "numpy",
    "fastapi",
    "uvicorn",
    "gunicorn",
    "distributed",
    "joblib",
    "loguru",
    "rich",
    "pytest",
    "ipython",
)
CGROUPS = Path("/sys/fs/cgroup/memory")
LIMIT = 60  # seconds for one scenario


class Skipped(Exception):
    """A scenario that this machine cannot make."""


def make_environment(folder: Path) -> Path:
    """The laboratory's Python, with its packages."""
    python = folder / "bin" / "python"
    if not python.exists():
        print(f"Creating {folder} with {' '.join(PACKAGES)} (about 1 GB, some minutes) ...", flush=True)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-qq", *PACKAGES], check=True)
    return python


def command_of(scenario: Scenario, python: Path) -> list[str]:
    if scenario.ranks:
        launch = [str(python), "-m", "torch.distributed.run", "--standalone"]
        return [*launch, "--nproc-per-node", str(scenario.ranks), *scenario.options, *scenario.command]
    first, *rest = scenario.command
    return [str(python) if first == "python" else first, *rest]


def run(scenario: Scenario, python: Path, folder: Path) -> tuple[str, list[dict[str, Any]]]:
    """The log as a person would see it, and what the scripts told beside it."""
    told, ready = folder / "told.jsonl", folder / "ready"
    environment = {
        "PATH": f"{python.parent}:{os.environ['PATH']}",
        "HOME": str(Path.home()),
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LAB_TRUTH": str(told),
        "LAB_READY": str(ready),
        **scenario.environment,
    }
    if scenario.cgroup:
        environment["LAB_CGROUP"] = str(make_cgroup())
    with (folder / "log").open("w+b") as log:
        job = subprocess.Popen(
            command_of(scenario, python),
            cwd=SCRIPTS,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            if scenario.terminate:
                wait_for(ready)
                job.send_signal(signal.SIGTERM)
            job.wait(timeout=LIMIT)
        finally:
            end_session(job.pid)
    text = (folder / "log").read_text("utf-8", errors="replace")
    rows = told.read_text().splitlines() if told.exists() else []
    return text, [json.loads(row) for row in rows]


def make_cgroup() -> Path:
    """A control group that a script may limit and enter."""
    group = CGROUPS / "faultbook-lab"
    try:
        group.mkdir(exist_ok=True)
        (group / "memory.limit_in_bytes").write_text("1G")
    except OSError as error:
        raise Skipped(f"no memory control group can be made here ({error})") from error
    return group


def wait_for(path: Path) -> None:
    end = time.monotonic() + LIMIT
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.05)


def end_session(leader: int) -> None:
    """Processes of the scenario that are left over go with it."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


def record(scenario: Scenario, python: Path) -> tuple[str, dict[str, Any]]:
    """The scrubbed log and the case."""
    with tempfile.TemporaryDirectory() as folder:
        text, told = run(scenario, python, Path(folder))
    home = subprocess.run(
        [python, "-c", "import sys; print(sys.base_prefix)"], capture_output=True, text=True, check=True
    )
    places = machine_places(SCRIPTS, python.parent.parent, Path(home.stdout.strip()))
    log = scrub(text, places, socket.gethostname())
    file = f"logs/{scenario.name}.txt"
    return log, to_case(scenario, find_truth(scenario, told, log), file)


def read_cases() -> dict[str, dict[str, Any]]:
    path = OUT / "cases.jsonl"
    rows = path.read_text("utf-8").splitlines() if path.exists() else []
    return {case["id"]: case for case in map(json.loads, rows)}


def write(log: str, case: dict[str, Any]) -> None:
    """After every scenario, so that a run that is broken off goes on from there."""
    (OUT / "logs").mkdir(parents=True, exist_ok=True)
    (OUT / case["file"]).write_text(log, "utf-8")
    cases = {**read_cases(), case["id"]: case}
    order = {f"lab-{one.name}": n for n, one in enumerate(SCENARIOS)}
    rows = sorted((c for c in cases.values() if c["id"] in order), key=lambda c: order[c["id"]])
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (OUT / "cases.jsonl").write_text(lines, "utf-8")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help="scenarios whose name holds this")
    parser.add_argument("--again", action="store_true", help="record what is already there as well")
    parser.add_argument("--venv", type=Path, default=ROOT / "build" / "lab-venv", help="its environment")
    options = parser.parse_args(argv)
    python = make_environment(options.venv.absolute())
    known = set() if options.again or options.only else set(read_cases())
    todo = [s for s in SCENARIOS if f"lab-{s.name}" not in known and (options.only or "") in s.name]
    failed = 0
    for number, scenario in enumerate(todo, start=1):
        start = time.monotonic()
        try:
            log, case = record(scenario, python)
            write(log, case)
            said = f"{log.count(chr(10))} lines, {len(case['root_lines'])} right"
        except (NoTruth, Skipped, subprocess.TimeoutExpired) as error:
            said = f"{type(error).__name__}: {error}"
            failed += not isinstance(error, Skipped)
        seconds = time.monotonic() - start
        print(f"{number:>2}/{len(todo)} {scenario.name:<34} {seconds:4.1f} s  {said}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
