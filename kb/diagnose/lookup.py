"""Look for templates anywhere in the paste: tells of causes, and what supports or refutes an entry."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from kb.diagnose import template
from kb.diagnose.report import Report

MAX_LINE = 8_000  # characters of one line that are searched
MAX_LINES_TRIED = 500  # lines with an anchor word that are tried for one template


@dataclass(frozen=True, slots=True)
class Seen:
    """A template found in a line: index of the clean line, and where."""

    at: int
    found: template.Found


class Lookup:
    """The lines of one paste, searched for templates; each template is looked for once."""

    def __init__(self, report: Report) -> None:
        self.lines = report.clean.lines
        self._words = report.words
        self._seen: dict[str, tuple[Seen, ...]] = {}

    def find(self, source: str) -> tuple[Seen, ...]:
        """Every line in which the template stands, in order."""
        if source not in self._seen:
            parsed = template.parse(source)
            lines = islice(self._words.lines(template.anchors(parsed)), MAX_LINES_TRIED)
            tried = ((at, template.find(parsed, self.prepared(at))) for at in lines)
            self._seen[source] = tuple(Seen(at, found) for at, found in tried if found is not None)
        return self._seen[source]

    def prepared(self, at: int) -> template.Prepared:
        return template.prepare(self.lines[at].text[:MAX_LINE])

    def ranks_with(self, source: str) -> frozenset[str]:
        """The ranks on whose lines the template stands."""
        ranks = (self.lines[seen.at].process.rank for seen in self.find(source))
        return frozenset(rank for rank in ranks if rank is not None)
