"""The `kb` command. The module of a subcommand is imported when that subcommand is asked for, so `kb match`
starts without pydantic, YAML and the server."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from kb.cli.arguments import read_arguments
from kb.cli.output import never_fail_on_text
from kb.cli.stop import StopError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status. A person's mistake is a sentence, a bug a traceback."""
    arguments = read_arguments(argv)
    if arguments.command != "run":  # the streams of a script are as Python makes them
        never_fail_on_text()
    try:
        status = int(importlib.import_module(f"kb.cli.{arguments.command}").run(arguments))
        sys.stdout.flush()
    except StopError as stop:
        print(f"kb: {stop}", file=sys.stderr)
        return stop.status
    except BrokenPipeError:  # `kb match ... | head`: the reader has gone, which is no error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status
