"""Redaction for JavaScript: a string in, a string out, as in `kb.diagnose.browser`.

A page that offers to send a part of a paste takes the secrets out first, in the browser.
"""

from __future__ import annotations

from kb.redact import redact


def redacted(text: str) -> str:
    """The text without secrets, addresses and user names; its lines keep their number."""
    return redact(text).text
