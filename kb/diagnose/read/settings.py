"""Read settings: flags of the person's own command, dumps of arguments, manifests and the environment."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.diagnose.clean.text import CleanText
from kb.diagnose.words import WordMap

FLAG = re.compile(
    r"(?<![\w-])--(?P<name>[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*)"
    r"(?:(?:=|[= ][\"']?| +)(?P<value>(?![-\"'])[^\s\\'\"|;&,]+))?"
)
# Values in help texts: `--max-lora-rank {8,16,32}`, `--dtype DTYPE`.
METAVAR = re.compile(r"[{\[<].*|[A-Z][A-Z0-9_]{2,}")
PAIR = re.compile(
    r"['\"]?\b(?P<name>[a-z][a-z0-9]*+(?:_[a-z0-9]++)*+)['\"]?(?:=|:\s*)(?P<value>'[^']*'|\"[^\"]*\"|[\w./+-]++(?!\())"
)
# torch.cuda and NCCL settings in the environment: `NCCL_DEBUG=INFO`.
ENVIRONMENT = re.compile(
    r"\b(?P<name>(?:NCCL|CUDA|TORCH|PYTORCH|VLLM|SGLANG|SGL|HF|RAY|OMP|GLOO)_[A-Z0-9_]+)=(?P<value>[^\s;\"']+)"
)
ENVIRONMENT_SIGNS = ("NCCL_", "CUDA_", "TORCH_", "VLLM_", "SGL", "HF_", "RAY_", "OMP_", "GLOO_")
# Lines in which a program prints its arguments.
DUMPS = (
    "non-default args", "ServerArgs(", "LLM engine", "EngineArgs", "TrainingArguments", "LLM(", "LoraConfig(",
    "Namespace(", "server_args=",
)  # fmt: skip
# Calls that are pasted as code, too: `LLM(model=args.path)` says no model, `args.path` is a name of the
# program's own.
CALLS = ("LLM(", "EngineArgs(", "LoraConfig(", "TrainingArguments(")
CONSTANTS = ("True", "False", "None")
COMMANDS = (
    "vllm serve", "vllm.entrypoints", "sglang.launch_server", "torchrun", "accelerate launch", "deepspeed ",
    "python -m", "python3 -m", "docker run", "sglang serve",
)  # fmt: skip
# A flag as an item: of a manifest, a list in JSON, or on a continued line.
ITEM = re.compile(r"\s*(?:- )?(?:\$ )?[\[,]?\s*[\"']?--[a-z]")
# The model of `vllm serve org/model --port 8000`, where it stands first; NAME and <name> are no models.
SERVED = re.compile(r"\bvllm serve [\"']?(?P<value>(?![A-Z_]+(?:\s|$))[A-Za-z0-9_./][^\s\"'\\<>$]*)")
# The only adapter that is served: `--lora-modules sql=/adapters/sql --port 8000`.
ADAPTER = re.compile(
    r"--lora-(?:modules|paths)[= ][\"']?(?P<name>[\w.-]+)=(?P<path>[^\s\"',=]+)[\"']?(?P<rest>\s*\\?$|\s+-)"
)
# The same in vLLM's dump of its arguments.
MODULE = re.compile(r"LoRAModulePath\(name='(?P<name>[\w.-]+)', path='(?P<path>[^']+)'")
# Words of a paste that is about another adapter than the one in the command.
OTHER_ADAPTER = ("/load_lora_adapter", 'lora_path"', "LoRARequest(")
NEXT_ITEM = re.compile(r"\s*- [\"']?(?P<value>[^\s\"'-][^\s\"']*)[\"']?\s*$")
MAX_SETTINGS = 400
MAX_CONTINUED = 40  # lines of one command


def read_settings(clean: CleanText, words: WordMap) -> dict[str, str]:
    """Setting in lower case with underscores -> value; a flag without a value is `true`."""
    stated = [
        (at, setting)
        for signs, read in READERS
        for at in words.holding(signs)
        for setting in read(clean, at, clean.lines[at].text)
    ]
    settings: dict[str, str] = {}
    for _, (name, value) in sorted(stated, key=lambda pair: pair[0]):
        if len(settings) < MAX_SETTINGS:
            settings.setdefault(name, value)
    if "adapter_dir" in settings and any(word in line.text for line in clean.lines for word in OTHER_ADAPTER):
        del settings["adapter_dir"], settings["adapter_name"]
    return settings


def line_flags(clean: CleanText, at: int, text: str) -> Iterable[tuple[str, str]]:
    """The settings in a line of the person's own command or manifest."""
    if is_own(text):
        yield from flags(clean, at, text)
        if "vllm serve" in text and (served := SERVED.search(text)) is not None:
            yield "model", served["value"]
        yield from only_adapter(clean, at, text)


def line_dump(_: CleanText, _at: int, text: str) -> Iterable[tuple[str, str]]:
    """The settings that a program prints of itself in one line, or that a call in Python gives."""
    if len(modules := MODULE.findall(text)) == 1:
        yield from zip(("adapter_name", "adapter_dir"), modules[0], strict=True)
    code = any(call in text for call in CALLS)
    for match in PAIR.finditer(text):
        value = match["value"]
        if not (code and value.replace(".", "").isidentifier() and value not in CONSTANTS):
            yield match["name"], value.strip("'\"")


def line_environment(_: CleanText, _at: int, text: str) -> Iterable[tuple[str, str]]:
    """The settings of the environment that one line states."""
    for match in ENVIRONMENT.finditer(text):
        yield match["name"].lower(), match["value"].rstrip(",")


# What reads a line's settings, and what stands in each line of which it reads some.
READERS = ((("--",), line_flags), (DUMPS, line_dump), (ENVIRONMENT_SIGNS, line_environment))


def flags(clean: CleanText, at: int, text: str) -> Iterable[tuple[str, str]]:
    """Flags with their values; a manifest can have the value in its next item."""
    for match in FLAG.finditer(text):
        value = match["value"]
        if value is None and match.end() >= len(text.rstrip(" \"',")) and at + 1 < len(clean.lines):
            following = NEXT_ITEM.match(clean.lines[at + 1].text) if text.lstrip().startswith("- ") else None
            value = following["value"] if following else None
        if value is None or not METAVAR.fullmatch(value):
            yield match["name"].replace("-", "_"), value or "true"


def only_adapter(clean: CleanText, at: int, text: str) -> Iterable[tuple[str, str]]:
    """Name and folder of the adapter that a command serves, when it serves one alone."""
    match = ADAPTER.search(text)
    below = clean.lines[at + 1].text.lstrip() if at + 1 < len(clean.lines) else ""
    if match is not None and (not match["rest"].endswith("\\") or below.startswith("-")):
        yield "adapter_name", match["name"]
        yield "adapter_dir", match["path"]


def is_own(text: str) -> bool:
    """Whether flags in this line are the person's own, and not those that a message or a help text names."""
    if "usage:" in text:
        return False
    return ITEM.match(text) is not None or any(word in text for word in COMMANDS)


def read_command(clean: CleanText, words: WordMap) -> str | None:
    """The person's own command line, without a prompt, its continuation lines joined."""
    for at in words.holding(("--", "\\")):
        text = clean.lines[at].text
        if ("--" not in text and not text.rstrip().endswith("\\")) or "usage:" in text:
            continue
        start = min((text.find(word) for word in COMMANDS if word in text), default=-1)
        if start < 0:
            continue
        parts = [text[start:]]
        while parts[-1].rstrip().endswith("\\") and at + len(parts) < len(clean.lines):
            if len(parts) == MAX_CONTINUED:
                break
            parts.append(clean.lines[at + len(parts)].text.strip())
        return " ".join(part.rstrip().removesuffix("\\").strip() for part in parts)
    return None
