"""The counts say what the entries hold."""

from pathlib import Path

import pytest

from kb.catalog.entry import Check, Entry
from kb.catalog.loader import load_catalog
from kb.catalog.stats import count

GOOD = Path(__file__).parent / "good" / "entries"


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return [file.entry for file in load_catalog(GOOD).entries]


@pytest.fixture(scope="module")
def checks() -> list[Check]:
    return [file.check for file in load_catalog(GOOD).checks]


def test_what_is_there_is_counted(entries: list[Entry], checks: list[Check]) -> None:
    stats = count(entries, checks)
    assert stats.entries == len(entries) == sum(stats.statuses.values())
    assert sum(sum(counts.values()) for counts in stats.families.values()) == stats.entries
    assert stats.signatures == sum(len(entry.signatures) for entry in entries)
    assert stats.pinned + stats.unpinned + stats.unconfirmed >= stats.signatures
    assert stats.oldest is not None


def test_a_source_without_a_line_is_not_pinned(entries: list[Entry], checks: list[Check]) -> None:
    entry = next(entry for entry in entries if entry.signatures and entry.signatures[0].source.line)
    signature = entry.signatures[0]
    for change, field in (({"line": None}, "unpinned"), ({"confirmed": False}, "unconfirmed")):
        source = signature.source.model_copy(update=change)
        altered = entry.model_copy(
            update={"signatures": [signature.model_copy(update={"source": source}), *entry.signatures[1:]]}
        )
        before, after = count([entry], checks), count([altered], checks)
        assert after.pinned == before.pinned - 1
        assert getattr(after, field) == getattr(before, field) + 1


def test_a_pair_whose_check_is_silent_about_one_of_them_is_undecided(
    entries: list[Entry], checks: list[Check]
) -> None:
    before = count(entries, checks)
    assert before.siblings > before.siblings_undecided == 0
    assert count(entries, []).siblings_undecided == before.siblings


def test_nothing_is_nothing() -> None:
    stats = count([], [])
    assert (stats.entries, stats.families, stats.oldest) == (0, {}, None)
