"""The site of the real entries: the generator accepts it, links lead somewhere, nothing is foreign."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest

from api.policy import page_policy
from kb.catalog.build import write_catalog
from kb.catalog.entry import Entry
from kb.catalog.loader import Catalog, load_catalog
from kb.site.build import build_site, write_machine_files, write_pages, write_plain_pages
from kb.site.by_hand import pages_by_hand
from kb.site.generate import ROOT, SiteFailed, generate
from kb.site.overviews import TITLES
from kb.site.structured import structured_data
from tests.site.pages import Page

HOST = "https://host/under/a/path/"
VALIDATOR = ROOT / "node_modules" / "html-validate" / "bin" / "html-validate.mjs"
OF_THE_THEME = {
    # So that browsers forget the state of its drawer and search; meant for text fields, harmless at others.
    ("valid-autocomplete", "#__drawer"),
    ("valid-autocomplete", "#__search"),
}


@pytest.fixture(scope="module")
def real() -> Catalog:
    return load_catalog(ROOT / "entries")


@pytest.fixture(scope="module")
def site(real: Catalog, build_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    build = tmp_path_factory.mktemp("site") / "build"
    shutil.copytree(build_dir, build)
    steps: list[str] = []
    build_site(real, build, progress=steps.append)
    assert len(steps) >= 2
    return build / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """Path in the site -> page, but for the 404 page, which lies at no address of its own."""
    found = (path for path in sorted(site.rglob("*.html")) if path.name != "404.html")
    return {
        path.relative_to(site).as_posix().removesuffix("index.html"): Page.read(
            path.read_text(encoding="utf-8")
        )
        for path in found
    }


def test_every_compiled_entry_has_page_json_and_pastes(site: Path, real: Catalog, build_dir: Path) -> None:
    compiled = {path.stem for path in (build_dir / "entries").glob("*.json")}
    assert compiled
    former = {each for file in real.entries for each in file.entry.former_ids}
    assert {path.parent.name for path in (site / "errors").glob("*/index.html")} == compiled | former
    for entry_id in compiled:
        folder = site / "errors" / entry_id
        assert json.loads((folder / "entry.json").read_text(encoding="utf-8"))["id"] == entry_id
        for example in real.by_id[entry_id].entry.examples:
            original = real.by_id[entry_id].folder / example.file
            assert (folder / example.file).read_bytes() == original.read_bytes()


def test_every_link_of_the_site_leads_somewhere(site: Path, pages: dict[str, Page]) -> None:
    broken = []
    for path, page in pages.items():
        for link in page.links + page.loads:
            address, anchor = urldefrag(urljoin(HOST + path, link))
            if not address.startswith("https://host/"):
                continue
            assert address.startswith(HOST), f"{path} links outside of its folder: {link}"
            target = unquote(address.removeprefix(HOST))
            file = site / target / "index.html" if target.endswith("/") or not target else site / target
            known = pages.get(target)
            if not file.is_file() or (anchor and known and unquote(anchor) not in known.ids):
                broken.append((path, link))
    assert broken == []


def test_no_page_loads_anything_from_another_origin(pages: dict[str, Page]) -> None:
    foreign = {load for page in pages.values() for load in page.loads if "//" in load}
    assert foreign == set()


def test_no_heading_of_any_page_is_empty(pages: dict[str, Page]) -> None:
    empty = [
        (path, heading.text)
        for path, page in pages.items()
        for heading in page.headings
        if not heading.text.strip() or not (heading.has_body or path == "")
    ]
    assert empty == []


def test_no_anchor_stands_twice_on_a_page(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        twice = {each for each in page.ids if page.ids.count(each) > 1}
        assert twice == set(), path


def test_entries_and_their_lists_are_not_in_the_generators_index_but_in_the_table_of_words(
    site: Path, build_dir: Path
) -> None:
    docs = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    written = {address_of(path) for path in pages_by_hand(ROOT / "docs", [])}
    assert {doc["location"].partition("#")[0] for doc in docs} == written | {"", "errors/", "statistics/"}
    assert {path.parent.name for path in (site / "overviews").glob("*/index.html")} == set(TITLES)
    table = json.loads((site / "search" / "words.json").read_text(encoding="utf-8"))
    assert {each["id"] for each in table["entries"]} == {
        path.stem for path in (build_dir / "entries").iterdir()
    }
    for each in table["entries"]:
        assert (site / each["path"] / "index.html").is_file()


def address_of(page: str) -> str:
    """Where a page lies on the site, by its path among the pages."""
    return page.removesuffix("index.md") if page.endswith("index.md") else page.removesuffix(".md") + "/"


@pytest.mark.node
def test_the_matcher_of_a_page_is_at_most_four_and_a_half_megabytes_on_the_way(site: Path) -> None:
    files = [path for path in (site / "assets" / "matcher").rglob("*") if path.suffix not in {".br", ".gz"}]
    assert len(files) > 5
    assert weight(files) < 4_500_000


@pytest.mark.node
def test_pages_are_light_before_anybody_pastes(site: Path) -> None:
    """Without fonts and pictures: an entry's page at most 150 KB, the home page at most 200 KB."""
    scripts = weight(
        [*(site / "assets" / "js").rglob("*.js"), *(site / "assets" / "javascripts").glob("*.js")]
    )
    assert weight([site / "index.html", *styles_of(site / "index.html")]) + scripts < 200_000
    for part in ("errors", "overviews", "guides"):
        for page in (site / part).rglob("*.html"):
            assert weight([page, *styles_of(page)]) + scripts < 150_000, page


@pytest.mark.node
def test_every_page_is_valid_html(site: Path) -> None:
    found = invalid(site)
    assert [each for each in found if each[1:] not in OF_THE_THEME] == []


@pytest.mark.node
def test_the_validator_finds_what_is_not_valid(site: Path, tmp_path: Path) -> None:
    page = (site / "guides" / "index.html").read_text(encoding="utf-8")
    assert "</h1>" in page
    (tmp_path / "index.html").write_text(
        page.replace("</h1>", "</h1><ul><p>in a list</p></ul><img alt>", 1), encoding="utf-8"
    )
    rules = {rule for _, rule, _ in invalid(tmp_path)}
    assert {"element-permitted-content", "element-required-attributes"} <= rules


def invalid(folder: Path) -> list[tuple[str, str, str]]:
    """Page, rule and element of each error of HTML in the pages below a folder."""
    config, told = folder.parent / "html-validate.json", folder.parent / "told.json"
    config.write_text('{"root": true, "extends": ["html-validate:standard"]}', encoding="utf-8")
    command = ["node", str(VALIDATOR), "--config", str(config), "--formatter", "json", f"{folder}/**/*.html"]
    with told.open("w", encoding="utf-8") as file:  # it ends before a pipe has taken all
        subprocess.run(command, stdout=file, check=False)
    return [
        (Path(page["filePath"]).relative_to(folder).as_posix(), error["ruleId"], error["selector"])
        for page in json.loads(told.read_text(encoding="utf-8"))
        for error in page["messages"]
    ]


def styles_of(page: Path) -> list[Path]:
    """The style sheets that a page loads."""
    loads = Page.read(page.read_text(encoding="utf-8")).loads
    return [(page.parent / load).resolve() for load in loads if load.endswith(".css")]


def test_programs_find_the_same_entries_as_people(site: Path, real: Catalog, build_dir: Path) -> None:
    compiled = {path.stem for path in (build_dir / "entries").glob("*.json")}
    told = json.loads((site / "errors" / "index.json").read_text(encoding="utf-8"))["entries"]
    assert {each["id"] for each in told} == compiled
    for each in told:
        assert (site / each["path"] / "index.html").is_file()
        text = (site / each["path"] / "entry.md").read_text(encoding="utf-8")
        assert text.startswith("# ")
        assert "\n## About this entry\n" in text
        document = (site / each["path"] / "entry.json").read_bytes()
        assert (site / "api" / "errors" / f"{each['id']}.json").read_bytes() == document
    links = re.findall(r"\]\(([^)]+)\)", (site / "llms.txt").read_text(encoding="utf-8"))
    here = [file.entry for file in real.entries if file.entry.id in compiled]
    assert len(links) == sum(entry.status != "withdrawn" for entry in here) + 2
    assert [link for link in links if not (site / link).is_file()] == []
    assert not (site / "feed.xml").exists()


def test_links_of_the_plain_entries_lead_somewhere(site: Path) -> None:
    broken = [
        (path.parent.name, link)
        for path in (site / "errors").glob("*/entry.md")
        for link in re.findall(r"\]\((\.\./[^)]*|[a-z.-]+)\)", path.read_text(encoding="utf-8"))
        if not (path.parent / link).is_file()
    ]
    assert broken == []


def test_the_head_of_an_entry_tells_programs_what_it_is(site: Path, real: Catalog) -> None:
    for path in (site / "errors").glob("*/index.html"):
        if path.parent.name in real.by_id:
            entry = real.by_id[path.parent.name].entry
            assert json.loads(data_blocks(path)[0]) == structured_data(entry)


def test_the_policy_of_the_api_lists_scripts_and_not_the_data_of_each_entry(site: Path) -> None:
    """A header that grew with the number of entries would be refused on the way."""
    assert len(page_policy(site)) < 2_000


def data_blocks(page: Path) -> list[str]:
    """What the page says about itself in JSON-LD."""
    block = r'<script type="application/ld\+json">(.*?)</script>'
    return re.findall(block, page.read_text(encoding="utf-8"), re.DOTALL | re.IGNORECASE)


@pytest.fixture(scope="module")
def toy_site(catalog: Catalog, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up entries, on a site that knows its address."""
    build = tmp_path_factory.mktemp("toy")
    write_catalog(catalog, build)
    write_pages(catalog.entries, catalog, build / "pages", in_browser=False)
    for file in catalog.entries:
        shutil.copy(
            build / "entries" / f"{file.entry.id}.json",
            build / "pages" / "errors" / file.entry.id / "entry.json",
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAULTBOOK_SITE_URL", HOST.rstrip("/"))
        patch.setenv("FAULTBOOK_REPOSITORY", "https://forge.example/owner/name/")
        generate(build / "pages", build / "site")
        write_machine_files(catalog.entries, build, build / "site")
    return build / "site"


def test_no_text_of_an_entry_is_markup_in_the_head(toy_site: Path, entry: Entry) -> None:
    path = toy_site / "errors" / "maximal-entry" / "index.html"
    html = path.read_text(encoding="utf-8")
    head = Page.read(html.partition("</head>")[0])
    assert head.tags & {"b", "tag"} == set()
    assert f"{entry.title} - Faultbook" in head.text
    assert json.loads(data_blocks(path)[0]) == {
        **structured_data(entry),
        "url": f"{HOST}errors/maximal-entry/",
    }
    for name, text in (
        ('name="description"', entry.summary),
        ('property="og:description"', entry.summary),
        ('property="og:title"', entry.title),
    ):
        found = re.search(rf'<meta {name} content="([^"<]*)">', html)
        assert found
        assert unescape(found[1]) == text


def test_an_entry_stands_below_its_component(toy_site: Path, entry: Entry) -> None:
    html = (toy_site / "errors" / "maximal-entry" / "index.html").read_text(encoding="utf-8")
    crumbs = Page.read(html.partition('aria-label="Breadcrumbs">')[2].partition("</nav>")[0])
    assert crumbs.links == ["../", f"../#component-{entry.components[0]}"]
    assert crumbs.text.split() == ["All", "failures", entry.components[0]]


def test_a_site_that_knows_its_repository_leads_to_the_entrys_file_there(toy_site: Path, site: Path) -> None:
    repository = "https://forge.example/owner/name"
    page = Page.read((toy_site / "errors" / "maximal-entry" / "index.html").read_text(encoding="utf-8"))
    assert f"{repository}/edit/main/entries/maximal-entry/entry.yaml" in page.links
    assert f"{repository}/issues/new?title=Entry%20maximal-entry%3A%20" in page.links
    (known, *_) = (site / "errors").glob("*/index.html")
    assert "Report a problem" not in known.read_text(encoding="utf-8")


def test_pages_written_by_hand_tell_what_they_are_to_whoever_shows_a_link(toy_site: Path) -> None:
    html = (toy_site / "guides" / "out-of-memory" / "index.html").read_text(encoding="utf-8")
    told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', html))
    assert told["title"] == "Out of memory: which memory?"
    assert told["url"] == f"{HOST}guides/out-of-memory/"
    assert len(told["description"]) > 40


def test_a_site_that_knows_its_address_has_a_feed_and_says_so(toy_site: Path) -> None:
    assert f"<id>{HOST}errors/other-entry/</id>" in (toy_site / "feed.xml").read_text(encoding="utf-8")
    page = Page.read((toy_site / "errors" / "other-entry" / "index.html").read_text(encoding="utf-8"))
    assert "../../feed.xml" in page.loads


def test_the_theme_finds_no_other_language_whose_sitemap_it_would_ask_for(toy_site: Path) -> None:
    html = (toy_site / "errors" / "maximal-entry" / "index.html").read_text(encoding="utf-8")
    relations = re.findall(r'<link rel="([^"]*alternate[^"]*)"', html)
    assert relations == ["alternate describedby", "alternate describedby", "alternate feed"]


def test_a_former_id_leads_to_the_page_of_today(toy_site: Path) -> None:
    old = toy_site / "errors" / "maximal-old" / "index.html"
    (link,) = Page.read(old.read_text(encoding="utf-8")).links
    assert (
        old.parent / link / "index.html"
    ).resolve() == toy_site / "errors" / "maximal-entry" / "index.html"


def test_plain_pages_are_whole_and_their_links_lead_somewhere(
    real: Catalog, build_dir: Path, tmp_path: Path
) -> None:
    written = write_plain_pages(real, build_dir, tmp_path)
    files = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*.md")}
    assert len(files) == written
    assert {"index.md", "how-matching-works.md", "statistics.md", "errors/index.md"} < set(files)
    broken = []
    for name, path in files.items():
        text = path.read_text(encoding="utf-8")
        assert len(re.findall(r"\A---\ntitle: .*\n(description: .*\n)?---\n", text)) == 1, name
        for link in re.findall(r"\]\(((?:\.\./)*[a-z0-9-]+[a-z0-9/.-]*\.(?:md|json))\)", text):
            broken += [(name, link)] if not (path.parent / link).is_file() else []
    assert broken == []


def weight(files: Iterable[Path]) -> int:
    """Bytes on the way to a browser that takes brotli, from a host that knows compressed siblings."""
    packed = ((Path(f"{file}.br"), file) for file in files if file.is_file())
    return sum((small if small.is_file() else file).stat().st_size for small, file in packed)


def test_the_generator_says_what_is_wrong_with_a_page(catalog: Catalog, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    write_pages([], catalog, pages, in_browser=False)
    (pages / "errors" / "index.md").write_text("# All\n\n[nowhere](missing.md)\n")
    with pytest.raises(SiteFailed, match=r"missing\.md"):
        generate(pages, tmp_path / "site")


def test_an_address_gives_a_sitemap_and_none_gives_none(
    catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = tmp_path / "pages"
    write_pages([], catalog, pages, in_browser=False)
    monkeypatch.delenv("FAULTBOOK_SITE_URL", raising=False)
    generate(pages, tmp_path / "without")
    assert list((tmp_path / "without").glob("sitemap*")) == []
    monkeypatch.setenv("FAULTBOOK_SITE_URL", "https://docs.example/under/a/path/")
    generate(pages, tmp_path / "with")
    sitemap = (tmp_path / "with" / "sitemap.xml").read_text(encoding="utf-8")
    assert "<loc>https://docs.example/under/a/path/errors/</loc>" in sitemap
    assert 'const known = "/under/a/path/"' in (tmp_path / "with" / "404.html").read_text(encoding="utf-8")


def test_a_failed_build_leaves_the_site_before_it(
    site: Path, real: Catalog, build_dir: Path, tmp_path: Path
) -> None:
    build = tmp_path / "build"
    shutil.copytree(build_dir, build)
    (build / "site").mkdir()
    (build / "site" / "index.html").write_text("the one before")
    (build / "index.json").unlink()
    with pytest.raises(FileNotFoundError):
        build_site(real, build, progress=lambda _: None)
    assert (build / "site" / "index.html").read_text() == "the one before"
