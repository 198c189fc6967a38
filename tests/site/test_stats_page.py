"""The page of counts has a row for each count and a column for each status."""

from kb.catalog.entry import Entry
from kb.catalog.stats import count
from kb.site.stats_page import stats_page


def test_the_counts_stand_on_the_page(entry: Entry) -> None:
    stats = count([entry], [])
    page = stats_page(stats)
    assert f"| entries | {stats.entries} |" in page
    assert f"| causes, each with a check and a fix | {stats.causes} |" in page
    assert f"| Component | {entry.status} |" in page


def test_without_entries_there_is_no_table_of_components() -> None:
    assert "## Entries by component" not in stats_page(count([], []))
