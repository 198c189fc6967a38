"""In which form a person needs a fix: the one for what they run, as far as the paste shows it, is first."""

from __future__ import annotations

from collections.abc import Mapping

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

# Parts of the paths of packages, of Python itself and of commands. Debian's packages lie in dist-packages.
INSTALLED = ("site-packages", "dist-packages", "/lib/python3", "/bin/")

NONE: Mapping[str, str] = {}

# Where the paste does not say what is run, a form for everybody comes before one of some framework.
GENERAL = ("cli", "env", "python", "yaml")


def in_order(forms: Mapping[str, str], report: Report, made: Mapping[str, str] = NONE) -> dict[str, str]:
    """The forms, the one that the person uses first.

    `made` are forms that the entry does not write out: they come last where the paste shows none in use.
    """
    every = {**made, **forms}
    names = [name for name in used_forms(report) if name in every]
    names += [name for name in (*GENERAL, *forms) if name in forms]
    return {name: every[name] for name in dict.fromkeys((*names, *made))}


def forms_of_setting(parameter: str, value: str) -> dict[str, str]:
    """A parameter with its value in every form that it has, for what an entry does not write out itself.

    A flag is an argument in Python, a key in a file of settings and an item in a manifest.
    """
    if not parameter.startswith("--"):
        return {}
    name = parameter.removeprefix("--")
    return {
        "cli": f"{parameter} {value}",
        "python": f"{name.replace('-', '_')}={value}",
        "yaml": f"{name}: {value}",
        "kubernetes": f"args:\n  - {parameter}={value}",
    }


def used_forms(report: Report) -> list[str]:
    """The forms that the paste shows in use, the surest first."""
    cluster = ["kubernetes", "yaml"] if report.facts.k8s_reason or "kubernetes" in report.components else []
    command = ["cli"] if report.command else []
    frameworks = [form for name, form in BY_COMPONENT.items() if name in report.components]
    library = ["python"] if has_own_script(report) else []
    return [*cluster, *frameworks, *command, *library]


def has_own_script(report: Report) -> bool:
    """Whether the outermost frame of some traceback is a script that came with no package and no Python."""
    outermost = (event.frames[0].path for event in report.events if event.frames)
    return any(path.endswith(".py") and not any(part in path for part in INSTALLED) for path in outermost)
