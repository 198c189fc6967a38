"""The table of ranks: who failed first, who followed, who is silent."""

from __future__ import annotations

from kb.diagnose import diagnosis as d
from kb.diagnose.context import Context
from kb.diagnose.failures import Group

MAX_RANKS = 1024


def rank_table(group: Group, first: int, context: Context) -> tuple[d.RankRow, ...]:
    """A row for each rank that tells of the failure, and for each known to be silent; none for one rank."""
    clean, events = context.report.clean, context.candidates.events
    members = sorted(
        {*group.events, *(event for event, _ in group.secondary)}, key=lambda number: events[number].at
    )
    rows: dict[str, d.RankRow] = {}
    for number in [first, *members]:
        event = events[number]
        rank = event.process.rank
        if rank is None or rank in rows:
            continue
        line = clean.lines[event.at].number
        part = "initiating" if rank == events[first].process.rank else "secondary"
        rows[rank] = d.RankRow(rank, event.process.host, line, clean.paste[line - 1], event.time, part)  # type: ignore[arg-type]
    for rank in context.report.facts.silent_ranks:
        rows.setdefault(rank, d.RankRow(rank, None, None, None, None, "silent"))
    ordered = sorted(rows.values(), key=lambda row: (len(row.rank), row.rank))
    return tuple(ordered[:MAX_RANKS]) if len(ordered) > 1 else ()
