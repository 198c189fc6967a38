"""From the catalog to a folder of HTML: pages as Markdown, the generator over them, the browser build.

<build>/pages/   what the generator reads: docs/ and the generated pages
<build>/site/    what a host serves; built aside and put in place whole, so a server never shows half a site
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from kb.catalog.compiler import path_of
from kb.catalog.loader import Catalog, EntryFile
from kb.catalog.stats import count
from kb.site.bundle import bundle, can_bundle
from kb.site.by_hand import pages_by_hand
from kb.site.compress import compress
from kb.site.entry_page import entry_page
from kb.site.generate import ROOT, generate
from kb.site.home_page import home_page
from kb.site.index_page import index_page
from kb.site.machines import machine_files
from kb.site.overviews import overviews
from kb.site.plain import plain_page
from kb.site.stats_page import stats_page
from kb.site.surroundings import Surroundings

DOCS = ROOT / "docs"
NOT_FILES = shutil.ignore_patterns("overrides", "*.md")


def build_site(catalog: Catalog, build_dir: Path, *, progress: Callable[[str], None] = print) -> None:
    """Build the site of a catalog into `build_dir/site`.

    Needs what `kb.catalog.build.write_catalog` and `kb.search.build_search` wrote into `build_dir`; an entry
    that was not compiled gets no page. `progress` gets one sentence before each long step. Raises
    `SiteFailed` with the generator's own words when it refuses a page.
    """
    pages, site, fresh = (build_dir / name for name in ("pages", "site", "site.new"))
    in_browser = can_bundle()
    compiled = [file for file in catalog.entries if json_path(build_dir, file.entry.id).is_file()]
    progress(f"Writing the pages of {len(compiled)} entries ...")
    write_pages(compiled, catalog, pages, in_browser=in_browser)
    for file in compiled:
        shutil.copyfile(json_path(build_dir, file.entry.id), pages / path_of(file.entry.id) / "entry.json")
    (pages / "search").mkdir()
    shutil.copyfile(build_dir / "search" / "words.json", pages / "search" / "words.json")
    progress("Generating the site ...")
    generate(pages, fresh)
    write_machine_files(compiled, build_dir, fresh)
    if in_browser:
        uncompiled = "" if shutil.which("node") else " uncompiled, for Node.js is not there"
        progress(f"Packing the matcher for the browser{uncompiled} ...")
        bundle((build_dir / "index.json").read_bytes(), fresh / "assets" / "matcher")
    else:
        progress("The npm package pyodide is not there (npm ci): pastes will be answered by the API alone.")
    progress("Compressing the site; the first time this takes half a minute ...")
    compress(fresh)
    replace(site, fresh)


def json_path(build_dir: Path, entry_id: str) -> Path:
    """Where the compiler writes the whole entry as JSON."""
    return build_dir / "entries" / f"{entry_id}.json"


def write_pages(files: Sequence[EntryFile], catalog: Catalog, pages: Path, *, in_browser: bool) -> None:
    """All pages as Markdown, with the pastes they link to. What was in `pages` is removed."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(DOCS, pages, ignore=NOT_FILES)
    home = home_page(home_text(), [file.entry for file in files], in_browser=in_browser)
    by_hand = pages_by_hand(DOCS, {file.entry.id for file in files})
    write_files(pages, {"index.md": home, **by_hand, **made_pages(files, catalog)}.items())
    for file in files:
        for name, text in pastes(file).items():
            write_file(pages / "errors" / file.entry.id / name, text)


def write_plain_pages(catalog: Catalog, build_dir: Path, folder: Path) -> int:
    """Every page as plain Markdown, for any generator, and each entry's JSON beside it; how many pages.

    Needs what `kb.catalog.build.write_catalog` wrote into `build_dir`.
    """
    files = [file for file in catalog.entries if json_path(build_dir, file.entry.id).is_file()]
    by_hand = pages_by_hand(DOCS, {file.entry.id for file in files})
    pages = {"index.md": home_text(), **by_hand, **made_pages(files, catalog)}
    write_files(folder, ((path, plain_page(text)) for path, text in pages.items()))
    shutil.copytree(DOCS / "guides" / "files", folder / "guides" / "files", dirs_exist_ok=True)
    for file in files:
        shutil.copyfile(json_path(build_dir, file.entry.id), folder / "errors" / file.entry.id / "entry.json")
    return len(pages)


def home_text() -> str:
    """The home page as it was written."""
    return (DOCS / "index.md").read_text(encoding="utf-8")


def made_pages(files: Sequence[EntryFile], catalog: Catalog) -> dict[str, str]:
    """Path -> Markdown of each page that is made of the entries."""
    entries = [file.entry for file in files]
    titles = {entry.id: entry.title for entry in entries}
    checks = {file.check.id: file.check for file in catalog.checks}
    return {
        "errors/index.md": index_page(entries),
        "statistics.md": stats_page(count(entries, checks.values())),
        **overviews(entries),
        **{
            page_path(file.entry.id): entry_page(file.entry, Surroundings(titles, checks, pastes(file)))
            for file in files
        },
    }


def page_path(entry_id: str) -> str:
    """Where an entry's page lies among the pages."""
    return f"{path_of(entry_id)}index.md"


def pastes(file: EntryFile) -> dict[str, str]:
    """The examples of an entry that can be read: file name -> text."""
    texts = {each.file: file.example(each.file) for each in file.entry.examples}
    return {name: text for name, text in texts.items() if text is not None}


def write_machine_files(files: Sequence[EntryFile], build_dir: Path, site: Path) -> None:
    """What programs read, into a generated site."""
    entries = [file.entry for file in files]
    pages = {
        entry.id: (build_dir / "pages" / page_path(entry.id)).read_text(encoding="utf-8") for entry in entries
    }
    documents = {entry.id: json_path(build_dir, entry.id).read_text(encoding="utf-8") for entry in entries}
    address = os.environ.get("FAULTBOOK_SITE_URL", "")
    slashed = address.rstrip("/") + "/" if address else ""
    write_files(site, machine_files(entries, pages, documents, slashed))


def write_files(folder: Path, files: Iterable[tuple[str, str]]) -> None:
    """Texts by their path in a folder."""
    for path, text in files:
        write_file(folder / path, text)


def write_file(path: Path, text: str) -> None:
    """One text, its line ends as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def replace(site: Path, fresh: Path) -> None:
    """Put the fresh site where the old one is; between the two renames, for an instant, nothing is there."""
    old = site.with_name("site.old")
    shutil.rmtree(old, ignore_errors=True)
    if site.exists():
        site.rename(old)
    fresh.rename(site)
    shutil.rmtree(old, ignore_errors=True)
