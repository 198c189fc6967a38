"""`kb schema`: the JSON Schema of an entry."""

from __future__ import annotations

import argparse

from kb.catalog.build import write_schemas
from kb.catalog.schema import entry_schema
from kb.cli.output import print_json
from kb.cli.places import entries_folder
from kb.cli.stop import StopError


def run(arguments: argparse.Namespace) -> int:
    """Print it; or write it, and that of a check, beside the entries."""
    if not arguments.write:
        print_json(entry_schema())
        return 0
    root = entries_folder(arguments.entries)
    if not root.is_dir():
        raise StopError(f"there are no entries at {root}; name their folder with --entries")
    print(write_schemas(root))
    return 0
