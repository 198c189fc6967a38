"""A server in a process of its own, and what /proc says of it. Linux only."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


@contextmanager
def server(command: list[str], build: Path, **settings: int | str) -> Iterator[tuple[str, int]]:
    """A server in a process of its own: its address and process id."""
    log = build / f"server-{time.monotonic_ns()}.log"
    environment = {**os.environ, "FAULTBOOK_BUILD_DIR": str(build), "FAULTBOOK_PORT": "0"}
    environment |= {f"FAULTBOOK_{name.upper()}": str(value) for name, value in settings.items()}
    with log.open("wb") as output:
        process = subprocess.Popen([sys.executable, *command], env=environment, stdout=output, stderr=output)
    try:
        while not (found := re.search(r"running on (http://\S+)", log.read_text())):
            if process.poll() is not None:
                raise SystemExit(f"a server did not start:\n{log.read_text()}")
            time.sleep(0.005)
        yield found[1], process.pid
    finally:
        process.terminate()
        process.wait()


def processor_time(pid: int) -> float:
    """CPU seconds of a process so far, its threads and the kernel's work for it included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident(pid: int) -> float:
    return status(pid, "VmRSS")


def high_water(pid: int) -> float:
    return status(pid, "VmHWM")


def status(pid: int, name: str) -> float:
    """A figure of a process in MB."""
    found = re.search(rf"^{name}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(found[1]) / 1024 if found else float("nan")


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
