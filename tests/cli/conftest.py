"""Commands run as people run them: in a process of their own, on the made-up catalogue."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kb.catalog.build import write_catalog
from kb.catalog.loader import load_catalog

GOOD = Path(__file__).parent.parent / "catalog" / "good" / "entries"
Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture(scope="session")
def good_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up catalogue, compiled. Read it, do not change it."""
    out = tmp_path_factory.mktemp("good-build")
    write_catalog(load_catalog(GOOD), out)
    return out


@pytest.fixture
def kb(good_build: Path) -> Run:
    """Run `kb` with some arguments; `stdin` is what is piped in, `env` what differs in the environment."""

    def run(
        *arguments: str, stdin: bytes = b"", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", "kb", *arguments],
            input=stdin,
            capture_output=True,
            env={**os.environ, "FAULTBOOK_BUILD_DIR": str(good_build), **(env or {})},
            timeout=60,
            check=False,
        )

    return run
