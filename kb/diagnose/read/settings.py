"""Read settings, versions and components: what the person runs, as far as the paste says it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.diagnose.clean.text import CleanText

PACKAGES = (
    "vllm", "sglang", "peft", "torch", "transformers", "accelerate", "deepspeed", "flashinfer", "triton", "nccl",
    "ray", "lightning", "pytorch_lightning", "megatron", "bitsandbytes", "xformers", "safetensors", "trl", "cuda",
)  # fmt: skip

# `vllm==0.11.0` (pip freeze, requirements), `vLLM API server version 0.11.0`, `LLM engine (v0.11.0)`,
# `vllm/vllm-openai:v0.11.0` (image tags), `vllm-0.11.0.dist-info`, `NCCL version 2.21.5+cuda12.4`.
VERSIONS = (
    re.compile(r"\b(?P<package>[A-Za-z][\w.-]{1,30})==(?P<version>\d[\w.+]*)"),
    re.compile(r"\b(?P<package>vLLM|vllm|SGLang|sglang|PyTorch|torch|NCCL|Transformers|transformers|PEFT|peft|DeepSpeed|CUDA)\b[^\n\d]{0,25}?[Vv]ersion:?\s+v?(?P<version>\d[\w.+]*)"),
    re.compile(r"\b(?P<package>LLM) [Ee]ngine \(v(?P<version>\d[\w.+]*)\)"),
    re.compile(r"\b(?P<package>vllm)/vllm-openai:v(?P<version>\d[\w.+]*)"),
    re.compile(r"\b(?P<package>sglang):v(?P<version>\d[\w.+]*)"),
    re.compile(r"/(?P<package>[a-z][\w]{1,30})-(?P<version>\d[\w.+]*)\.dist-info"),
)  # fmt: skip
NAMES = {"llm": "vllm", "pytorch": "torch"}

FLAG = re.compile(
    r"(?<![\w-])--(?P<name>[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*)(?:[= ]+(?P<value>(?!-)[^\s\\'\"|;&,]+))?"
)
PAIR = re.compile(
    r"['\"]?\b(?P<name>[a-z][a-z0-9]*(?:_[a-z0-9]+)+)['\"]?\s*[=:]\s*(?P<value>'[^']*'|\"[^\"]*\"|[\w./+-]+)"
)
# torch.cuda and NCCL settings in the environment: `NCCL_DEBUG=INFO`.
ENVIRONMENT = re.compile(
    r"\b(?P<name>(?:NCCL|CUDA|TORCH|PYTORCH|VLLM|SGLANG|HF)_[A-Z0-9_]+)=(?P<value>[^\s,;\"']+)"
)
PAIR_LINES = (
    "non-default args",
    "ServerArgs(",
    "server_args",
    "LLM engine",
    "EngineArgs",
    "TrainingArguments",
    "LLM(",
)
COMMANDS = ("vllm serve", "vllm.entrypoints", "sglang.launch_server", "torchrun", "accelerate launch", "deepspeed ",
            "python -m", "python3 -m", "docker run", "sglang serve")  # fmt: skip
MAX_SETTINGS = 400


def read_versions(clean: CleanText) -> dict[str, str]:
    """Package -> version as written, the first mention of each."""
    versions: dict[str, str] = {}
    for line in clean.lines:
        text = line.text
        if not any(ch in text for ch in "=vV-"):
            continue
        if (
            "==" not in text
            and "ersion" not in text
            and "(v" not in text
            and ":v" not in text
            and "dist-info" not in text
        ):
            continue
        for pattern in VERSIONS:
            for match in pattern.finditer(text):
                package = match["package"].lower().replace("-", "_")
                versions.setdefault(NAMES.get(package, package), match["version"].rstrip("."))
    return versions


def read_settings(clean: CleanText) -> dict[str, str]:
    """Setting in lower case with underscores -> value; a flag without a value is `true`."""
    settings: dict[str, str] = {}
    for line in clean.lines:
        for name, value in line_settings(line.text):
            if len(settings) < MAX_SETTINGS:
                settings.setdefault(name, value)
    return settings


def line_settings(text: str) -> Iterable[tuple[str, str]]:
    """The settings that one line states."""
    if "--" in text and is_command(text):
        for match in FLAG.finditer(text):
            yield match["name"].replace("-", "_"), match["value"] or "true"
    if any(word in text for word in PAIR_LINES):
        for match in PAIR.finditer(text):
            yield match["name"], match["value"].strip("'\"")
    if "_" in text and "=" in text:
        for match in ENVIRONMENT.finditer(text):
            yield match["name"].lower(), match["value"]


def is_command(text: str) -> bool:
    """Whether flags in this line are the person's own, and not those that a message or a help text names."""
    start = text.lstrip(" \t-[\"'")
    own = text.lstrip().startswith(("--", "- --", "- \"--", "$ ", '"--', "'--"))
    return (own and "--" in text[: len(text) - len(start) + 2]) or any(word in text for word in COMMANDS)


def read_command(clean: CleanText) -> str | None:
    """The person's own command line, without a prompt, its continuation lines joined."""
    for at, line in enumerate(clean.lines):
        if "--" not in line.text and not line.text.rstrip().endswith("\\"):
            continue
        start = min((line.text.find(word) for word in COMMANDS if word in line.text), default=-1)
        if start < 0 or "usage:" in line.text:
            continue
        parts = [line.text[start:]]
        while parts[-1].rstrip().endswith("\\") and at + len(parts) < len(clean.lines) and len(parts) < 40:
            parts.append(clean.lines[at + len(parts)].text.strip())
        return " ".join(part.rstrip().removesuffix("\\").strip() for part in parts)
    return None


COMPONENT_PATH = re.compile(r"[/\\](?P<package>" + "|".join(PACKAGES) + r")[/\\]")
PROCESS_ROLES = {"EngineCore": "vllm", "APIServer": "vllm", "VllmWorker": "vllm", "Worker_TP": "vllm"}
WORDS = {"NCCL": "nccl", "ProcessGroupNCCL": "torch", "NVRM": "nvidia", "sigquit": "sglang", "kubectl": "kubernetes",
         "kubelet": "kubernetes", "OOMKilled": "kubernetes", "torch.": "torch", "vllm": "vllm", "sglang": "sglang",
         "horovod": "horovod", "Horovod": "horovod", "CUDA": "cuda"}  # fmt: skip


def read_components(clean: CleanText) -> frozenset[str]:
    """The packages whose paths, roles or telling words stand in the paste."""
    found: set[str] = set()
    for line in clean.lines:
        if "/" in line.text or "\\" in line.text:
            found.update(match["package"] for match in COMPONENT_PATH.finditer(line.text))
        found.update(package for word, package in WORDS.items() if word in line.text)
        role = line.process.role
        if role is not None:
            found.update(package for word, package in PROCESS_ROLES.items() if role.startswith(word))
    return frozenset(found)
