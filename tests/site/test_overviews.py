"""The other orders of all failures: each entry stands where a person would look for it."""

import re

import pytest

from kb.catalog.entry import Entry
from kb.catalog.loader import Catalog
from kb.site.index_page import index_page
from kb.site.overviews import CHANGES, TITLES, group_of, overviews


@pytest.fixture
def pages(catalog: Catalog) -> dict[str, str]:
    return overviews(file.entry for file in catalog.entries)


def under(page: str, heading: str) -> str:
    """What stands under a second-level heading."""
    return page.split(f"\n## {heading} {{", 1)[1].split("\n## ", 1)[0]


def test_every_overview_links_to_the_others_and_the_overview_of_all_to_each(pages: dict[str, str]) -> None:
    assert set(pages) == {f"overviews/{name}.md" for name in TITLES}
    for path, page in pages.items():
        row = page.split("\n\n")[2]
        others = {f"{name}.md" for name in TITLES} - {path.removeprefix("overviews/")}
        assert set(re.findall(r"\]\((\w+\.md)\)", row)) == others
        assert "](../errors/index.md)" in row
        assert f"](../{path})" in index_page([])


@pytest.mark.parametrize("name", ["kind", "exception", "letter", "changed", "map"])
def test_no_entry_is_missing(pages: dict[str, str], name: str) -> None:
    found = set(re.findall(r"\]\(\.\./errors/([\w-]+)/index\.md\)", pages[f"overviews/{name}.md"]))
    assert found == {"maximal-entry", "other-entry"}


def test_a_kind_names_the_causes_that_are_of_it(pages: dict[str, str]) -> None:
    page = pages["overviews/kind.md"]
    assert under(page, "Capacity: not enough of something").endswith(
        "/maximal-entry/index.md) (deprecated)\n    - More slots wanted than reserved\n"
    )
    assert "other-entry" in under(page, "Consequences of another failure")
    assert "## Hardware" not in page


def test_a_class_is_known_by_its_name_without_the_module(pages: dict[str, str]) -> None:
    page = pages["overviews/exception.md"]
    assert "maximal-entry" in under(page, "`SlotError`")
    assert "other-entry" in under(page, "Lines of a log, without a class")


def test_spellings_of_one_setting_share_a_row(entry: Entry) -> None:
    flag = entry.flags[0]
    respelled = entry.model_copy(
        update={"id": "b", "flags": [flag.model_copy(update={"name": name}) for name in ("max_slots", "CC")]}
    )
    page = overviews([entry, respelled])["overviews/setting.md"]
    row = next(line for line in under(page, "Flags").splitlines() if line.startswith("| `--max-slots`"))
    assert row.startswith("| `--max-slots`, `max_slots` |")
    assert row.count("](../errors/") == 2
    assert "| `CC` |" in under(page, "Environment variables")


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("--mem", "flags"),
        ("docker run --shm-size", "flags"),
        ("CC", "variables"),
        ("NCCL_IB_HCA", "variables"),
        ("RAY_memory_usage_threshold", "variables"),
        ("PYTORCH_CUDA_ALLOC_CONF=expandable_segments", "variables"),
        ("DDPStrategy(timeout=...)", "arguments"),
        ("weights_only", "arguments"),
    ],
)
def test_a_name_tells_what_it_is(name: str, group: str) -> None:
    assert group_of(name) == group


def test_titles_that_start_with_a_sign_stand_together(entry: Entry) -> None:
    titles = ("{'a': 1} is refused", "3 of 4 ranks wait", "vLLM waits for ever")
    page = overviews(entry.model_copy(update={"title": each}) for each in titles)["overviews/letter.md"]
    assert under(page, "Digits and signs").count("](../errors/") == 2
    assert "vLLM waits" in under(page, "V")


def test_what_is_new_and_what_changed_is_told_apart_by_day(pages: dict[str, str]) -> None:
    page = pages["overviews/changed.md"]
    assert "(deprecated): changed, first written 2026-11-01" in under(page, "2026-11-02")
    assert "index.md): new" in under(page, "2026-11-01")
    assert page.index("## 2026-11-02") < page.index("## 2026-11-01")


def test_the_list_of_changes_ends_somewhere(entry: Entry) -> None:
    page = overviews([entry] * (CHANGES + 10))["overviews/changed.md"]
    assert page.count("](../errors/maximal-entry/index.md)") == CHANGES
