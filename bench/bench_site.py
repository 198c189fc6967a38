"""The site with 1,000 entries against 1,000 plain pages of that size in mkdocs-material: CPU seconds.

The pages of the entries are written once and copied under further ids until there are 1,000; our generator
runs over them, and Material as it comes over the same pages as plain Markdown. Pages of the site beside the
entries are in both. Packing and compressing are left out of both.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kb.catalog.build import write_catalog  # noqa: E402
from kb.catalog.compiler import path_of  # noqa: E402
from kb.catalog.loader import load_catalog  # noqa: E402
from kb.site.build import json_path, write_pages, write_plain_pages  # noqa: E402
from kb.site.generate import generate  # noqa: E402

WANTED = 1000
PLAIN = "site_name: Plain\ntheme: {name: material, font: false}\ndocs_dir: docs\nsite_dir: site\n"


def main() -> None:
    catalog = load_catalog(ROOT / "entries")
    with TemporaryDirectory() as made:
        folder = Path(made)
        write_catalog(catalog, folder / "build")
        write_pages(list(catalog.entries), catalog, folder / "pages", in_browser=False)
        for file in catalog.entries:
            shutil.copy(
                json_path(folder / "build", file.entry.id),
                folder / "pages" / path_of(file.entry.id) / "entry.json",
            )
        write_plain_pages(catalog, folder / "build", folder / "plain" / "docs")
        (folder / "plain" / "mkdocs.yml").write_text(PLAIN, encoding="utf-8")
        for pages in (folder / "pages", folder / "plain" / "docs"):
            multiply(pages / "errors")
        ours = seconds(lambda: generate(folder / "pages", folder / "site"))
        plain = seconds(lambda: mkdocs(folder / "plain"))
    print(f"{WANTED} entries: {ours:.1f} s of CPU; as plain pages {plain:.1f} s; ratio {ours / plain:.2f}")


def multiply(errors: Path) -> None:
    """Copy the entries' folders under new names until there are enough."""
    folders = sorted(path for path in errors.iterdir() if path.is_dir())
    for at in range(WANTED - len(folders)):
        source = folders[at % len(folders)]
        shutil.copytree(source, errors / f"{source.name}-{at // len(folders) + 2}")


def mkdocs(folder: Path) -> None:
    options = ["build", "--quiet", "--config-file", str(folder / "mkdocs.yml")]
    command = [sys.executable, "-m", "mkdocs", *options]
    subprocess.run(command, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=True)


def seconds(work: Callable[[], None]) -> float:
    """CPU seconds that the children of some work took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
