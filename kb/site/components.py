"""Components: what people call them, and the entries that touch each."""

from __future__ import annotations

from collections.abc import Iterable

from kb.catalog.entry import Entry

ALL = ["All failures", "errors/", ""]
"""Title, path and anchor of the page that lists everything by component; other pages stand below it."""

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
