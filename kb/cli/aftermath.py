"""What is said after a command has failed: how it ended, and the diagnosis of its output."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from kb.cli.kept import Kept
from kb.cli.progress import progress
from kb.cli.ready import ready_index
from kb.cli.terminal import columns, use_colour
from kb.diagnose import diagnose
from kb.diagnose.wire import to_wire
from kb.render.plain import one_line
from kb.render.terminal import diagnosis_text


def explain(kept: Kept, how: str, arguments: argparse.Namespace) -> None:
    """Print the diagnosis of a command's output to standard error, and write it where --json says."""
    index = ready_index(arguments.index)
    text = kept.text()
    lines = text.count("\n")
    with progress(f"Reading {lines:,} lines"):
        diagnosis = diagnose(text, index)
    if arguments.json:
        wire = json.dumps(to_wire(diagnosis), indent=1)
        Path(arguments.json).write_text(f"{wire}\n", encoding="utf-8")
    ended = f"kb: {one_line(how, 200)}"
    if not diagnosis.failures:
        print(f"{ended}; nothing that it printed says what failed", file=sys.stderr, flush=True)
        return
    shown = diagnosis_text(diagnosis, colour=use_colour(sys.stderr), width=columns())
    counted = f"{lines:,} {'line' if lines == 1 else 'lines'}"
    which = f"{counted}, counted without the middle, which was left out" if kept.left_out else counted
    print(f"\n{ended}. From its {which}:\n{shown}", end="", file=sys.stderr, flush=True)
