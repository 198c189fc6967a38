"""`kb run script.py`: run a Python script in this process, as `python script.py` would.

In the same process the exception itself can be read, and which releases are loaded.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from kb.cli.stop import StopError


def is_script(program: Sequence[str]) -> bool:
    """Whether a script is named. Behind `--` stands a command, whatever it is called."""
    return bool(program) and program[0].endswith(".py")


def run_script(program: Sequence[str]) -> BaseException | None:
    """Run a script with its arguments. The exception that ended it, already shown as Python shows it.

    SystemExit goes on its way. The script stays the main module: other processes and pickles look for it.
    """
    path = Path(program[0])
    try:
        source = path.read_bytes()
    except OSError as error:
        raise StopError(f"cannot run {path}: {(error.strerror or str(error)).lower()}") from error
    main = ModuleType("__main__")
    main.__dict__.update(__file__=os.path.abspath(path), __builtins__=builtins, __cached__=None)  # noqa: PTH100
    sys.modules["__main__"] = main
    sys.argv[:] = program
    if not sys.flags.safe_path:
        sys.path[0] = str(path.resolve().parent)
    try:
        exec(compile(source, str(main.__file__), "exec", dont_inherit=True), main.__dict__)  # noqa: S102
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it is, Python would print it
        shown = error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)
        sys.excepthook(type(shown), shown, shown.__traceback__)
        return shown
    return None
