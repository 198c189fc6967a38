"""Read components: which packages write in a paste, by paths, roles of processes, and telling words."""

from __future__ import annotations

from collections.abc import Iterable

from kb.diagnose.clean.text import CleanText, Process
from kb.diagnose.words import WordMap

# Packages known by a folder of their name in a path.
PACKAGES = (
    "vllm", "sglang", "peft", "torch", "transformers", "accelerate", "deepspeed", "flashinfer", "triton",
    "nccl", "ray", "lightning", "pytorch_lightning", "megatron", "bitsandbytes", "xformers", "safetensors",
    "trl", "cuda",
)  # fmt: skip
# Words that only lines of, or about, one component have.
WORDS = {
    "nccl": "nccl",
    "processgroupnccl": "torch",
    "torch": "torch",
    "nvrm": "nvidia",
    "cuda": "cuda",
    "sigquit": "sglang",
    "sglang": "sglang",
    "vllm": "vllm",
    "horovod": "horovod",
    "kubectl": "kubernetes",
    "kubelet": "kubernetes",
    "oomkilled": "kubernetes",
}
ROLES = {"EngineCore": "vllm", "APIServer": "vllm", "VllmWorker": "vllm", "Worker_TP": "vllm"}


def read_components(clean: CleanText, words: WordMap) -> frozenset[str]:
    """The packages whose paths, roles or telling words stand in the paste."""
    found = {package for word, package in WORDS.items() if words.has(word)}
    paths = {package: (f"/{package}/", f"\\{package}\\") for package in PACKAGES if package not in found}
    found.update(package for package, folders in paths.items() if words.has_any(package, folders))
    found.update(role_packages({line.process for line in clean.lines}))
    return frozenset(found)


def role_packages(processes: Iterable[Process]) -> set[str]:
    """The packages that name their processes like this."""
    roles = {process.role for process in processes if process.role is not None}
    return {package for role in roles for start, package in ROLES.items() if role.startswith(start)}
