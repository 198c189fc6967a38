"""Evidence beside the signature: tells of causes, and what supports or refutes an entry."""

from __future__ import annotations

from collections.abc import Sequence

from kb.diagnose import compare, template
from kb.diagnose.context import Context
from kb.diagnose.diagnosis import Evidence
from kb.diagnose.index import Tell
from kb.diagnose.report import Event, Report
from kb.diagnose.scope import Scope


def place(
    report: Report, event: Event, found: template.Found | None
) -> tuple[int | None, int | None, int | None]:
    """Line, start and end in the paste of found text, cut at the end of its first line."""
    lines = report.clean.lines
    if found is None:
        line = lines[event.at]
        return line.number, *span(report, event.at, 0, len(line.text))
    spot = next(s for s in reversed(event.passage.spots) if s.offset <= found.start)
    column = spot.column + found.start - spot.offset
    end = min(column + found.end - found.start, len(lines[spot.at].text))
    return lines[spot.at].locate(column)[0], *span(report, spot.at, column, end)


def span(report: Report, at: int, start: int, end: int) -> tuple[int, int]:
    """Start and end column in the paste's line of a stretch of a clean line."""
    line = report.clean.lines[at]
    number, first = line.locate(start)
    last_number, last = line.locate(max(end - 1, start))
    length = len(report.clean.paste[number - 1])
    return min(first, length), min(last + 1, length) if last_number == number else length


def tell_evidence(tells: Sequence[Tell], scope: Scope, context: Context) -> list[Evidence]:
    """The evidence of those tells that hold."""
    return [item for tell in tells if (item := read_tell(tell, scope, context)) is not None]


def read_tell(tell: Tell, scope: Scope, context: Context) -> Evidence | None:
    """The evidence of one tell, or None when it does not hold or cannot be decided."""
    if tell.when is not None:
        if compare.evaluate(compare.parse(tell.when), scope) is not True:
            return None
        values = {
            name: value
            for name in sorted(compare.names(compare.parse(tell.when)))
            if (value := scope.value(name))
        }
        return Evidence(tell.weight, tell.note, captures=values)
    assert tell.template is not None  # the model demands one of the two
    seen = context.lookup.find(tell.template)
    if tell.absent_on == "all":
        return None if seen else Evidence(tell.weight, tell.note)
    if not seen:
        return None
    if tell.absent_on == "some" and not missing_somewhere(tell.template, context):
        return None
    at, found = seen[0].at, seen[0].found
    line = context.report.clean.lines[at].locate(found.start)[0]
    start, end = span(context.report, at, found.start, found.end)
    return Evidence(tell.weight, tell.note, None, line, start, end, dict(found.captures))


def missing_somewhere(source: str, context: Context) -> bool:
    """Whether the template stands on the lines of some ranks but not of all."""
    facts = context.report.facts
    ranks = set(facts.ranks) | set(facts.silent_ranks)
    having = context.lookup.ranks_with(source)
    return bool(having) and bool(ranks - having)
