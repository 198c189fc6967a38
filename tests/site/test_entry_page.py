"""The page of an entry: every field reaches it, nothing on it is empty, nothing is markup by chance."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel, ValidationError

from kb.catalog import entry as model
from kb.catalog.entry import Entry, Source
from kb.site.entry_page import entry_page
from kb.site.sections.looks import titled
from kb.site.sections.recognition import SHOWN
from kb.site.surroundings import Surroundings
from kb.site.upstream import permalink
from tests.site.pages import Page

GOLDEN = Path(__file__).parent / "golden" / "maximal-entry.md"
Way = tuple[str | int, ...]


def leaves(value: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """Every scalar of a JSON value with the way to it."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*way, key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from leaves(item, (*way, at))
    elif value is not None:
        yield way, value


def parts(value: Any) -> Iterator[BaseModel]:
    """Every model inside a value, itself too."""
    if isinstance(value, BaseModel):
        yield value
        for name in type(value).model_fields:
            yield from parts(getattr(value, name))
    elif isinstance(value, dict):
        for item in value.values():
            yield from parts(item)
    elif isinstance(value, list):
        for item in value:
            yield from parts(item)


def words(annotation: Any) -> set[str]:
    """All words of the literal types in an annotation."""
    inside = get_args(annotation)
    return {each for each in inside if isinstance(each, str)}.union(*(words(each) for each in inside))


MODELS = [kind for kind in vars(model).values() if isinstance(kind, type) and issubclass(kind, BaseModel)]
FIELDS = [info.annotation for kind in MODELS for info in kind.model_fields.values()]
WORDS = sorted(set[str]().union(*(words(annotation) for annotation in FIELDS)))


def others(value: Any) -> Iterator[Any]:
    """Values that may stand instead of this one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    else:
        yield from (f"{value}x9", value[:-1] + ("8" if value[-1] != "8" else "7"))
        yield from (word for word in WORDS if word != value)
        yield from ("match-marked.txt", "2.0")


def changed(data: dict[str, Any], way: Way) -> Entry | None:
    """The entry with the value at `way` replaced by another valid one; None where only one value is valid."""
    copy = json.loads(json.dumps(data))
    holder = copy
    for step in way[:-1]:
        holder = holder[step]
    for other in others(holder[way[-1]]):
        holder[way[-1]] = other
        try:
            return Entry.model_validate(copy)
        except ValidationError:
            continue
    return None


def seen(entry: Entry, around: Surroundings) -> str:
    """The page without its front matter, which goes into the head."""
    return entry_page(entry, around).partition("---\n\n")[2]


def test_the_maximal_entry_fills_every_field(entry: Entry) -> None:
    filled: dict[type[BaseModel], set[str]] = {}
    for part in parts(entry):
        names = {name for name in type(part).model_fields if getattr(part, name) not in (None, [], {}, "")}
        filled.setdefault(type(part), set()).update(names)
    missing = {kind.__name__: set(kind.model_fields) - names for kind, names in filled.items()}
    assert not {name: fields for name, fields in missing.items() if fields}


def test_every_field_reaches_the_page(entry: Entry, around: Surroundings) -> None:
    """Whatever value of the entry changes, what a person sees of its page changes."""
    page = seen(entry, around)
    data = entry.model_dump(mode="json")
    unread = []
    for way, _ in leaves(data):
        other = changed(data, way)
        if other is not None and seen(other, around) == page:
            unread.append(way)
    assert unread == []


def test_only_the_format_has_a_single_valid_value(entry: Entry) -> None:
    data = entry.model_dump(mode="json")
    assert [way for way, _ in leaves(data) if changed(data, way) is None] == [("schema_version",)]


def test_no_heading_is_empty_and_no_anchor_stands_twice(
    entry: Entry, around: Surroundings, render: Callable[[str], str]
) -> None:
    page = Page.read(render(seen(entry, around)))
    assert [
        heading.text for heading in page.headings if not heading.has_body or not heading.text.strip()
    ] == []
    assert len(page.ids) == len(set(page.ids))


def test_an_entry_of_few_fields_has_no_empty_heading(render: Callable[[str], str]) -> None:
    least = Entry.model_validate(
        {
            "schema_version": "1.0",
            "id": "least",
            "title": "As little as may be",
            "summary": "Nothing but what the model asks for.",
            "status": "draft",
            "published": "2026-11-01",
            "modified": "2026-11-01",
            "components": [],
        }
    )
    page = Page.read(render(seen(least, Surroundings())))
    assert [heading.text.strip("¶ ") for heading in page.headings] == [
        "As little as may be",
        "About this entry",
    ]


def test_no_text_of_an_entry_becomes_markup(
    entry: Entry, around: Surroundings, render: Callable[[str], str]
) -> None:
    html = render(seen(entry, around))
    page = Page.read(html)
    assert "script" not in page.tags
    assert "b" not in page.tags
    assert "<script>alert(1)</script>" in page.text
    assert "␛[31madapter" in page.text


def test_the_page_is_as_it_was_agreed(
    entry: Entry, around: Surroundings, request: pytest.FixtureRequest
) -> None:
    """`pytest tests/site --update` writes it anew; the difference is for review."""
    page = entry_page(entry, around)
    if request.config.getoption("--update"):
        GOLDEN.write_text(page, encoding="utf-8")
    assert page == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/own/er/issues/12", "own/er issue 12"),
        ("https://github.com/own/er/pull/12#issuecomment-1", "own/er pull request 12"),
        ("https://github.com/own/er/blob/v1.2/a/b.py#L3-L9", "own/er v1.2, a/b.py, line 3"),
        (f"https://github.com/own/er/blob/{'0f' * 20}/b.py", "own/er 0f0f0f0f0f, b.py"),
        ("https://docs.host/a/page.html", "docs.host/a/page.html"),
    ],
)
def test_a_link_without_a_title_says_what_it_leads_to(url: str, name: str) -> None:
    assert titled(url).replace("\\", "") == f"[{name}](<{url}>)"


@pytest.mark.parametrize(
    ("place", "address"),
    [
        ({"repository": "vllm-project/vllm", "release": "0.11.0"}, "vllm-project/vllm/blob/v0.11.0/a.py#L7"),
        ({"repository": "NVIDIA/nccl", "release": "v2.27.3-1"}, "NVIDIA/nccl/blob/v2.27.3-1/a.py#L7"),
        ({"repository": "own/er", "release": "1.0", "commit": "0f" * 20}, f"own/er/blob/{'0f' * 20}/a.py#L7"),
        ({"repository": "own/er", "release": "1.0"}, ""),
        ({"repository": "vllm-project/vllm"}, ""),
    ],
)
def test_a_source_is_linked_by_commit_or_by_the_tag_of_its_release(
    place: dict[str, str], address: str
) -> None:
    source = Source.model_validate({"type": "source", "path": "a.py", "line": "7", **place})
    assert permalink(source) == (f"https://github.com/{address}" if address else "")


def test_many_wordings_are_folded_and_one_is_not(entry: Entry, around: Surroundings) -> None:
    def page(count: int) -> str:
        wordings = [
            entry.signatures[0].model_copy(update={"id": f"wording-{number}"}) for number in range(count)
        ]
        return entry_page(entry.model_copy(update={"signatures": wordings}), around)

    assert "further wordings" not in page(SHOWN + 1)
    folded = page(SHOWN + 3).partition('"3 further wordings"')[2]
    assert f"{{ #message-wording-{SHOWN} .fb-small }}" in folded
    assert f"{{ #message-wording-{SHOWN - 1} .fb-small }}" not in folded
