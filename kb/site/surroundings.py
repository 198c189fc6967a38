"""What the page of one entry says about others: their titles, the shared checks and the pastes beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kb.catalog.entry import Check
from kb.render.markup import code, literal


@dataclass(frozen=True)
class Surroundings:
    """Values that an entry only names. What is missing is shown by its id or left out."""

    titles: Mapping[str, str] = field(default_factory=dict)  # entry id -> title
    checks: Mapping[str, Check] = field(default_factory=dict)  # check id -> check
    pastes: Mapping[str, str] = field(default_factory=dict)  # example's file name -> its text

    def link(self, entry_id: str) -> str:
        """A link to another entry's page from an entry's page; its id alone when there is no such page."""
        title = self.titles.get(entry_id)
        return f"[{literal(title)}](../{entry_id}/index.md)" if title else code(entry_id)

    def reference(self, ref: str) -> str:
        """The same for `entry` or `entry/cause`."""
        entry_id, _, cause = ref.partition("/")
        title = self.titles.get(entry_id)
        if not title or not cause:
            return self.link(entry_id)
        return f"[{literal(title)}](../{entry_id}/index.md#cause-{cause}) ({code(cause)})"
