"""`kb run -- COMMAND`, `kb run script.py`: run a command or a script, and name its failure when it fails.

The matcher is loaded after a failure only: a command that ends well pays for a small Python and nothing else.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import traceback
from pathlib import Path

from kb.cli.kept import Kept
from kb.cli.passthrough import pass_through
from kb.cli.script import is_script, run_script
from kb.cli.stop import StopError


def run(arguments: argparse.Namespace) -> int:
    """Run the command; its exit status is ours, as a shell gives it."""
    command = arguments.program[1:] if arguments.program[:1] == ["--"] else arguments.program
    if not command:
        arguments.usage("name the command to run")
    if arguments.json:
        _ensure_writable(Path(arguments.json))
    if is_script(arguments.program):
        return _run_script(arguments)
    _ensure_open()
    kept = Kept()
    code = pass_through(command, kept)
    if code and -code != signal.SIGPIPE:  # `kb run ... | head`: the reader had enough, which is no failure
        _explain("explain", kept, f"{command[0]} {_how(code)}", arguments)
    return code if code >= 0 else 128 - code


def _run_script(arguments: argparse.Namespace) -> int:
    """Run the script here; its exit status is the one that Python would give it."""
    error = run_script(arguments.program)
    if isinstance(error, KeyboardInterrupt):
        return 128 + signal.SIGINT
    if error is not None:
        _explain(
            "explain_exception", error, f"{arguments.program[0]} ended with {type(error).__name__}", arguments
        )
    return 1 if error is not None else 0


def _ensure_writable(path: Path) -> None:
    """Stop now rather than find out when hours of output are to be diagnosed."""
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise StopError(f"cannot write {path}; name a file in a folder that is there")


def _ensure_open() -> None:
    """Give standard streams that were closed (`2>&-`) to nobody, before a pipe of ours takes their place."""
    while (lowest := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(lowest, True)  # noqa: FBT003 - it takes no keyword
    os.close(lowest)
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w", closefd=False))


def _how(code: int) -> str:
    if code > 0:
        return f"ended with status {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def _explain(way: str, failed: Kept | BaseException, how: str, arguments: argparse.Namespace) -> None:
    """Say what failed. Whatever goes wrong here is said, and changes nothing of the command's status."""
    try:
        getattr(importlib.import_module("kb.cli.aftermath"), way)(failed, how, arguments)
    except KeyboardInterrupt:
        _say(f"kb: {how}; the diagnosis was interrupted\n")
    except (StopError, OSError) as problem:
        _say(f"kb: {how}; no diagnosis: {problem}\n")
    except Exception:  # noqa: BLE001 - a bug of ours is shown, but the status belongs to the command
        _say(f"kb: {how}; the diagnosis failed:\n{traceback.format_exc()}")


def _say(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:  # nobody reads it; what could not be written must not be tried again at the very end
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
