"""What a rule is: a code, a reason, and a function from one entry or check to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kb.catalog.document import Document, Path
from kb.catalog.loader import Catalog, CheckFile, EntryFile
from kb.catalog.problems import Problem


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule saw, at a value of the YAML file, or at a place in a file beside it.

    `offset` counts characters of that value. `beside` is (file name, line, column), line and column from 1.
    """

    path: Path
    message: str
    hint: str
    offset: int = 0
    key: bool = False  # the key is wrong, not its value
    beside: tuple[str, int, int] | None = None


EntryRule = Callable[[EntryFile, Catalog], Iterator[Finding]]
CheckRule = Callable[[CheckFile, Catalog], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `stops` means that an entry which breaks it cannot be compiled."""

    code: str
    why: str
    on_entry: EntryRule | None = None
    on_check: CheckRule | None = None
    stops: bool = False

    def problems(self, catalog: Catalog) -> Iterator[Problem]:
        """All problems that this rule sees, in the order of the files."""
        if self.on_entry:
            for file in catalog.entries:
                for finding in self.on_entry(file, catalog):
                    yield _problem(self.code, file.document, finding)
        if self.on_check:
            for check in catalog.checks:
                for finding in self.on_check(check, catalog):
                    yield _problem(self.code, check.document, finding)


def entry_rule(code: str, *, stops: bool = False) -> Callable[[EntryRule], Rule]:
    """Make a rule of a function over entries; its docstring is the reason."""
    return lambda function: Rule(code, _why(function), on_entry=function, stops=stops)


def check_rule(code: str, *, stops: bool = False) -> Callable[[CheckRule], Rule]:
    """Make a rule of a function over checks; its docstring is the reason."""
    return lambda function: Rule(code, _why(function), on_check=function, stops=stops)


def _why(function: EntryRule | CheckRule) -> str:
    return " ".join((function.__doc__ or "").split())


def _problem(code: str, document: Document, finding: Finding) -> Problem:
    if finding.beside:
        name, line, column = finding.beside
        path = document.path.rsplit("/", 1)[0] + "/" + name
        return Problem(path, line, column, code, finding.message, finding.hint)
    place = (
        document.locate_key(finding.path) if finding.key else document.locate(finding.path, finding.offset)
    )
    return Problem(document.path, *place, code, finding.message, finding.hint)
