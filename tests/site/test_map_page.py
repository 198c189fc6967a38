"""The map: every entry is on it once, every pair is drawn, and the list says the same in words."""

import re
from collections.abc import Callable

import pytest

from kb.catalog.entry import Entry, Sibling
from kb.site.arcs import AXIS, HEAD, ROW, arc, draw
from kb.site.map_page import map_sections
from kb.site.plain import plain_page
from tests.site.pages import Page

PAIRS = {("a", "d"), ("c", "e")}
GROUPS = [("one", ["b", "a"]), ("two", ["c"]), ("three", ["d", "f", "e"])]


@pytest.fixture
def entries(entry: Entry) -> list[Entry]:
    """Three entries of which two are siblings, each of the other."""
    alike = [
        entry.model_copy(update={"id": each, "siblings": [Sibling(id=other, why="alike", check="toy")]})
        for each, other in (("first", "second"), ("second", "first"))
    ]
    alone = entry.model_copy(
        update={"id": "third", "siblings": [], "title": "A <b> & a\nbreak", "components": ["x"]}
    )
    return [*alike, alone]


@pytest.fixture
def page(entries: list[Entry], render: Callable[[str], str]) -> str:
    return render("\n\n".join(map_sections(entries)))


def test_rows_are_far_enough_apart_to_be_hit_and_every_entry_has_one() -> None:
    drawing = draw(GROUPS, PAIRS)
    assert sorted(row.entry for row in drawing.rows if row.entry) == ["a", "b", "c", "d", "e", "f"]
    steps = [
        after.y - before.y
        for before, after in zip(drawing.rows, drawing.rows[1:], strict=False)
        if after.entry
    ]
    assert min(steps) >= ROW - (HEAD - 24)
    assert drawing.height >= drawing.rows[-1].y + ROW // 2


def test_a_component_stands_beside_the_one_it_shares_look_alikes_with() -> None:
    order = list(dict.fromkeys(row.component for row in draw(GROUPS, PAIRS).rows))
    assert order == ["three", "one", "two"]
    assert list(dict.fromkeys(row.component for row in draw(GROUPS, [("c", "e")]).rows)) == [
        "three",
        "two",
        "one",
    ]


def test_look_alikes_follow_at_once_and_those_without_come_last() -> None:
    drawing = draw([("one", ["a", "b", "c", "d"])], {("b", "d")})
    assert [row.entry for row in drawing.rows if row.entry] == ["b", "d", "a", "c"]


@pytest.mark.parametrize("rows", [1, 10, 1_000, 100_000])
def test_a_bow_stays_on_the_page_and_widens_with_its_length(rows: int) -> None:
    def reach(path: str) -> float:
        handle = int(path.split("C")[1].split(maxsplit=1)[0])
        return AXIS - 0.75 * (AXIS - handle)

    assert 0 < reach(arc(0, rows * ROW)) < AXIS
    assert reach(arc(0, rows * ROW)) <= reach(arc(0, ROW))


def test_the_order_in_which_pairs_are_given_changes_nothing(entries: list[Entry]) -> None:
    assert map_sections(entries) == map_sections(entries)
    assert draw(GROUPS, sorted(PAIRS)) == draw(GROUPS, sorted(PAIRS, reverse=True))


def test_every_entry_is_a_link_in_the_drawing_and_once_more_in_the_list(page: str) -> None:
    drawing, _, below = page.partition("</svg>")
    for name in ("first", "second", "third"):
        assert drawing.count(f'href="../../errors/{name}/"') == 1
    assert Page.read(below).text.count("looks like") == 2


def test_a_pair_is_drawn_once_and_again_with_each_of_its_ends(page: str) -> None:
    (base,) = re.findall(r'class="fb-map__arcs" d="([^"]*)"', page)
    own = re.findall(r'class="fb-map__own" d="([^"]*)"', page)
    assert base.count("M") == 1
    assert own == [base, base]
    assert page.count("fb-map__dot--alone") == 1


def test_the_drawing_has_a_name_and_a_description_that_leads_to_the_list(page: str) -> None:
    (named,) = re.findall(r'<svg [^>]*aria-labelledby="([^"]*)"', page)
    for name in named.split():
        assert re.search(rf'<(title|desc) id="{name}">[^<]{{10,}}<', page)
    assert "Failures: 3; pairs that are mistaken for each other: 1." in page
    assert 'id="as-a-list"' in page


def test_titles_are_text_and_markdown_leaves_the_drawing_alone(page: str) -> None:
    svg = page[page.index("<svg") : page.index("</svg>")]
    assert "<title>A &lt;b&gt; &amp; a\nbreak</title>" not in svg
    assert "<title>A &lt;b&gt; &amp; a break</title>" in svg
    assert Page.read(svg).tags == {"svg", "title", "desc", "path", "text", "a", "rect", "circle"}


def test_plain_pages_have_the_list_alone(entries: list[Entry]) -> None:
    text = plain_page("---\ntitle: Map\n---\n\n" + "\n\n".join(map_sections(entries)))
    assert "svg" not in text
    assert "looks like" in text
