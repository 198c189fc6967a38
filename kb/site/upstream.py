"""Where a message stands upstream: the address of the line, of a commit or of a release's tag."""

from __future__ import annotations

from kb.catalog.entry import Source

TAGS = {
    "Dao-AILab/flash-attention": "v",
    "Lightning-AI/pytorch-lightning": "",
    "NVIDIA/Megatron-LM": "",
    "NVIDIA/apex": "",
    "NVIDIA/nccl": "",
    "SchedMD/slurm": "",
    "aio-libs/aiohttp": "v",
    "bitsandbytes-foundation/bitsandbytes": "",
    "deepspeedai/DeepSpeed": "v",
    "encode/httpx": "",
    "facebookincubator/submitit": "",
    "flashinfer-ai/flashinfer": "v",
    "gradio-app/gradio": "gradio@",
    "gregkh/linux": "v",
    "horovod/horovod": "v",
    "huggingface/accelerate": "v",
    "huggingface/datasets": "",
    "huggingface/huggingface_hub": "v",
    "huggingface/peft": "v",
    "huggingface/safetensors": "v",
    "huggingface/text-generation-inference": "v",
    "huggingface/transformers": "v",
    "kserve/kserve": "v",
    "kubernetes/kubernetes": "v",
    "numpy/numpy": "v",
    "open-mpi/ompi": "v",
    "psf/requests": "v",
    "python/cpython": "v",
    "pytorch/pytorch": "v",
    "pytorch/vision": "v",
    "ray-project/ray": "",
    "sgl-project/sglang": "v",
    "triton-lang/triton": "v",
    "vllm-project/vllm": "v",
}
"""Repository -> what its tags have before the release that entries name. Others need a commit."""


def permalink(value: Source) -> str:
    """The address of a source: given, or of repository, commit or release, and path; "" where one lacks."""
    if value.url:
        return value.url
    if not (value.repository and value.path and (at := value.commit or tag(value))):
        return ""
    line = f"#L{value.line}" if value.line else ""
    return f"https://github.com/{value.repository}/blob/{at}/{value.path}{line}"


def tag(value: Source) -> str:
    """The tag of the release that a source names; "" where the repository's tags are not known."""
    if not value.release or value.repository not in TAGS:
        return ""
    return TAGS[value.repository] + value.release
