"""`%load_ext kb` in a real IPython shell: a cell that fails with a known failure is explained."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

FULL = "toyengine: all 4 adapter slots are taken, 2 more wanted"
FAILS = f"raise RuntimeError('{FULL}')"
Cells = Callable[..., str]


@pytest.fixture
def ipython(good_build: Path, tmp_path: Path) -> Cells:
    """Hand lines to IPython, each a cell; what it prints."""

    def run(*lines: str, **environment: str) -> str:
        options = ("--simple-prompt", "--no-banner", "--no-confirm-exit", "--colors=NoColor")
        done = subprocess.run(
            [sys.executable, "-m", "IPython", *options],
            input="\n".join(lines) + "\n",
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(Path(__file__).parents[2]),
                "FAULTBOOK_BUILD_DIR": str(good_build),
                "IPYTHONDIR": str(tmp_path / "ipython"),
                "NO_COLOR": "1",
                **environment,
            },
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    return run


def test_a_known_failure_is_explained_below_its_traceback(ipython: Cells) -> None:
    shown = ipython("%load_ext kb", FAILS)
    traceback, _, said = shown.partition("Match, ")
    assert f"RuntimeError: {FULL}" in traceback
    assert "engine-slots-full" in said


def test_without_the_extension_nothing_is_said(ipython: Cells) -> None:
    assert "Match, " not in ipython(FAILS)


@pytest.mark.parametrize(
    "cell",
    ["my_own_function()", "1 +", f"print({FULL!r})", "raise SystemExit('no')", "raise KeyboardInterrupt"],
)
def test_of_what_no_entry_explains_nothing_is_said(ipython: Cells, cell: str) -> None:
    assert "atch" not in ipython("%load_ext kb", cell).replace("raceback", "")


def test_it_can_be_loaded_again_and_unloaded(ipython: Cells) -> None:
    again = ipython("%load_ext kb", "%load_ext kb", "%reload_ext kb", FAILS)
    assert again.count("Match, ") == 1
    assert "Match, " not in ipython("%load_ext kb", "%unload_ext kb", FAILS)


def test_an_index_that_is_missing_is_a_sentence(ipython: Cells, tmp_path: Path) -> None:
    shown = ipython("%load_ext kb", FAILS, FAULTBOOK_INDEX=str(tmp_path / "none.json"))
    assert "kb: no index at " in shown
    assert "Error in callback" not in shown


def test_the_notebook_needs_nothing_installed(ipython: Cells) -> None:
    loaded = "import sys; print(sorted({'pydantic', 'yaml', 'fastapi', 'markdown'} & set(sys.modules)))"
    assert "[]" in ipython("%load_ext kb", FAILS, loaded)


def test_a_notebook_gets_markdown(ipython: Cells) -> None:
    shown = ipython(
        "%load_ext kb",
        "from IPython.core.displaypub import CapturingDisplayPublisher",
        "get_ipython().display_pub = CapturingDisplayPublisher()",
        FAILS,
        "print(get_ipython().display_pub.outputs[0]['data']['text/markdown'])",
    )
    assert f"```text\nRuntimeError: {FULL}\n```" in shown
    assert "Match, " not in shown
