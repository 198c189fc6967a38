"""Run the site generator over pages that lie on disk. The only place that knows it is mkdocs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


class SiteFailed(RuntimeError):
    """The generator refused the pages; the text is what it said."""


def generate(pages: Path, site: Path) -> None:
    """Turn the Markdown in `pages` into HTML in `site`, which is emptied first. A warning is a failure."""
    # Not --quiet: it drops warnings before --strict can count them.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    command += ["--config-file", str(ROOT / "mkdocs.yml"), "--site-dir", str(site.resolve())]
    environment = {**os.environ, "FAULTBOOK_PAGES": str(pages.resolve()), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip()
        raise SiteFailed(f"mkdocs could not build the pages in {pages}:\n{said}")
    drop_sitemap_without_addresses(site)


def drop_sitemap_without_addresses(site: Path) -> None:
    """A sitemap names whole addresses; without the site's own (FAULTBOOK_SITE_URL) it would be none."""
    sitemap = site / "sitemap.xml"
    if b"<loc>http" not in sitemap.read_bytes():
        sitemap.unlink()
        sitemap.with_name("sitemap.xml.gz").unlink()
