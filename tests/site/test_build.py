"""The site of the real entries: the generator accepts it, links lead somewhere, nothing is foreign."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest

from kb.catalog.loader import Catalog, load_catalog
from kb.site.build import build_site
from kb.site.generate import ROOT, SiteFailed, generate
from tests.site.pages import Page

HOST = "https://host/under/a/path/"


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
    assert {path.parent.name for path in (site / "errors").glob("*/index.html")} == compiled
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


def test_entries_are_in_the_table_of_words_and_not_in_the_generators_index(
    site: Path, build_dir: Path
) -> None:
    docs = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    assert {doc["location"].partition("#")[0] for doc in docs} == {
        "",
        "errors/",
        "statistics/",
        "how-matching-works/",
    }
    table = json.loads((site / "search" / "words.json").read_text(encoding="utf-8"))
    assert {each["id"] for each in table["entries"]} == {
        path.stem for path in (build_dir / "entries").iterdir()
    }
    for each in table["entries"]:
        assert (site / each["path"] / "index.html").is_file()


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
    styles = weight((site / "assets").rglob("*.css"))
    assert weight([site / "index.html"]) + scripts + styles < 200_000
    for page in (site / "errors").glob("*/index.html"):
        assert weight([page]) + scripts + styles < 150_000, page


def weight(files: Iterable[Path]) -> int:
    """Bytes on the way to a browser that takes brotli, from a host that knows compressed siblings."""
    packed = ((Path(f"{file}.br"), file) for file in files if file.is_file())
    return sum((small if small.is_file() else file).stat().st_size for small, file in packed)


def test_the_generator_says_what_is_wrong_with_a_page(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    shutil.copytree(ROOT / "docs", pages, ignore=shutil.ignore_patterns("overrides"))
    (pages / "errors").mkdir()
    (pages / "errors" / "index.md").write_text("# All\n\n[nowhere](missing.md)\n")
    with pytest.raises(SiteFailed, match=r"missing\.md"):
        generate(pages, tmp_path / "site")


def test_an_address_gives_a_sitemap_and_none_gives_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = tmp_path / "pages"
    shutil.copytree(ROOT / "docs", pages, ignore=shutil.ignore_patterns("overrides"))
    (pages / "errors").mkdir()
    for page in ("errors/index.md", "statistics.md"):
        (pages / page).write_text("# Page\n")
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
