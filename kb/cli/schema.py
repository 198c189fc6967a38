"""`kb schema`: the JSON Schema of an entry."""

from __future__ import annotations

import argparse
import json

from kb.catalog.schema import entry_schema


def run(_arguments: argparse.Namespace) -> int:
    """Print it."""
    print(json.dumps(entry_schema(), indent=1))
    return 0
