"""KB42x: comparisons and computed values can be worked out from what the matcher knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.catalog.document import Path
from kb.catalog.entry import Entry
from kb.catalog.loader import Catalog, EntryFile
from kb.catalog.rules.names import FACTS, are_known, captures, expression_names
from kb.catalog.rules.rule import Finding, entry_rule
from kb.catalog.rules.sources import allowed_values
from kb.diagnose import compare
from kb.diagnose.compare.nodes import About, Comparison, Logic, Member, Not

TRUTHS = (About, Comparison, Logic, Member, Not)


@dataclass(frozen=True, slots=True)
class Use:
    """An expression of an entry: its place, whether it must be true or false, the names it may use."""

    path: Path
    source: str
    is_truth: bool
    known: frozenset[str]

    def parsed(self) -> compare.Expression | None:
        """The expression, or None where it does not parse."""
        try:
            return compare.parse(self.source)
        except compare.CompareError:
            return None


@entry_rule("KB421", stops=True)
def expression_does_not_parse(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """An expression that does not parse decides nothing. A signature on `fact` is an expression too."""
    for use in uses(file.entry):
        try:
            compare.parse(use.source)
        except compare.CompareError as error:
            what, _, hint = str(error).partition("; ")
            yield Finding(use.path, what, hint or "write it like `free < wanted`", offset=error.offset)


@entry_rule("KB422", stops=True)
def expression_is_of_the_wrong_sort(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A condition is true or false; a derived or computed value is a number."""
    for use in uses(file.entry):
        expression = use.parsed()
        if expression and isinstance(expression.root, TRUTHS) != use.is_truth:
            what = (
                "a value where a comparison is needed"
                if use.is_truth
                else "a comparison where a value is needed"
            )
            hint = (
                "compare it, as in `free < wanted`" if use.is_truth else "compute it, as in `reserved - free`"
            )
            yield Finding(use.path, what, hint)


@entry_rule("KB423", needs=("signatures", "derive", "flags"))
def expression_uses_an_unknown_name(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A name that nothing gives makes a comparison unknown for ever, which nobody would notice."""
    for use in uses(file.entry) if are_known(file.entry) else ():
        expression = use.parsed()
        for name in sorted(expression.names - use.known) if expression else ():
            hint = "capture it in a signature, derive it from captures, or name its flag under `flags`"
            offset = use.source.find(name)
            yield Finding(use.path, f"nothing gives `{name}`", hint, offset=max(offset, 0))


@entry_rule("KB424")
def allowed_values_are_not_sorted(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Allowed values are read from small to large, each once; out of order they hide a typing error."""
    for path, allowed in allowed_values(file.entry):
        if allowed.values != sorted(set(allowed.values)) or not allowed.values:
            yield Finding((*path, "values"), "the values are not sorted, each once", "sort them", key=True)


@entry_rule("KB425", needs=("flags",))
def parameter_is_no_flag(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A fix that sets a flag shows its default and allowed values: the flag is described in the entry."""
    flags = {flag.name for flag in file.entry.flags}
    for number, cause in enumerate(file.entry.causes):
        setting = cause.fix.set
        if setting and setting.parameter.startswith("--") and setting.parameter not in flags:
            path = ("causes", number, "fix", "set", "parameter")
            yield Finding(path, f"{setting.parameter} is not among the entry's `flags`", "describe it there")


def uses(entry: Entry) -> Iterator[Use]:
    """Every expression of an entry."""
    known = expression_names(entry)
    for number, signature in enumerate(entry.signatures):
        if signature.on == "fact":
            yield Use(("signatures", number, "template"), signature.template, is_truth=True, known=FACTS)
    for name, source in entry.derive.items():
        yield Use(("derive", name), source, is_truth=False, known=captures(entry))
    for number, cause in enumerate(entry.causes):
        for position, tell in enumerate(cause.tells):
            if tell.when is not None:
                yield Use(
                    ("causes", number, "tells", position, "when"), tell.when, is_truth=True, known=known
                )
        if cause.fix.set:
            path: Path = ("causes", number, "fix", "set", "at_least")
            yield Use(path, cause.fix.set.at_least, is_truth=False, known=known)
