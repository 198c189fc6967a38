"""Which form of a fix a person reads first: the one for what they run, as far as the paste shows it."""

from __future__ import annotations

from kb.diagnose.report import Report

BY_COMPONENT = {
    "vllm": "vllm",
    "sglang": "sglang",
    "transformers": "trainer",
    "lightning": "lightning",
    "pytorch_lightning": "lightning",
    "pytorch-lightning": "lightning",
    "deepspeed": "deepspeed",
    "megatron": "megatron",
    "megatron-core": "megatron",
}

# Where the paste does not say what is run, a form for everybody comes before one of some framework.
GENERAL = ("cli", "env", "python", "yaml")


MOST = 3  # forms shown where nothing says which framework it is

Form = tuple[str, str]
"""The name of a form and its text."""


def first_to_read(forms: dict[str, str], report: Report) -> tuple[list[Form], list[Form]]:
    """The forms to show, and those to name only.

    One is shown: what the paste shows in use, else a general one. Where each is for a framework and the paste
    names none, the reader finds the own among several.
    """
    names = [name for name in (*_used(report), *GENERAL) if name in forms]
    ordered = [(name, forms[name]) for name in dict.fromkeys((*names, *forms))]
    shown = 1 if names else MOST
    return ordered[:shown], ordered[shown:]


def _used(report: Report) -> list[str]:
    cluster = ["kubernetes", "yaml"] if report.facts.k8s_reason or "kubernetes" in report.components else []
    command = ["cli"] if report.command else []
    frameworks = [form for name, form in BY_COMPONENT.items() if name in report.components]
    library = ["python"] if _own_script(report) else []
    return [*cluster, *frameworks, *command, *library]


def _own_script(report: Report) -> bool:
    """Whether the outermost frame of some traceback is a script outside any installed package."""
    outermost = (event.frames[0] for event in report.events if event.frames)
    return any(
        "site-packages" not in f.path and f.path.endswith(".py") and "/bin/" not in f.path for f in outermost
    )
