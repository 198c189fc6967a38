"""The rules that `kb check` applies. One file per family; a rule is found by standing in its file."""

from __future__ import annotations

from types import ModuleType

from kb.catalog.loader import Catalog
from kb.catalog.problems import READING, Problem, in_order
from kb.catalog.rules import (
    checks,
    commands,
    examples,
    expressions,
    identity,
    privacy,
    proof,
    relations,
    sources,
    templates,
)
from kb.catalog.rules.rule import Rule

FAMILIES: tuple[ModuleType, ...] = (
    sources,
    identity,
    templates,
    expressions,
    proof,
    examples,
    relations,
    checks,
    commands,
    privacy,
)

RULES: tuple[Rule, ...] = tuple(
    sorted(
        (value for family in FAMILIES for value in vars(family).values() if isinstance(value, Rule)),
        key=lambda rule: rule.code,
    )
)

CODES: dict[str, str] = {**READING, **{rule.code: rule.why for rule in RULES}}
"""Every code that `kb check` can print, with its reason."""

STOPPING: frozenset[str] = frozenset({*READING, *(rule.code for rule in RULES if rule.stops)})
"""Codes of problems that keep an entry out of the index."""


def all_problems(catalog: Catalog) -> tuple[Problem, ...]:
    """The problems of reading and of every rule, in order."""
    found = (problem for rule in RULES for problem in rule.problems(catalog))
    return in_order((*catalog.problems, *found))
