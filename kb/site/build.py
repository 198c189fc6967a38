"""From the catalog to a folder of HTML: pages as Markdown, the generator over them, the browser build.

<build>/pages/   what the generator reads: docs/ and the generated pages
<build>/site/    what a host serves; built aside and put in place whole, so a server never shows half a site
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from kb.catalog.entry import Entry
from kb.catalog.loader import Catalog, EntryFile
from kb.catalog.stats import count
from kb.site.bundle import bundle, can_bundle
from kb.site.compress import compress
from kb.site.entry_page import entry_page
from kb.site.generate import ROOT, generate
from kb.site.home_page import home_page
from kb.site.index_page import index_page
from kb.site.stats_page import stats_page
from kb.site.surroundings import Surroundings

DOCS = ROOT / "docs"
NOT_PAGES = shutil.ignore_patterns("overrides", "index.md")


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
        shutil.copyfile(json_path(build_dir, file.entry.id), pages / "errors" / file.entry.id / "entry.json")
    (pages / "search").mkdir()
    shutil.copyfile(build_dir / "search" / "words.json", pages / "search" / "words.json")
    progress("Generating the site ...")
    generate(pages, fresh)
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
    shutil.copytree(DOCS, pages, ignore=NOT_PAGES)
    entries = [file.entry for file in files]
    titles = {entry.id: entry.title for entry in entries}
    checks = {file.check.id: file.check for file in catalog.checks}
    home = home_page((DOCS / "index.md").read_text(encoding="utf-8"), entries, in_browser=in_browser)
    (pages / "index.md").write_text(home, encoding="utf-8")
    (pages / "errors").mkdir()
    (pages / "errors" / "index.md").write_text(index_page(entries), encoding="utf-8")
    stats = count(entries, checks.values())
    (pages / "statistics.md").write_text(stats_page(stats), encoding="utf-8")
    for file in files:
        pastes = {
            each.file: text for each in file.entry.examples if (text := file.example(each.file)) is not None
        }
        write_entry(file.entry, Surroundings(titles, checks, pastes), pages / "errors" / file.entry.id)


def write_entry(entry: Entry, around: Surroundings, folder: Path) -> None:
    """One entry's page and its pastes."""
    folder.mkdir(parents=True)
    (folder / "index.md").write_text(entry_page(entry, around), encoding="utf-8")
    for name, text in around.pastes.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")


def replace(site: Path, fresh: Path) -> None:
    """Put the fresh site where the old one is; between the two renames, for an instant, nothing is there."""
    old = site.with_name("site.old")
    shutil.rmtree(old, ignore_errors=True)
    if site.exists():
        site.rename(old)
    fresh.rename(site)
    shutil.rmtree(old, ignore_errors=True)
