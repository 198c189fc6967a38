"""Which entries a client wants to see: by component, kind, status, exception class, package, flag."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from api.models import EntrySummary
from api.problems import Refused
from kb.diagnose import versions


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry's line in the list, with what filters look at."""

    summary: EntrySummary
    exceptions: frozenset[str]
    flags: frozenset[str]
    affected: tuple[tuple[str, str], ...]  # package, version specifier


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for; None: anything."""

    component: str | None = None
    kind: str | None = None
    status: str | None = None
    exception: str | None = None
    package: str | None = None
    version: str | None = None
    flag: str | None = None

    def check(self) -> None:
        """Raises Refused (422) for a combination that can mean nothing."""
        if self.version and not self.package:
            raise Refused(422, "`version` needs `package`: the release of what?")
        if self.version and versions.matches(self.version, ">=0") is None:
            raise Refused(422, f"`version` is a release such as 0.11.0, not {self.version[:40]!r}.")

    def fits(self, listed: Listed) -> bool:
        summary = listed.summary
        return (
            self.component in (None, *summary.components)
            and self.kind in (None, *summary.kinds)
            and self.status in (None, summary.status)
            and (self.exception is None or self.exception.rpartition(".")[2] in listed.exceptions)
            and (self.flag is None or self.flag.lstrip("-").replace("_", "-") in listed.flags)
            and (self.package is None or self.is_affected(listed.affected))
        )

    def is_affected(self, affected: Iterable[tuple[str, str]]) -> bool:
        """Whether the package, in the release named, is among those that the failure is in."""
        return any(
            package == self.package
            and (self.version is None or versions.matches(self.version, specifier) is True)
            for package, specifier in affected
        )


def listed(entry: dict[str, Any], summary: EntrySummary) -> Listed:
    """What filters look at, from the JSON of an entry."""
    exceptions = (signature.get("exception") for signature in entry["signatures"])
    return Listed(
        summary=summary,
        exceptions=frozenset(name.rpartition(".")[2] for name in exceptions if name),
        flags=frozenset(
            flag["name"].partition("=")[0].lstrip("-").replace("_", "-") for flag in entry["flags"]
        ),
        affected=tuple((package_of(a["purl"]), a["versions"]) for a in entry["affected"]),
    )


def package_of(purl: str) -> str:
    """`pkg:pypi/vllm` -> vllm."""
    return purl.partition("?")[0].partition("@")[0].rpartition("/")[2]
