"""Faultbook: failures of machine-learning infrastructure, and the matcher that finds them in a paste."""

import importlib
from typing import Any


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext kb`: explain the exceptions of a notebook's cells."""
    importlib.import_module("kb.cli.notebook").load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext kb`: no more."""
    importlib.import_module("kb.cli.notebook").unload(shell)
