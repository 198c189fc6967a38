"""A page in plain Markdown says what the page says, without the notation of our generator."""

import re

import markdown
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.catalog.entry import Entry
from kb.render import markup as md
from kb.site.entry_page import entry_page
from kb.site.plain import parted, plain, plain_entry, plain_page
from kb.site.surroundings import Surroundings
from tests.site.pages import Page

OURS = re.compile(r'^ *(!!!|\?\?\?|===) |\{ [.#]|markdown="1"|<span|<div|hl_lines', re.MULTILINE)


def outside_of_fences(text: str) -> str:
    return re.sub(r"^( *)(`{3,})[^`\n]*\n.*?^ *\2$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ('??? example "`a.txt`"\n\n    inside\n\nafter\n', "**`a.txt`**\n\ninside\n\nafter\n"),
        (
            '=== "AB"\n\n    ``` { .yaml .fb-command }\n    a: 1\n\n    b: 2\n    ```\n\n=== "Go"\n\n    x\n',
            "**AB**\n\n```yaml\na: 1\n\nb: 2\n```\n\n**Go**\n\nx\n",
        ),
        ("## Fix { #fix }\n\n[here](#fix)\n", '## <a id="fix"></a>Fix\n\n[here](#fix)\n'),
        ("## Fix { #fix }\n\nx\n", "## Fix\n\nx\n"),
        ("one\n{ #message-a .fb-small }\n\ntwo\n", "one\n\ntwo\n"),
        ('<div class="fb-short" markdown="1">\n\nshort\n\n</div>\n', "short\n"),
        ("[All](errors/index.md){ .fb-more }\n", "[All](errors/index.md)\n"),
        (
            '```text\n??? example "a"\n\n    b { #c }\n```\n',
            '```text\n??? example "a"\n\n    b { #c }\n```\n',
        ),
    ],
)
def test_each_notation_of_ours_has_a_plain_form(page: str, expected: str) -> None:
    assert plain(page) == expected


def test_an_entry_keeps_its_words_and_loses_our_notation(entry: Entry, around: Surroundings) -> None:
    page = entry_page(entry, around)
    text = plain_entry(page)
    assert OURS.search(outside_of_fences(text)) is None
    assert OURS.search(outside_of_fences(page)) is not None
    assert text.startswith("# Toy: ")
    assert "status: deprecated · kind: capacity" in text
    assert "(../other-entry/entry.md)" in text
    assert "index.md" not in text
    assert "](entry.json)\n" in text
    assert '[this entry as JSON](entry.json), <a href="entry.md">as Markdown</a>' in page
    for paste in around.pastes.values():
        lines = [line for line in md.visible(paste).splitlines() if line.strip()]
        assert lines
        assert set(lines) <= set(text.splitlines())


def test_a_plain_page_renders_to_the_same_words(entry: Entry, around: Surroundings) -> None:
    extensions = ["tables", "fenced_code"]
    page = Page.read(markdown.markdown(plain_entry(entry_page(entry, around)), extensions=extensions))
    shown = " ".join(page.text.split())
    for words in (entry.title, entry.causes[0].title, "asked for {n:int}", "Drops running requests."):
        assert words in shown
    assert "script" not in page.tags


def test_links_within_a_plain_page_have_their_anchor(entry: Entry, around: Surroundings) -> None:
    text = plain_entry(entry_page(entry, around))
    targets = set(re.findall(r"\]\(#([\w-]+)\)", text))
    assert targets
    assert targets <= set(re.findall(r'<a id="([\w-]+)"></a>', text))


def test_a_page_for_a_generator_has_title_and_description_alone(entry: Entry, around: Surroundings) -> None:
    meta, text = parted(plain_page(entry_page(entry, around)))
    assert meta == {"title": entry.title, "description": entry.summary}
    assert text.startswith("# Toy: ")
    assert parted(plain_page("---\ntitle: A & b\nhide: [toc]\n---\n\nwords\n")) == (
        {"title": "A & b"},
        "# A &amp; b\n\nwords\n",
    )


@settings(max_examples=80, deadline=None)
@given(text=st.text(st.sampled_from('ab `~{}#.=!?"<>/|\n -_') | st.characters(codec="utf-8"), max_size=80))
def test_what_is_fenced_comes_out_as_it_went_in(text: str) -> None:
    block = md.fence(text, "text", classes="fb-paste")
    assert plain(f"before\n\n{block}\n") == f"before\n\n{block.replace(' { .text .fb-paste }', 'text')}\n"


def test_code_at_the_start_of_a_paragraph_is_no_fence() -> None:
    assert plain(f'{md.code("``")}\n\n!!! note "b"\n\n    c\n') == f"{md.code('``')}\n\n**b**\n\nc\n"
