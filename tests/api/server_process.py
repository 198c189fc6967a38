"""A real server in a process of its own."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Running:
    """A server that runs: its address, its log, its process."""

    url: str
    log: Path
    pid: int

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def logged(self) -> str:
        return self.log.read_text(encoding="utf-8")

    def wait_for_log(self, pattern: str) -> None:
        """Until a line has it: a request is logged when it is over, its answer comes before."""
        deadline = time.monotonic() + 10
        while not re.search(pattern, self.logged()):
            assert time.monotonic() < deadline, f"not logged: {pattern}\n{self.logged()}"
            time.sleep(0.02)


@contextmanager
def serve(build: Path, log: Path, **settings: object) -> Iterator[Running]:
    """Run `python -m api` on a free port until the block ends."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("FAULTBOOK_")}
    environment |= {f"FAULTBOOK_{key.upper()}": str(value) for key, value in settings.items()}
    environment |= {"FAULTBOOK_BUILD_DIR": str(build), "FAULTBOOK_PORT": "0", "PYTHONWARNINGS": "error"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "api"], env=environment, stdout=output, stderr=output
        )
    try:
        yield Running(address(process, log), log, process.pid)
    finally:
        process.terminate()
        assert process.wait(20) in {0, -15}, log.read_text(encoding="utf-8")


def address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Where the server listens, as its log says."""
    for _ in range(600):
        found = re.search(r"running on (http://\S+)", log.read_text(encoding="utf-8"))
        if found:
            return found[1]
        if process.poll() is not None:
            break
        time.sleep(0.05)
    pytest.fail(f"the server did not start:\n{log.read_text(encoding='utf-8')}")
