"""`kb schema`: the JSON Schema of an entry."""

from __future__ import annotations

import argparse

from kb.catalog.schema import entry_schema
from kb.cli.output import print_json


def run(_arguments: argparse.Namespace) -> int:
    """Print it."""
    print_json(entry_schema(), indent=1)
    return 0
