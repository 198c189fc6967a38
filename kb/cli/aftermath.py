"""What is said after a command has failed: how it ended, and the diagnosis of its output."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from kb.cli.kept import Kept
from kb.cli.progress import progress
from kb.cli.raised import as_paste, loaded
from kb.cli.ready import ready_index
from kb.cli.terminal import columns, use_colour
from kb.diagnose import Given, diagnose
from kb.diagnose.wire import to_wire
from kb.render.plain import one_line
from kb.render.terminal import diagnosis_text


def explain(kept: Kept, how: str, arguments: argparse.Namespace) -> None:
    """Print the diagnosis of a command's output to standard error, and write it where --json says."""
    text = kept.text()
    lines = text.count("\n")
    counted = f"{lines:,} {'line' if lines == 1 else 'lines'}"
    which = f"{counted}, counted without the middle, which was left out" if kept.left_out else counted
    tell(text, Given(), how, which, arguments)


def explain_exception(error: BaseException, how: str, arguments: argparse.Namespace) -> None:
    """The same of an exception of this process."""
    tell(as_paste(error), loaded(), how, "traceback", arguments)


def tell(text: str, given: Given, how: str, what: str, arguments: argparse.Namespace) -> None:
    """Say how it ended, and the diagnosis of a text, which is called `what`."""
    index = ready_index(arguments.index)
    count = text.count("\n")
    with progress(f"Reading {count:,} lines"):
        diagnosis = diagnose(text, index, given)
    if arguments.json:
        wire = json.dumps(to_wire(diagnosis), indent=1)
        Path(arguments.json).write_text(f"{wire}\n", encoding="utf-8")
    ended = f"kb: {one_line(how, 200)}"
    if not diagnosis.failures:
        print(f"{ended}; nothing that it printed says what failed", file=sys.stderr, flush=True)
        return
    shown = diagnosis_text(diagnosis, colour=use_colour(sys.stderr), width=columns())
    print(f"\n{ended}. From its {what}:\n{shown}", end="", file=sys.stderr, flush=True)
