"""`kb watch`: a growing log is followed, and each failure told once, when it begins."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kb.cli.following import Follower, Window

Run = Callable[..., subprocess.CompletedProcess[bytes]]

FULL = "RuntimeError: toyengine: all 4 adapter slots are taken, 2 more wanted\n"
PINNED = "RuntimeError: toyengine: all adapter slots are pinned by batch\n"
UNKNOWN = "ValueError: the flux of dock 7 is frobbed\n"
FULL_TITLE = "Engine refuses an adapter because all slots are taken"
PINNED_TITLE = "Engine refuses an adapter because all slots are pinned"


class Watch:
    """A running `kb watch` on a log."""

    def __init__(self, log: Path, build: Path) -> None:
        self.log, self.said = log, ""
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "kb", "watch", "--settle", "0.1", str(log)],
            env={**os.environ, "FAULTBOOK_BUILD_DIR": str(build)},
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr
        self.greeting = self.process.stderr.readline()

    def write(self, text: str) -> None:
        with self.log.open("a", encoding="utf-8") as log:
            log.write(text)

    def block(self) -> str:
        """The next block that is told, however long that takes."""
        assert self.process.stdout
        told = ""
        while not told.endswith("\n\n"):
            line = self.process.stdout.readline()
            assert line, "kb watch has ended"
            told += line
        return told

    def stop(self) -> str:
        """What was told after the last block."""
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=60)
        return rest


@pytest.fixture
def watch(good_build: Path, tmp_path: Path) -> Iterator[Callable[..., Watch]]:
    running = []

    def begin(text: str | None = "INFO toyengine is ready\n") -> Watch:
        log = tmp_path / "engine.log"
        if text is not None:
            log.write_text(text, encoding="utf-8")
        running.append(Watch(log, good_build))
        return running[-1]

    yield begin
    for each in running:
        each.process.kill()
        each.process.communicate()


def test_each_failure_is_told_once_when_it_begins(watch: Callable[..., Watch]) -> None:
    running = watch()
    running.write(FULL)
    told = running.block()
    assert f"{FULL_TITLE} (9" in told
    assert f"  line 2: {FULL}" in told
    assert told.endswith(f"  everything: kb match {running.log}\n\n")
    running.write(f"INFO again\n{FULL}")
    running.write(PINNED)
    told = running.block()
    assert PINNED_TITLE in told
    assert f"  line 5: {PINNED}" in told
    assert running.stop() == ""
    assert running.process.returncode == 130


def test_a_failure_that_stands_there_already_is_told_and_once_ends(kb: Run, tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    log.write_text(f"INFO ready\n{FULL}", encoding="utf-8")
    done = kb("watch", "--once", "--settle", "0", str(log))
    assert done.returncode == 0
    assert FULL_TITLE in done.stdout.decode()
    assert done.stdout.count(b"everything: ") == 1


def test_a_failure_without_an_entry_is_told_with_its_line(watch: Callable[..., Watch]) -> None:
    running = watch(UNKNOWN)
    told = running.block()
    assert "Not a failure we know" in told
    assert f"  line 1: {UNKNOWN}" in told


def test_a_log_is_waited_for(watch: Callable[..., Watch]) -> None:
    running = watch(None)
    assert running.greeting == f"kb: following {running.log}, which is not there yet (Ctrl-C stops it)\n"
    running.write(FULL)
    assert FULL_TITLE in running.block()


def test_a_rotated_log_is_followed_and_lines_count_anew(watch: Callable[..., Watch]) -> None:
    running = watch("INFO one\nINFO two\n")
    running.write(FULL)
    assert "  line 3: " in running.block()
    running.log.rename(running.log.with_suffix(".1"))
    running.write(f"INFO one\n{PINNED}")
    told = running.block()
    assert PINNED_TITLE in told
    assert "  line 2: " in told


def test_a_truncated_log_is_followed(watch: Callable[..., Watch]) -> None:
    running = watch("INFO a line that makes the log longer than what follows it\n" * 20)
    running.write(FULL)
    running.block()
    running.log.write_text(PINNED, encoding="utf-8")
    told = running.block()
    assert PINNED_TITLE in told
    assert "  line 1: " in told


@pytest.mark.parametrize(
    ("arguments", "say"),
    [(("{folder}",), "is a folder; name the log file in it"), (("--settle", "nan", "x"), "--settle is a")],
)
def test_what_cannot_be_followed_is_a_sentence(
    kb: Run, tmp_path: Path, arguments: tuple[str, ...], say: str
) -> None:
    done = kb("watch", *(each.format(folder=tmp_path) for each in arguments))
    assert done.returncode == 2
    assert say in done.stderr.decode()


def test_the_rest_of_a_replaced_file_comes_before_the_new_one(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(b"one\n")
    follower = Follower(log)
    assert list(follower.read()) == [b"one\n"]
    with log.open("ab") as more:
        more.write(b"two\n")
    log.rename(tmp_path / "a.log.1")
    assert list(follower.read()) == [b"two\n"]
    log.write_bytes(b"new\n")
    assert list(follower.read()) == [None, b"new\n"]
    assert list(follower.read()) == []
    follower.close()


def test_the_window_holds_whole_lines_and_knows_their_number() -> None:
    window = Window(most=100)
    for number in range(1, 101):
        window.add(b"line %05d\n" % number)
    lines = window.text().splitlines()
    assert len(window.text()) <= 100
    assert lines[-1] == "line 00100"
    assert lines[0] == f"line {window.first_line:05}"
