"""How many forms of a fix are shown at once: the first of the answer, and the others by name."""

from __future__ import annotations

from kb.diagnose.forms import GENERAL, used_forms
from kb.diagnose.report import Report

MOST = 3  # forms shown where nothing says which framework it is

Form = tuple[str, str]
"""The name of a form and its text."""


def first_to_read(forms: dict[str, str], report: Report) -> tuple[list[Form], list[Form]]:
    """The forms to show, and those to name only, in the order of the answer.

    One is shown: what the paste shows in use, else a general one. Where each is for a framework and the paste
    names none, the reader finds the own among several.
    """
    ordered = list(forms.items())
    known = any(name in forms for name in (*used_forms(report), *GENERAL))
    shown = 1 if known else MOST
    return ordered[:shown], ordered[shown:]
