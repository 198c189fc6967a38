"""Components: what people call them, and the entries that touch each."""

from __future__ import annotations

from collections.abc import Iterable

from kb.catalog.entry import Entry

ALL = ["All failures", "errors/", ""]
"""Title, path and anchor of the page that lists everything by component; other pages stand below it."""

NAMES = {
    "ctranslate2": "CTranslate2",
    "cuda": "CUDA",
    "cuda-graphs": "CUDA graphs",
    "cudnn": "cuDNN",
    "cupy": "CuPy",
    "deepspeed": "DeepSpeed",
    "docker": "Docker",
    "flashinfer": "FlashInfer",
    "fsdp": "FSDP",
    "gcc": "GCC",
    "gpu-memory": "GPU memory",
    "horovod": "Horovod",
    "huggingface-hub": "Hugging Face Hub",
    "kserve": "KServe",
    "kubernetes": "Kubernetes",
    "lightning": "Lightning",
    "linux": "Linux",
    "lora": "LoRA",
    "megatron": "Megatron-LM",
    "moe": "Mixture of experts",
    "nccl": "NCCL",
    "nemo": "NeMo",
    "ninja": "Ninja",
    "numpy": "NumPy",
    "nvidia-container-toolkit": "NVIDIA container toolkit",
    "nvidia-device-plugin": "NVIDIA device plugin",
    "nvidia-driver": "NVIDIA driver",
    "nvidia-fabricmanager": "NVIDIA fabric manager",
    "nvidia-gpu-operator": "NVIDIA GPU operator",
    "onnxruntime": "ONNX Runtime",
    "openai-api": "OpenAI API",
    "paddle": "Paddle",
    "peft": "PEFT",
    "pytorch": "PyTorch",
    "ray": "Ray",
    "sglang": "SGLang",
    "slurm": "Slurm",
    "tensorflow": "TensorFlow",
    "tensorrt": "TensorRT",
    "tensorrt-llm": "TensorRT-LLM",
    "tgi": "TGI",
    "torch": "PyTorch",
    "torchrun": "torchrun",
    "transformers": "Transformers",
    "triton": "Triton (compiler)",
    "triton-inference-server": "Triton Inference Server",
    "trl": "TRL",
    "vllm": "vLLM",
    "xformers": "xFormers",
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
