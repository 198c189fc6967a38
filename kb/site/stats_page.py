"""The page with what the knowledge base holds and how well it is proven."""

from __future__ import annotations

from kb.catalog.stats import Stats
from kb.render.markup import blocks, inline, section, table
from kb.site.components import component_name


def stats_page(stats: Stats) -> str:
    """The counts as tables."""
    return (
        blocks(
            "---\ntitle: Statistics\nhide: [navigation]\n---",
            "# What is here, and how well it is proven",
            "Counted anew whenever the site is built. A draft is written down and not yet proven; a reviewed "
            "entry has passed a second reader, who tried to refute it against the source.",
            section(2, "Proof", "proof", table(["Counted", "Number"], proof_rows(stats))),
            section(
                2,
                "Entries by component",
                "components",
                table(["Component", *statuses(stats)], family_rows(stats)),
            ),
        )
        + "\n"
    )


def proof_rows(stats: Stats) -> list[list[str]]:
    """One row for each count."""
    rows = [
        ["entries", f"{stats.entries}"],
        ["signatures (messages by version)", f"{stats.signatures}"],
        ["aliases (texts that no software emits and people paste)", f"{stats.aliases}"],
        ["causes, each with a check and a fix", f"{stats.causes}"],
        ["pastes that must lead to their entry", f"{stats.examples_match}"],
        ["look-alikes that must not", f"{stats.examples_other}"],
        ["sources pinned to release, path and line", f"{stats.pinned}"],
        ["sources in documentation or seen in reports", f"{stats.unpinned}"],
        ["sources that are unconfirmed, and say so", f"{stats.unconfirmed}"],
        ["pairs of siblings", f"{stats.siblings}"],
        ["of these without a check that decides between them", f"{stats.siblings_undecided}"],
    ]
    if stats.oldest:
        one = stats.oldest
        linked = f"[{inline(one.entry)}](errors/{one.entry}/index.md)"
        rows.append([f"longest since verified: {linked}", f"{one.date} ({one.package} {one.release})"])
    return rows


def statuses(stats: Stats) -> list[str]:
    return list(stats.statuses)


def family_rows(stats: Stats) -> list[list[str]]:
    """One row for each component, with a column for each status."""
    return [
        [component_name(name), *(str(counts.get(status, 0)) for status in statuses(stats))]
        for name, counts in stats.families.items()
    ]
