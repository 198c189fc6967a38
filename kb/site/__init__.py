"""The pages: pure functions from entries to Markdown, and the browser build of the matcher.

`build_site` is the whole public function; pages are written to disk before the generator runs, so that the
generator stays replaceable.
"""

from kb.site.build import build_site
from kb.site.generate import SiteFailed

__all__ = ["SiteFailed", "build_site"]
