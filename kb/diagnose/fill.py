"""Fill an entry's commands and fixes with the person's own numbers.

A placeholder is written `@name@`. Captured text is hostile: it enters a command only when it is short, made
of harmless characters and does not begin with a dash. What is not known is shown as the NAME in capitals.
"""

from __future__ import annotations

import re
from math import ceil
from typing import Any

from kb.diagnose import compare, versions
from kb.diagnose.change import Setting, find_change
from kb.diagnose.diagnosis import FilledFix
from kb.diagnose.forms import forms_of_setting, in_order
from kb.diagnose.index import Cause
from kb.diagnose.scope import Scope

PLACEHOLDER = re.compile(r"@([a-z][a-z0-9_]*)@")
HARMLESS = re.compile(r"[A-Za-z0-9_./:+=][A-Za-z0-9_./:+=,-]{0,199}|[0-9][0-9.,]{0,20} (?:[KMGTP]i?B|bytes)")
# What programs call the model of an adapter: vLLM's `model` and `model_tag`, SGLang's `model_path`, TGI's
# `model_id`.
ALSO_CALLED = {
    "base_model": ("model", "model_path", "model_id", "model_tag", "base_model_name_or_path"),
    "model": ("model_path", "model_id"),
}


def fill(text: str, scope: Scope, value: str | None = None) -> str:
    """The text with every placeholder filled or shown as its name in capitals."""

    def replacement(match: re.Match[str]) -> str:
        name = match[1]
        known = value if name == "value" else known_value(name, scope)
        return known if known is not None and HARMLESS.fullmatch(known) else name.upper()

    return PLACEHOLDER.sub(replacement, text) if "@" in text else text


def known_value(name: str, scope: Scope) -> str | None:
    """What the paste says of a placeholder, under this name or another one of the same thing."""
    found = (scope.value(each) for each in (name, *ALSO_CALLED.get(name, ())))
    return next((value for value in found if value is not None), None)


def fill_look(look: dict[str, str], scope: Scope, value: str | None = None) -> dict[str, str]:
    """A confirming or verifying step with its placeholders filled."""
    return {key: fill(text, scope, value) for key, text in look.items()}


def fill_fix(cause: Cause, scope: Scope, known: dict[str, str]) -> FilledFix:
    """A cause's fix for this paste: the value computed, all forms filled."""
    fix = cause.fix
    setting = fix.get("set")
    value = computed_value(setting, scope, known) if setting else None
    beyond = setting is not None and value is None and is_known(setting["at_least"], scope)
    steps = [fill(step, scope, value) for step in fix.get("steps", ())]
    if beyond and setting and setting.get("above_largest"):
        steps.insert(0, setting["above_largest"])
    forms = {name: fill(text, scope, value) for name, text in fix.get("forms", {}).items()}
    commands = tuple(fill(text, scope, value) for text in fix.get("commands", ()))
    change, made = None, {}
    if setting and value is not None and HARMLESS.fullmatch(value):
        wanted = Setting(setting["parameter"], value, tuple(scope.entry.components))
        change = find_change(scope.report.clean.lines, scope.report.words, wanted)
        made = forms_of_setting(setting["parameter"], value)
    ordered = in_order(forms, scope.report, made)
    if change:  # what the person runs stands in the place of a command that only looks like it
        commands = tuple(text for text in commands if text != forms.get(change.form))
        ordered = {change.form: change.after, **{k: v for k, v in ordered.items() if k != change.form}}
    return FilledFix(
        summary=fill(fix["summary"], scope, value),
        parameter=setting["parameter"] if setting else None,
        value=value,
        forms={} if beyond else ordered,
        commands=() if beyond else commands,
        steps=tuple(steps),
        verify=fill_look(fix.get("verify", {}), scope, value),
        resume=fix.get("resume"),
        avoid=tuple(f"{item['what']}: {item['why']}" for item in fix.get("avoid", ())),
        risk=fix.get("risk"),
        change=change,
    )


def is_known(expression: str, scope: Scope) -> bool:
    return compare.evaluate(compare.parse(expression), scope) is not None


def computed_value(setting: dict[str, Any], scope: Scope, known: dict[str, str]) -> str | None:
    """The smallest allowed value at or above `at_least`; None when unknown, or none will do.

    Where any integer is allowed it is one from 1 on: what is computed as less leaves no room for a value.
    """
    least = compare.evaluate(compare.parse(setting["at_least"]), scope)
    if isinstance(least, str):
        least = compare.number(least)
    if not isinstance(least, (int, float)) or isinstance(least, bool):
        return None
    rows = setting.get("allowed") or []
    if not rows:
        return str(ceil(least)) if least > 0 else None
    values = allowed_values(rows, known)
    return next((str(value) for value in sorted(values) if value >= least), None)


def allowed_values(rows: list[dict[str, Any]], known: dict[str, str]) -> list[int]:
    """The values allowed in the version that the paste names; without one, those of the last, newest row."""
    for row in rows:
        answers = [versions.matches(known[p], spec) for p, spec in row["versions"].items() if p in known]
        if answers and all(answer is True for answer in answers):
            return list(row["values"])
    return list(rows[-1]["values"])
