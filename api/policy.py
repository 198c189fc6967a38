"""Which scripts may run: content security policies.

Pages run only scripts that were built: files of the site, and the inline scripts of its pages by their hash.
Whatever of a paste might slip into a page as markup would still not run. Answers of the API are never pages.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

API_POLICY = "default-src 'none'; frame-ancestors 'none'"
DOCS_PATH = "/api/docs"
DOCS_POLICY = (  # nothing inline, nothing from elsewhere
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Not those that are data (`application/ld+json`): they do not run, and each entry has one.
INLINE_SCRIPT = re.compile(rb"<script(?![^>]*\ssrc=)(?![^>]*json)[^>]*>(.*?)</script>", re.DOTALL)


def page_policy(site_dir: Path) -> str:
    """The content security policy of the pages in a folder, with the hashes of their inline scripts.

    `wasm-unsafe-eval` lets the in-browser Python start; styles are inline all over the theme.
    """
    scripts = {
        script for page in site_dir.rglob("*.html") for script in INLINE_SCRIPT.findall(page.read_bytes())
    }
    hashes = sorted(
        f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" for script in scripts
    )
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' 'wasm-unsafe-eval' {' '.join(hashes)}".rstrip(),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )
