"""Entries -> the index that the matcher loads, and the JSON of each entry.

Pure: takes a catalog, gives values; `build.py` writes them. The fields of the index are those of
`kb.diagnose.index`, no more: what a page needs is in the entry's own JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from kb.catalog.entry import AllowedValues, Cause, Check, Entry, Fix, Pattern, Tell
from kb.catalog.index_form import Json, index_json
from kb.catalog.loader import Catalog
from kb.catalog.problems import Problem
from kb.catalog.rules import STOPPING, all_problems

WEIGHTS = {"weak": 0.7, "medium": 1.5, "strong": 3.0}  # nats: odds of 2, 4.5 and 20 to one
REFUTES = {"weak": -1.0, "medium": -2.5, "strong": -5.0}  # it is another failure: more than a cause's tell
PRIORS = {"common": 6.0, "occasional": 3.0, "rare": 1.0}


@dataclass(frozen=True)
class Compiled:
    """What the entries became, and the problems that kept some of them out."""

    index: Json
    entries: dict[str, Json]  # id -> the whole entry, with the checks it uses
    checks: dict[str, Json]
    problems: tuple[Problem, ...]
    catalog: Catalog  # without what was left out


def compile_catalog(catalog: Catalog) -> Compiled:
    """Compile every entry that can be compiled; the others' problems are told."""
    problems = tuple(problem for problem in all_problems(catalog) if problem.code in STOPPING)
    broken = {problem.path for problem in problems}
    kept = replace(
        catalog,
        entries=tuple(file for file in catalog.entries if file.document.path not in broken),
        checks=tuple(file for file in catalog.checks if file.document.path not in broken),
    )
    entries, checks = [file.entry for file in kept.entries], [file.check for file in kept.checks]
    by_id = {check.id: check_json(check) for check in checks}
    return Compiled(
        index_of(entries, checks),
        {entry.id: entry_json(entry, by_id) for entry in entries},
        by_id,
        problems,
        kept,
    )


def entry_json(entry: Entry, checks: dict[str, Json]) -> Json:
    """The whole entry for pages, API and search, with its address and the checks that it uses."""
    used = sorted({sibling.check for sibling in entry.siblings} | _checks_of_causes(entry, checks))
    return {
        **entry.model_dump(mode="json"),
        "path": path_of(entry.id),
        "checks": [checks[check] for check in used if check in checks],
    }


def check_json(check: Check) -> Json:
    """A check as the index and the entries hold it."""
    return check.model_dump(mode="json")


def index_of(entries: list[Entry], checks: list[Check]) -> Json:
    """The index of all entries but the withdrawn, in the order of their ids."""
    active = sorted((entry for entry in entries if entry.status != "withdrawn"), key=lambda entry: entry.id)
    return index_json(
        [compile_entry(entry) for entry in active],
        [check_json(check) for check in sorted(checks, key=lambda check: check.id)],
    )


def path_of(entry_id: str) -> str:
    """Where the entry's page lies, from the root of the site."""
    return f"errors/{entry_id}/"


def compile_entry(entry: Entry) -> Json:
    """An entry as `kb.diagnose.index.read_entry` reads it."""
    supports = [_pattern(pattern, WEIGHTS) for pattern in entry.supports]
    return {
        "id": entry.id,
        "title": entry.title,
        "summary": entry.summary,
        "status": entry.status,
        "role": entry.role,
        "components": entry.components,
        "affected": [
            {"package": package(a.purl), "versions": a.versions, "fixed_in": a.fixed_in}
            for a in entry.affected
        ],
        "signatures": _signatures(entry),
        "supports": supports + [_pattern(pattern, REFUTES) for pattern in entry.refutes],
        "derive": entry.derive,
        "causes": _causes(entry.causes),
        "siblings": [{"id": sibling.id, "check": sibling.check} for sibling in entry.siblings],
        "leads_to": [related.id for related in entry.related if related.relation == "leads_to"],
        "find_root": entry.find_root and entry.find_root.model_dump(),
        "path": path_of(entry.id),
    }


def package(purl: str) -> str:
    """The name that versions in a paste are given for: `pkg:pypi/vllm` -> vllm."""
    return re.split("[?@#]", purl, maxsplit=1)[0].rsplit("/", maxsplit=1)[-1]


def _signatures(entry: Entry) -> list[Json]:
    left_out = {"condition", "source"}
    own = [
        signature.model_dump(mode="json", exclude=left_out) | {"alias": False}
        for signature in entry.signatures
    ]
    return own + [
        {"id": f"alias-{number}", "template": alias, "alias": True, "on": "log"}
        for number, alias in enumerate(entry.aliases, start=1)
    ]


def _pattern(pattern: Pattern, weights: Mapping[str, float]) -> Json:
    return {
        "weight": weights[pattern.strength],
        "note": pattern.note,
        "template": pattern.template,
    }


def _causes(causes: list[Cause]) -> list[Json]:
    total = sum(PRIORS[cause.likelihood] for cause in causes)
    return [
        {
            "id": cause.id,
            "title": cause.title,
            "kind": cause.kind,
            "prior": PRIORS[cause.likelihood] / total,
            "versions": cause.versions,
            "tells": [_tell(tell) for tell in cause.tells],
            "confirm": cause.confirm.model_dump(exclude_none=True),
            "fix": _fix(cause.fix),
        }
        for cause in causes
    ]


def _fix(fix: Fix) -> Json:
    """A fix, its allowed values sorted by version: the matcher takes the last row for the newest."""
    compiled = fix.model_dump(mode="json", exclude_none=True, exclude={"example"})
    if fix.set:
        rows = sorted(fix.set.allowed, key=_first_version)
        compiled["set"]["allowed"] = [row.model_dump(mode="json") for row in rows]
    return compiled


def _first_version(row: AllowedValues) -> Version:
    """The lowest version that a row names; of a row without a lower bound, the lowest there is."""
    bounds = (b for specifier in row.versions.values() for b in SpecifierSet(specifier))
    lowest = [Version(bound.version) for bound in bounds if bound.operator in (">=", ">", "==", "~=")]
    return min(lowest, default=Version("0"))


def _tell(tell: Tell) -> Json:
    return {
        "weight": WEIGHTS[tell.strength] * (1 if tell.says == "for" else -1),
        "note": tell.note,
        "template": tell.template,
        "when": tell.when,
        "absent_on": tell.absent_on,
    }


def _checks_of_causes(entry: Entry, checks: dict[str, Json]) -> set[str]:
    """Checks whose outcomes speak for or against causes of this very entry."""
    return {
        check_id
        for check_id, check in checks.items()
        for outcome in check["outcomes"]
        for reference in (*outcome["supports"], *outcome["rules_out"])
        if reference.startswith(f"{entry.id}/")
    }
