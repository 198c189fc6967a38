"""Files for programs: complete, under any folder, and valid in their forms."""

import json
import re
from xml.etree import ElementTree as ET

import pytest

from api.models import EntrySummary
from kb.catalog.compiler import entry_json
from kb.catalog.entry import Entry
from kb.catalog.loader import Catalog
from kb.site.entry_page import entry_page
from kb.site.feed import LENGTH, feed, newest
from kb.site.machines import listing, llms_txt, machine_files, redirect
from kb.site.structured import structured_data
from kb.site.surroundings import Surroundings
from tests.site.pages import Page

ADDRESS = "https://docs.example/under/a/path/"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def entries(catalog: Catalog) -> list[Entry]:
    return [file.entry for file in catalog.entries]


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_each_entry_has_its_files_also_under_former_ids(entries: list[Entry], address: str) -> None:
    pages = {entry.id: entry_page(entry, Surroundings()) for entry in entries}
    documents = {entry.id: json.dumps(entry_json(entry, {})) for entry in entries}
    files = dict(machine_files(entries, pages, documents, address))
    assert set(files) == {
        "llms.txt",
        "schema/entry.json",
        "errors/index.json",
        "api/index.json",
        "api/errors/maximal-entry.json",
        "api/errors/maximal-old.json",
        "api/errors/other-entry.json",
        "errors/maximal-entry/entry.md",
        "errors/other-entry/entry.md",
        "errors/maximal-old/index.html",
    } | ({"feed.xml"} if address else set())
    assert files["api/index.json"] == files["errors/index.json"]
    assert json.loads(files["api/errors/maximal-old.json"])["id"] == "maximal-entry"
    assert set(json.loads(files["schema/entry.json"])["properties"]) == set(Entry.model_fields)


def test_the_list_says_of_each_entry_what_the_list_of_the_api_says(entries: list[Entry]) -> None:
    told = listing(reversed(entries))
    assert told["total"] == len(entries) == 2
    assert [each["id"] for each in told["entries"]] == ["maximal-entry", "other-entry"]
    for each in told["entries"]:
        assert set(each) == set(EntrySummary.model_fields)
        EntrySummary.model_validate(each)


def test_llms_txt_names_each_entry_once_and_no_withdrawn_one(entries: list[Entry]) -> None:
    text = llms_txt(entries, "")
    assert text.startswith("# Faultbook\n\n> ")
    assert re.findall(r"\]\(errors/([\w-]+)/entry\.md\)", text) == ["maximal-entry", "other-entry"]
    assert '{"text": "the log"}' in text
    assert f"]({ADDRESS}errors/other-entry/entry.md)" in llms_txt(entries, ADDRESS)
    withdrawn = [entry.model_copy(update={"status": "withdrawn"}) for entry in entries]
    assert "entry.md)" not in llms_txt(withdrawn, "")


def test_a_redirect_leads_on_under_any_folder(entry: Entry) -> None:
    text = redirect(entry, "")
    page = Page.read(text)
    assert page.links == ["../maximal-entry/"]
    assert '<meta http-equiv="refresh" content="0; url=../maximal-entry/">' in text
    assert '<link rel="canonical" href="../maximal-entry/">' in text
    assert f'<link rel="canonical" href="{ADDRESS}errors/maximal-entry/">' in redirect(entry, ADDRESS)
    assert page.tags & {"b", "script"} == set()
    assert entry.title in page.text


def test_the_feed_is_valid_and_shows_text_as_it_is(entries: list[Entry]) -> None:
    root = ET.fromstring(feed(entries, ADDRESS))
    assert root.tag == f"{ATOM}feed"
    assert root.findtext(f"{ATOM}id") == ADDRESS
    assert root.findtext(f"{ATOM}updated") == "2026-11-02T00:00:00Z"
    shown = root.findall(f"{ATOM}entry")
    assert [each.findtext(f"{ATOM}title") for each in shown] == [each.title for each in entries]
    for each in shown:
        link = each.find(f"{ATOM}link")
        assert link is not None
        assert link.attrib["href"].startswith(f"{ADDRESS}errors/")
        assert each.findtext(f"{ATOM}id") == link.attrib["href"]


def test_the_newest_come_first_and_the_feed_ends_somewhere(entry: Entry) -> None:
    days = [f"2026-{month:02}-{day:02}" for month in (1, 2, 3) for day in range(1, 28)]
    many = [entry.model_copy(update={"modified": day}) for day in days]
    assert [each.modified for each in newest(many, LENGTH)] == days[: -LENGTH - 1 : -1]
    assert len(ET.fromstring(feed(many, ADDRESS)).findall(f"{ATOM}entry")) == LENGTH


def test_a_control_character_does_not_break_the_feed(entry: Entry) -> None:
    odd = entry.model_copy(update={"summary": "a\x1b[31m red & <b>"})
    root = ET.fromstring(feed([odd], ADDRESS))
    assert root.findtext(f"{ATOM}entry/{ATOM}summary") == "a␛[31m red & <b>"


def test_structured_data_says_what_the_page_shows(entry: Entry) -> None:
    told = structured_data(entry)
    assert (told["@type"], told["headline"], told["description"]) == (
        "TechArticle",
        entry.title,
        entry.summary,
    )
    assert told["keywords"] == ["toyengine", "lora", "toy.SlotError"]
    assert (told["datePublished"], told["dateModified"]) == ("2026-11-01", "2026-11-02")
