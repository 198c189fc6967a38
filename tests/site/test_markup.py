"""Text of an entry means exactly that text on the page, whatever Markdown or HTML would read into it."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.render import markup as md
from tests.site.pages import Page

NASTY = st.text(
    st.sampled_from("ab1 \t\\`*_{}[]()<>#+-.!|&;:~=?\"'$^%/\n@") | st.characters(codec="utf-8"), max_size=60
)
SHARED = settings(max_examples=60, deadline=None)
Render = Callable[[str], str]


def flat(text: str) -> str:
    return md.visible(" ".join(text.split()))


@SHARED
@given(text=NASTY)
def test_literal_text_comes_back_unchanged(render: Render, text: str) -> None:
    page = Page.read(render("x " + md.literal(text)))
    assert page.text.strip() == f"x {flat(text)}".strip()
    assert page.tags == {"p"}


@SHARED
@given(text=NASTY)
def test_a_line_of_prose_starts_no_block(render: Render, text: str) -> None:
    plain = text.replace("`", "").replace("@", "")
    page = Page.read(render(md.line(plain)))
    assert page.text.strip() == flat(plain)
    assert page.tags <= {"p"}


@SHARED
@given(text=NASTY)
def test_a_code_span_holds_its_text(render: Render, text: str) -> None:
    page = Page.read(render("x " + md.code(text) + " y"))
    assert "".join(page.text.split()) == "x" + "".join(flat(text).split()) + "y"


@pytest.mark.parametrize("text", ["<html", "<!DOCTYP", "a </div", "<?xml *b* _c_ `d`"])
def test_a_tag_that_code_does_not_close_reaches_no_block_below(render: Render, text: str) -> None:
    below = '<div class="below" markdown="1">\n\n- item\n\n</div>'
    html = render(f"{md.table(['One', 'Two'], [[md.code(text), 'end']])}\n\n{below}\n\nafter > all\n")
    assert Page.read(html).text.split()[:2] == ["One", "Two"]
    assert flat(text) in Page.read(html).text
    assert html.count("<li>item</li>") == html.count("</div>") == 1
    assert "markdown=" not in html


@SHARED
@given(text=NASTY)
def test_a_table_keeps_its_cells(render: Render, text: str) -> None:
    cell = md.literal(text)
    html = render(md.table(["One", "Two"], [[cell or "x", "end"]]))
    assert html.count("<td>") == 2
    assert Page.read(html).text.split()[-1] == "end"


@SHARED
@given(text=NASTY)
def test_nothing_inside_ends_a_fence(render: Render, text: str) -> None:
    html = render(
        md.item("- item", md.fence(f"begin\n{text}\n```\n</code>end", classes="a-class")) + "\n\nafter"
    )
    assert html.count("<pre") == 1
    assert html.rstrip().endswith("<p>after</p>")
    assert "&lt;/code&gt;end" in html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("set `max_rank` now", "<p>set <code>max_rank</code> now</p>"),
        (
            "see https://example.org/a_b.",
            '<p>see <a href="https://example.org/a_b">https://example.org/a_b</a>.</p>',
        ),
        ("fill @rank@ in", "<p>fill <code>@rank@</code> in</p>"),
        ("max_lora_rank", "<p>max_lora_rank</p>"),
    ],
)
def test_prose_knows_code_addresses_and_placeholders(render: Render, text: str, html: str) -> None:
    assert render(md.inline(text)) == html


def test_prose_has_paragraphs_and_lists(render: Render) -> None:
    html = render(md.prose("one\ngoes on\n\n- item\n  goes on\n- next\n\nlast"))
    assert (
        html.replace("\n", "") == "<p>one goes on</p><ul><li>item goes on</li><li>next</li></ul><p>last</p>"
    )


def test_a_section_without_a_body_has_no_heading() -> None:
    assert md.section(2, "Title", "title", "", "") == ""
