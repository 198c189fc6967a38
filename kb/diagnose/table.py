"""The table of ranks: who failed first, who followed, who is silent."""

from __future__ import annotations

from typing import Literal

from kb.diagnose import diagnosis as d
from kb.diagnose.context import Context
from kb.diagnose.failures import Group
from kb.diagnose.report import Event

Part = Literal["initiating", "secondary"]

MAX_RANKS = 1024


def rank_table(group: Group, first: int, context: Context) -> tuple[d.RankRow, ...]:
    """A row for each rank that tells of the failure, and for each that is silent; none for one rank."""
    events = context.candidates.events
    members = sorted(
        {*group.events, *(event for event, _ in group.secondary)}, key=lambda number: events[number].at
    )
    starter = events[first].culprit or events[first].process
    rows: dict[str, d.RankRow] = {}
    for number in [first, *members]:
        rank = events[number].process.rank
        if rank is not None and rank not in rows:
            rows[rank] = told_row(
                events[number], rank, "initiating" if rank == starter.rank else "secondary", context
            )
    silent = [*context.report.facts.silent_ranks, *([starter.rank] if starter.rank is not None else [])]
    for rank in silent:
        rows.setdefault(rank, d.RankRow(rank, None, None, None, None, "silent"))
    ordered = sorted(rows.values(), key=lambda row: (len(row.rank), row.rank))
    return tuple(ordered[:MAX_RANKS]) if len(ordered) > 1 else ()


def told_row(event: Event, rank: str, part: Part, context: Context) -> d.RankRow:
    """The row of a rank by its first event."""
    clean = context.report.clean
    line = clean.lines[event.at].number
    return d.RankRow(rank, event.process.host, line, clean.paste[line - 1], event.time, part)
