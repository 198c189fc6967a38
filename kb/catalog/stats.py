"""How much the knowledge base holds, and how well it is proven."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from kb.catalog.entry import Check, Entry, Source


@dataclass(frozen=True)
class Oldest:
    """The verification that is longest ago."""

    entry: str
    package: str
    release: str
    date: str


@dataclass(frozen=True)
class Stats:
    """Counts over entries. `families` are the first components, each with its entries by status."""

    entries: int
    families: dict[str, dict[str, int]]
    statuses: dict[str, int]
    signatures: int
    aliases: int
    causes: int
    examples_match: int
    examples_other: int
    pinned: int  # sources with release or commit, path and line
    unpinned: int  # confirmed by documentation or observation, without a line of source
    unconfirmed: int
    siblings: int
    siblings_undecided: int  # pairs whose check has no outcome that speaks of both
    oldest: Oldest | None


def count(entries: Iterable[Entry], checks: Iterable[Check]) -> Stats:
    """The counts over these entries."""
    chosen = list(entries)
    families: dict[str, Counter[str]] = {}
    for entry in chosen:
        families.setdefault(entry.components[0], Counter())[entry.status] += 1
    files = [example.file for entry in chosen for example in entry.examples]
    sources = [source for entry in chosen for source in sources_of(entry)]
    pinned = sum(is_pinned(source) for source in sources)
    unconfirmed = sum(not source.confirmed for source in sources)
    siblings = [(entry, sibling) for entry in chosen for sibling in entry.siblings]
    by_id = {check.id: check for check in checks}
    return Stats(
        entries=len(chosen),
        families={name: dict(sorted(families[name].items())) for name in sorted(families)},
        statuses=dict(sorted(Counter(entry.status for entry in chosen).items())),
        signatures=sum(len(entry.signatures) for entry in chosen),
        aliases=sum(len(entry.aliases) for entry in chosen),
        causes=sum(len(entry.causes) for entry in chosen),
        examples_match=sum(file.startswith("match-") for file in files),
        examples_other=sum(file.startswith("other-") for file in files),
        pinned=pinned,
        unpinned=len(sources) - pinned - unconfirmed,
        unconfirmed=unconfirmed,
        siblings=len(siblings),
        siblings_undecided=sum(
            not decides(by_id.get(sibling.check), entry.id, sibling.id) for entry, sibling in siblings
        ),
        oldest=oldest(chosen),
    )


def sources_of(entry: Entry) -> Iterable[Source]:
    """Where the messages and flags of an entry stand upstream."""
    yield from (signature.source for signature in entry.signatures)
    yield from (flag.source for flag in entry.flags)


def is_pinned(source: Source) -> bool:
    """Whether anybody can look up the very line."""
    return source.confirmed and bool((source.release or source.commit) and source.path and source.line)


def decides(check: Check | None, one: str, other: str) -> bool:
    """Whether the outcomes of a check speak of both entries, or of causes of them."""
    if check is None:
        return False
    refs = {ref for outcome in check.outcomes for ref in (*outcome.supports, *outcome.rules_out)}
    named = {ref.partition("/")[0] for ref in refs}
    return {one, other} <= named


def oldest(entries: Iterable[Entry]) -> Oldest | None:
    """The verification that is longest ago, and of equals the first by entry."""
    every = [
        Oldest(entry.id, each.package, each.release, str(each.date))
        for entry in entries
        for each in entry.verified
    ]
    return min(every, key=lambda each: (each.date, each.entry), default=None)
