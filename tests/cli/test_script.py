"""`kb run script.py`: as `python script.py`, and its exception explained."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[bytes]]
Script = Callable[..., str]

FULL = "toyengine: all 4 adapter slots are taken, 2 more wanted"


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Write a script into a folder of its own."""

    def write(text: str, name: str = "train.py") -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


def python(path: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """What Python itself makes of a script."""
    command = [sys.executable, "-W", "error", path, *arguments]
    return subprocess.run(command, capture_output=True, timeout=60, check=False)


@pytest.mark.parametrize(
    "text",
    [
        "import sys; print(sys.argv, __name__, __file__, sys.path[0], __doc__)",
        "'''Doc.'''\nimport __main__; print(__main__.__doc__, __main__.__spec__, __package__)",
        "import sys; sys.exit(7)",
        "import sys; print('so far'); sys.exit('no space left')",
        "import atexit, threading as t\natexit.register(print, 1)\nt.Timer(0.2, print, ['later']).start()",
        "from __future__ import annotations\ndef f(x: Unknown): ...\nprint(f.__annotations__)",
        "import pickle\nclass Batch: pass\nprint(type(pickle.loads(pickle.dumps(Batch()))).__module__)",
        "print('\\udc80')",
    ],
)
def test_a_script_runs_as_in_python(kb: Run, script: Script, text: str) -> None:
    path = script(text)
    here, there = kb("run", path, "--epochs", "3", "--", "-h"), python(path, "--epochs", "3", "--", "-h")
    assert (here.returncode, here.stdout) == (there.returncode, there.stdout)
    assert here.stderr.startswith(there.stderr)


def test_processes_of_a_script_find_it(kb: Run, script: Script) -> None:
    path = script(
        "import multiprocessing\n"
        "def work(n): return n * n\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool: print(pool.map(work, [3]))\n"
    )
    done = kb("run", path)
    assert (done.stdout, done.stderr) == (b"[9]\n", b"")


@pytest.mark.parametrize(
    "text",
    [
        f"def load():\n    raise RuntimeError('{FULL}')\nload()",
        f"try:\n    {{}}['rank']\nexcept KeyError as error:\n    raise RuntimeError('{FULL}') from error",
        f"raise ExceptionGroup('two', [RuntimeError('{FULL}'), ValueError('x')])",
    ],
)
def test_an_exception_is_shown_as_python_shows_it_and_explained(kb: Run, script: Script, text: str) -> None:
    path = script(text)
    done, there = kb("run", path), python(path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(there.stderr)
    said = done.stderr.removeprefix(there.stderr).decode()
    assert said.startswith(f"\nkb: {path} ended with ")
    assert "Error. From its traceback:\nMatch, " in said or "Group. From its traceback:\nMatch, " in said
    assert "engine-slots-full" in said


def test_an_exception_that_nobody_knows_is_said_to_be_so(kb: Run, script: Script) -> None:
    done = kb("run", script("my_own_function()"))
    assert done.returncode == 1
    assert b"ended with NameError" in done.stderr
    assert b"\nNo match" in done.stderr


def test_a_script_that_cannot_be_compiled_is_shown_as_python_shows_it(kb: Run, script: Script) -> None:
    path = script("print('never'\n")
    done, there = kb("run", path), python(path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(there.stderr)


def test_loaded_releases_are_given(kb: Run, script: Script, tmp_path: Path) -> None:
    path = script(f"import toyengine, toyparts\nraise RuntimeError('{FULL}')")
    for name, release in (("toyengine", "9.8.7"), ("toyparts", "unknown"), ("toyunused", "1.0")):
        (tmp_path / f"{name}.py").touch()
        package = tmp_path / f"{name}-{release}.dist-info"
        package.mkdir()
        (package / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {release}\n")
    answer = tmp_path / "answer.json"
    assert kb("run", "--json", str(answer), path).returncode == 1
    given = json.loads(answer.read_text("utf-8"))["given"]["versions"]
    assert given["toyengine"] == "9.8.7"
    assert not {"sys", "json", "train", "toyparts", "toyunused"} & set(given)


def test_a_hook_of_the_script_shows_its_exceptions(kb: Run, script: Script) -> None:
    hook = "import sys\nsys.excepthook = lambda *_: print('hooked', file=sys.stderr)\n"
    done = kb("run", script(f"{hook}raise RuntimeError('{FULL}')"))
    assert done.stderr.startswith(b"hooked\n\nkb: ")
    assert b"Match, " in done.stderr


def test_control_c_is_no_failure(script: Script, good_build: Path) -> None:
    path = script("import time; print('ready', flush=True); time.sleep(60)")
    with subprocess.Popen(
        [sys.executable, "-m", "kb", "run", path],
        env={**os.environ, "FAULTBOOK_BUILD_DIR": str(good_build)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.endswith(b"KeyboardInterrupt\n")


def test_a_script_behind_two_dashes_is_a_command(kb: Run, script: Script, tmp_path: Path) -> None:
    path = script("#!/bin/sh\necho shell\n")
    (tmp_path / "train.py").chmod(0o755)
    assert kb("run", "--", path).stdout == b"shell\n"


def test_a_script_that_is_not_there_is_a_sentence(kb: Run) -> None:
    done = kb("run", "no-such.py")
    assert (done.returncode, done.stderr) == (2, b"kb: cannot run no-such.py: no such file or directory\n")


def test_a_script_that_ends_well_never_loads_the_matcher(kb: Run, script: Script) -> None:
    path = script("import sys; print(sorted({'kb.diagnose', 'kb.render'} & set(sys.modules)))")
    assert kb("run", path).stdout == b"[]\n"
