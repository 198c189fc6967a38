"""KB71x: a check helps to decide."""

from __future__ import annotations

from collections.abc import Iterator

from kb.catalog.document import Path
from kb.catalog.loader import Catalog, CheckFile
from kb.catalog.rules.rule import Finding, check_rule
from kb.catalog.rules.walk import unknown_reference


@check_rule("KB711")
def outcome_names_nothing(file: CheckFile, catalog: Catalog) -> Iterator[Finding]:
    """What an outcome supports or rules out is an entry or cause that exists."""
    for number, outcome in enumerate(file.check.outcomes):
        for name, references in (("supports", outcome.supports), ("rules_out", outcome.rules_out)):
            for position, reference in enumerate(references):
                if what := unknown_reference(reference, catalog):
                    path: Path = ("outcomes", number, name, position)
                    yield Finding(path, what, "name an entry or `entry/cause` that exists")


@check_rule("KB712", needs=("outcomes",))
def outcomes_say_the_same(file: CheckFile, _catalog: Catalog) -> Iterator[Finding]:
    """A check whose outcomes all support the same separates nothing."""
    if len({frozenset(outcome.supports) for outcome in file.check.outcomes}) < 2:
        yield Finding(
            ("outcomes",),
            "all outcomes support the same",
            "let two outcomes support different things",
            key=True,
        )


@check_rule("KB713", needs=("outcomes",))
def check_is_not_used(file: CheckFile, catalog: Catalog) -> Iterator[Finding]:
    """A check is reached through siblings or separates causes of an entry; else nobody is ever asked it."""
    by_siblings = any(
        file.check.id == sibling.check for other in catalog.entries for sibling in other.entry.siblings
    )
    spoken = (ref for outcome in file.check.outcomes for ref in (*outcome.supports, *outcome.rules_out))
    named = {reference for reference in spoken if "/" in reference}
    if catalog.is_whole and not by_siblings and len(named) < 2 and file.check.id in catalog.check_ids:
        hint = "name it under `siblings` of an entry, or let its outcomes speak for and against causes"
        yield Finding(("id",), "nothing uses this check", hint)


@check_rule("KB714")
def outcome_contradicts_itself(file: CheckFile, _catalog: Catalog) -> Iterator[Finding]:
    """An outcome cannot support and rule out the same thing."""
    for number, outcome in enumerate(file.check.outcomes):
        for position, reference in enumerate(outcome.rules_out):
            if reference in outcome.supports:
                path: Path = ("outcomes", number, "rules_out", position)
                yield Finding(path, f"`{reference}` is supported and ruled out", "keep one of the two")
