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


def in_reading_order(forms: dict[str, str], report: Report) -> list[tuple[str, str]]:
    """Forms as (name, text): those that the paste shows in use, then the others as the entry has them."""
    used = _used(report)
    names = [name for name in used if name in forms]
    return [(name, forms[name]) for name in dict.fromkeys((*names, *forms))]


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
