"""`kb stats`: what the entries hold, and how well they are proven."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict

from kb.catalog.loader import load_catalog
from kb.catalog.stats import Stats, count
from kb.cli.output import print_json
from kb.cli.places import entries_folder
from kb.cli.stop import StopError


def run(arguments: argparse.Namespace) -> int:
    """Print the counts over the entries that can be read."""
    root = entries_folder(arguments.entries)
    if not root.is_dir():
        raise StopError(f"there are no entries at {root}; name their folder with --entries")
    catalog = load_catalog(root)
    stats = count((file.entry for file in catalog.entries), (file.check for file in catalog.checks))
    if arguments.json:
        print_json(asdict(stats))
    else:
        print("\n".join(lines(stats)))
    return 0


def lines(stats: Stats) -> Iterator[str]:
    """The counts as a person reads them."""
    width = max(map(len, stats.families), default=0)
    for name, statuses in stats.families.items():
        told = ", ".join(f"{number} {status}" for status, number in statuses.items())
        yield f"{name:<{width}}  {sum(statuses.values()):>4}  ({told})"
    told = ", ".join(f"{number} {status}" for status, number in stats.statuses.items())
    yield f"\nentries     {stats.entries} ({told})"
    yield f"signatures  {stats.signatures}, and {stats.aliases} aliases"
    yield f"causes      {stats.causes}"
    yield f"examples    {stats.examples_match} that must match, {stats.examples_other} that must not"
    weak = f"{stats.unpinned} not, {stats.unconfirmed} unconfirmed"
    yield f"sources     {stats.pinned} pinned to a line, {weak}"
    yield f"siblings    {stats.siblings}, {stats.siblings_undecided} without a check that decides"
    if stats.oldest:
        one = stats.oldest
        yield f"verified    longest ago: {one.entry} on {one.date} with {one.package} {one.release}"
