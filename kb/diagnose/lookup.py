"""Look for templates anywhere in the paste: tells of causes, and what supports or refutes an entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from kb.diagnose import template
from kb.diagnose.report import Report

MAX_LINE = 8_000  # characters of one line that are searched
MAX_LINES_TRIED = 500  # lines with an anchor word that are tried for one template
MOST_PREPARED = 1_000  # lines that are kept ready for the next template


@dataclass(frozen=True, slots=True)
class Seen:
    """A template found in a line: index of the clean line, and where."""

    at: int
    found: template.Found


@lru_cache(maxsize=8192)
def anchored(source: str) -> tuple[template.Template, frozenset[str], frozenset[str]]:
    """A template, the words of which a line must have one, and those that it must have, all of them."""
    parsed = template.parse(source)
    return parsed, template.anchors(parsed), template.required_words(parsed)


class Lookup:
    """The lines of one paste, searched for templates; each template is looked for once."""

    def __init__(self, report: Report) -> None:
        self.lines = report.clean.lines
        self._words = report.words
        self._events = report.events
        self._seen: dict[str, tuple[Seen, ...]] = {}
        self._prepared: dict[str, template.Prepared] = {}

    def find(self, source: str) -> tuple[Seen, ...]:
        """Every line in which the template stands, in order; one of several lines is sought in messages."""
        if source not in self._seen and "\n" in source:
            self._seen[source] = tuple(self._in_messages(anchored(source)[0]))
        if source not in self._seen:
            parsed, anchors, required = anchored(source)
            found: dict[str, template.Found | None] = {}  # equal lines are searched once
            seen = []
            for at in islice(self._words.lines(anchors, required), MAX_LINES_TRIED):
                text = self.lines[at].text
                if text not in found:
                    found[text] = template.find(parsed, self.prepared(at))
                if (there := found[text]) is not None:
                    seen.append(Seen(at, there))
            self._seen[source] = tuple(seen)
        return self._seen[source]

    def _in_messages(self, parsed: template.Template) -> Iterator[Seen]:
        """Every message of several lines in which a template of several lines stands."""
        for event in self._events:
            spots = event.passage.spots
            if len(spots) > 1:
                found = template.find(parsed, template.prepare(event.passage.text[:MAX_LINE]))
                if found is not None:
                    yield Seen(next(spot.at for spot in reversed(spots) if spot.offset <= found.start), found)

    def prepared(self, at: int) -> template.Prepared:
        """The text of a line, made ready once for many templates."""
        text = self.lines[at].text[:MAX_LINE]
        known = self._prepared.get(text)
        if known is None:
            known = template.prepare(text)
            if len(self._prepared) < MOST_PREPARED:
                self._prepared[text] = known
        return known

    def ranks_with(self, source: str) -> frozenset[str]:
        """The ranks on whose lines the template stands."""
        ranks = (self.lines[seen.at].process.rank for seen in self.find(source))
        return frozenset(rank for rank in ranks if rank is not None)
