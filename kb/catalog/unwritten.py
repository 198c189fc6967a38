"""The word that stands where a person still has to write: `kb new` puts it there, `kb check` refuses it."""

from __future__ import annotations

MARK = "TODO"  # editors and people know this one; a word of the product, and no note on its own code
