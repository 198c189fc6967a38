"""The overview of all entries: one table for each component."""

from __future__ import annotations

from collections.abc import Iterable

from kb.catalog.entry import Entry
from kb.render.markup import blocks, inline, section, table
from kb.site.overviews import TITLES

NAMES = {
    "cuda": "CUDA",
    "deepspeed": "DeepSpeed",
    "docker": "Docker",
    "fsdp": "FSDP",
    "kubernetes": "Kubernetes",
    "lightning": "Lightning",
    "lora": "LoRA",
    "megatron": "Megatron-LM",
    "nccl": "NCCL",
    "nvidia-driver": "NVIDIA driver",
    "pytorch": "PyTorch",
    "ray": "Ray",
    "sglang": "SGLang",
    "slurm": "Slurm",
    "tensorrt-llm": "TensorRT-LLM",
    "torch": "PyTorch",
    "torchrun": "torchrun",
    "transformers": "Transformers",
    "vllm": "vLLM",
}
"""Components as their makers write them; any other is shown by its id."""


def index_page(entries: Iterable[Entry]) -> str:
    """All entries by component, each under every component it touches."""
    chosen = list(entries)
    count = len(chosen)
    others = " · ".join(f"[{title}](../overviews/{name}.md)" for name, title in TITLES.items())
    return (
        blocks(
            "---\ntitle: All failures\nhide: [navigation]\n---",
            "# All failures",
            f"{count} {'entry' if count == 1 else 'entries'}. "
            "A page for each: how to recognise it, why it happens, the fix, and what looks like it. "
            "With a log at hand, [paste it](../index.md) instead of reading.",
            f"By component, below. {others}",
            *(component_table(component, group) for component, group in by_component(chosen)),
        )
        + "\n"
    )


def by_component(entries: Iterable[Entry], *, first_only: bool = False) -> list[tuple[str, list[Entry]]]:
    """Components as people sort them, each with the entries that touch it, or whose first component it is."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        for component in entry.components[:1] if first_only else entry.components:
            groups.setdefault(component, []).append(entry)
    return sorted(groups.items(), key=lambda group: component_name(group[0]).lower())


def component_name(component: str) -> str:
    """The component as people write it."""
    return NAMES.get(component, component)


def component_table(component: str, entries: list[Entry]) -> str:
    """The entries of one component by title."""
    rows = [row(entry) for entry in sorted(entries, key=lambda entry: entry.title.lower())]
    return section(
        2, component_name(component), f"component-{component}", table(["Failure", "Kind", "Status"], rows)
    )


def row(entry: Entry) -> list[str]:
    """Title, kinds of its causes, status."""
    kinds = ", ".join(dict.fromkeys(cause.kind for cause in entry.causes)) or "consequence"
    return [f"[{inline(entry.title)}]({entry.id}/index.md)", kinds, entry.status]
