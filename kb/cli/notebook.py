"""`%load_ext kb`: in a notebook or IPython, a cell that fails with a known failure is explained below.

Nothing is said of an exception that no entry explains: in a notebook most are slips of the keyboard.
"""

from __future__ import annotations

import sys
from typing import Any

from kb.cli.raised import as_paste, loaded
from kb.cli.ready import ready_index
from kb.cli.stop import StopError
from kb.cli.terminal import columns, use_colour
from kb.diagnose import diagnose
from kb.render.markdown import diagnosis_markdown
from kb.render.terminal import diagnosis_text

EVENT = "post_run_cell"
Shell = Any  # IPython's; it is nothing that the project needs installed


class Explainer:
    """Looks at each cell that has run in a shell."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def look(self, result: Any) -> None:
        """Explain the exception of a cell, where it is a known failure."""
        error = result.error_in_exec
        if not isinstance(error, Exception):
            return
        try:
            index = ready_index()
        except StopError as stop:
            print(f"kb: {stop}", file=sys.stderr)
            return
        diagnosis = diagnose(as_paste(error), index, loaded())
        if diagnosis.verdict == "no_match":
            return
        text = diagnosis_text(diagnosis, colour=use_colour(), width=columns())
        self._shell.display_pub.publish({"text/plain": text, "text/markdown": diagnosis_markdown(diagnosis)})


def load(shell: Shell) -> None:
    """Look at each cell from now on. Loaded twice, it still says everything once."""
    unload(shell)
    shell.events.register(EVENT, Explainer(shell).look)


def unload(shell: Shell) -> None:
    """Look at no more cells."""
    for each in list(shell.events.callbacks[EVENT]):
        if isinstance(getattr(each, "__self__", None), Explainer):
            shell.events.unregister(EVENT, each)
