"""What a rule is: a code, a reason, and a function from one entry or check to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pydantic import BaseModel

from kb.catalog.document import Document, Path
from kb.catalog.entry import Check, Entry
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
    """One rule. `stops` means that an entry which breaks it cannot be compiled.

    `needs` are the keys that it reads as a whole, such as all signatures for the names that they capture:
    where one of them has a wrong value, the rule waits. All others judge what is right of a file.
    """

    code: str
    why: str
    on_entry: EntryRule | None = None
    on_check: CheckRule | None = None
    stops: bool = False
    needs: frozenset[str] = frozenset()

    def problems(self, catalog: Catalog) -> Iterator[Problem]:
        """All problems that this rule sees, in the order of the files."""
        if self.on_entry:
            for file in (*catalog.entries, *catalog.partial_entries):
                if not self._waits(file.wrong, Entry):
                    yield from self._told(self.on_entry(file, catalog), file)
        if self.on_check:
            for check in (*catalog.checks, *catalog.partial_checks):
                if not self._waits(check.wrong, Check):
                    yield from self._told(self.on_check(check, catalog), check)

    def _waits(self, wrong: frozenset[Path], model: type[BaseModel]) -> bool:
        """Whether something that this rule needs is wrong; an unknown key may be any of them, mistyped."""
        keys = {str(path[0]) for path in wrong if path}
        return bool(self.needs and (keys & self.needs or keys - set(model.model_fields)))

    def _told(self, findings: Iterator[Finding], file: EntryFile | CheckFile) -> Iterator[Problem]:
        for finding in findings:
            if not _is_about(file.wrong, finding):
                yield _problem(self.code, file.document, finding)


def entry_rule(code: str, *, stops: bool = False, needs: tuple[str, ...] = ()) -> Callable[[EntryRule], Rule]:
    """Make a rule of a function over entries; its docstring is the reason."""
    return lambda function: Rule(code, _why(function), on_entry=function, stops=stops, needs=frozenset(needs))


def check_rule(code: str, *, stops: bool = False, needs: tuple[str, ...] = ()) -> Callable[[CheckRule], Rule]:
    """Make a rule of a function over checks; its docstring is the reason."""
    return lambda function: Rule(code, _why(function), on_check=function, stops=stops, needs=frozenset(needs))


def _is_about(wrong: frozenset[Path], finding: Finding) -> bool:
    """Whether a finding is about what stands in for a wrong value, or misses what was taken away there."""
    if finding.beside:
        return False
    path = finding.path
    return any(path[: len(place)] == place or path == place[:-1] for place in wrong)


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
