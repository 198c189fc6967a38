"""Long steps are told to a person at a terminal, and to nobody else."""

import io
import time

import pytest

from kb.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def said(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, takes: float) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    with progress("Reading 3,000 lines", patience=0.05):
        time.sleep(takes)
    return stream.getvalue()


def test_a_long_step_is_told_and_wiped_when_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = said(monkeypatch, Terminal(), 0.3)
    assert shown.startswith("\rReading 3,000 lines ... ")
    assert shown.endswith("\r\x1b[K")


def test_a_quick_step_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, Terminal(), 0.0) == ""


def test_a_pipe_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, io.StringIO(), 0.3) == ""
