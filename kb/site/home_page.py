"""The home page: the hand-written text of docs/index.md, with the pastes that its buttons try."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from kb.catalog.entry import Entry, Example
from kb.site.components import component_name

BUTTONS = 3


@dataclass(frozen=True)
class Trial:
    """A paste to try: the words on its button, and where the site keeps it."""

    label: str
    path: str


def trials(entries: Iterable[Entry]) -> list[Trial]:
    """The first paste with a sure answer of up to three entries, each about another component.

    Those with the most look-alikes and examples come first: there an answer helps most.
    """
    found: list[Trial] = []
    seen: set[str] = set()
    for entry in sorted(entries, key=lambda each: -len(each.siblings) - len(each.examples)):
        example = sure_example(entry)
        if example and entry.role == "initiating" and entry.components[0] not in seen:
            seen.add(entry.components[0])
            component = component_name(entry.components[0])
            named = component.lower() in entry.title.lower()
            label = entry.title if named else f"{component}: {entry.title}"
            found.append(Trial(label, f"errors/{entry.id}/{example.file}"))
        if len(found) == BUTTONS:
            break
    return found


def sure_example(entry: Entry) -> Example | None:
    """The entry's first example whose answer is the entry itself."""
    own = (each for each in entry.examples if each.file.startswith("match-") and each.verdict == "match")
    return next(own, None)


def home_page(text: str, entries: Iterable[Entry], *, in_browser: bool) -> str:
    """`docs/index.md` with what the template home.html needs added to its front matter (JSON is YAML).

    `in_browser` says whether the browser build of the matcher stands beside the pages.
    """
    opening, _, rest = text.partition("\n")
    if opening.strip() != "---":
        raise ValueError("docs/index.md must begin with front matter (---)")
    added = {"trials": [{"label": each.label, "path": each.path} for each in trials(entries)]}
    lines = [f"{key}: {json.dumps(value)}" for key, value in {**added, "in_browser": in_browser}.items()]
    return "\n".join((opening, *lines, rest))
