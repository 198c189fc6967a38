"""The commands that the documentation shows run, and print what it shows."""

import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.house.documentation import (
    ROOT,
    Command,
    commands_of,
    compare,
    documented_pages,
    run,
    same_output,
)

COMMANDS = [command for page in documented_pages() for command in commands_of(page)]
OF_CURL = [c for c in COMMANDS if c.text.startswith("curl ")]
OF_MAKE = [c for c in COMMANDS if c.text.startswith("make ")]
OF_KB = [c for c in COMMANDS if re.search(r"\bkb ", c.text) and c not in OF_CURL + OF_MAKE]
ADDRESS = "http://127.0.0.1:8000"


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository's files with index and site built, free to be written to."""
    copy = tmp_path_factory.mktemp("checkout") / "faultbook"
    shutil.copytree(ROOT, copy, ignore=left_out, symlinks=True)
    done = run(copy, "kb build")
    assert done.returncode == 0, done.stdout + done.stderr
    return copy


def left_out(folder: str, names: list[str]) -> set[str]:
    """What is not copied: caches anywhere, and what was built at the top (`kb/site` is code)."""
    built = {".git", ".venv", "build", "site"} if Path(folder) == ROOT else set()
    caches = {name for name in names if name in ("__pycache__", ".hypothesis") or name.endswith("_cache")}
    return (built | caches) & set(names)


@pytest.fixture(scope="session")
def address(checkout: Path) -> Iterator[str]:
    """The address of a server over the copy."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kb", "serve", "--port", str(port)]
    with subprocess.Popen(
        command, cwd=checkout, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            base = f"http://127.0.0.1:{port}"
            wait_until_up(f"{base}/healthz", server)
            yield base
        finally:
            server.terminate()


def wait_until_up(url: str, server: subprocess.Popen[bytes], seconds: float = 120) -> None:
    """Return as soon as the address answers; fail when the server ends or takes too long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert server.poll() is None, f"the server ended with status {server.returncode}"
        try:
            with urlopen(url, timeout=5):
                return
        except (URLError, ConnectionError):
            time.sleep(0.1)
    pytest.fail(f"{url} did not answer within {seconds} seconds")


@pytest.mark.parametrize("command", OF_KB, ids=str)
def test_a_command_of_kb_prints_what_the_page_shows(command: Command, checkout: Path, update: bool) -> None:
    compare(command, run(checkout, command.text), update=update)


@pytest.mark.parametrize("command", OF_CURL, ids=str)
def test_a_request_gets_the_answer_that_the_page_shows(
    command: Command, checkout: Path, address: str, update: bool
) -> None:
    assert ADDRESS in command.text, f"{command}: documentation asks {ADDRESS}"
    compare(command, run(checkout, command.text.replace(ADDRESS, address)), update=update)


@pytest.mark.parametrize("command", OF_MAKE, ids=str)
def test_a_target_of_make_exists(command: Command) -> None:
    done = run(ROOT, f"{command.text} --dry-run")
    assert done.returncode == 0, done.stderr


def test_there_are_commands_and_no_other_ones() -> None:
    """A block with a command that nobody runs is a promise that nobody keeps."""
    assert len(OF_KB) >= 3
    assert not [str(c) for c in COMMANDS if c not in OF_KB + OF_CURL + OF_MAKE]


@pytest.mark.parametrize(
    ("shown", "real", "same"),
    [
        ("a b", "a b", True),
        ("a b", "a b c", False),
        ("a ...", "a b c", True),
        ("a ... c", "a b c", True),
        ("a ... c", "a b", False),
        ("a ... b ... d", "a x b y d", True),
        ("a ... y ... d", "a x b d", False),
        ("... c", "a b c", True),
        ("a ... a", "a", False),
    ],
)
def test_a_gap_stands_for_lines_left_out(shown: str, real: str, same: bool) -> None:
    assert same_output(tuple(shown.split()), real.split()) is same


def test_commands_are_read_from_console_blocks_only(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```console\n$ kb a\nout\n\n$ kb b\n```\n"
        "```\n$ kb no\n```\n"
        "1. x\n\n   ````console\n   $ kb c\n   ```\n   ````\n",
        encoding="utf-8",
    )
    assert [(c.line, c.text, c.output) for c in commands_of(page)] == [
        (2, "kb a", ("out", "")),
        (5, "kb b", ()),
        (13, "kb c", ("```",)),
    ]
