"""Read versions: `vllm==0.11.0`, start-up lines, image tags, paths of installed packages."""

from __future__ import annotations

import re

from kb.diagnose.clean.text import CleanText
from kb.diagnose.words import WordMap

# What stands in every line that the pattern fits, the pattern, and the text that forced it.
ROWS = (
    # pip freeze, requirements: `vllm==0.11.0`
    ("==", re.compile(r"\b(?P<package>[A-Za-z][\w.-]{1,30})==(?P<version>\d[\w.+]*)")),
    # `vLLM API server version 0.11.0`, `NCCL version 2.21.5+cuda12.4`, `PyTorch version: 2.4.0`
    (
        "ersion",
        re.compile(
            r"\b(?P<package>vllm|sglang|pytorch|torch|nccl|transformers|peft|accelerate|deepspeed|cuda|triton"
            r"|flashinfer|ray)\b[^\n\d]{0,25}?version:?\s+v?(?P<version>\d[\w.+]*)",
            re.IGNORECASE,
        ),
    ),
    # vLLM: `Initializing a V1 LLM engine (v0.11.0) with config: ...`
    ("ngine (v", re.compile(r"\b(?P<package>LLM) [Ee]ngine \(v(?P<version>\d[\w.+]*)\)")),
    # image tags: `vllm/vllm-openai:v0.11.0`, `lmsysorg/sglang:v0.5.3-cu126`
    ("-openai:v", re.compile(r"\b(?P<package>vllm)/vllm-openai:v(?P<version>\d[\w.+]*)")),
    ("sglang:v", re.compile(r"\b(?P<package>sglang):v(?P<version>\d[\w.+]*)")),
    # `/usr/lib/python3.12/site-packages/torch-2.6.0.dist-info`
    (".dist-info", re.compile(r"/(?P<package>[a-z]\w{1,30})-(?P<version>\d[\w.+]*)\.dist-info")),
)
SIGNS = tuple(sign for sign, _ in ROWS)
NAMES = {"llm": "vllm", "pytorch": "torch"}
# `pip list` prints two columns under this head, in which a sign stands, too.
LIST_HEAD = re.compile(r"Package\s+Version")
LIST_ROW = re.compile(r"(?P<package>[A-Za-z][\w.-]*)\s+(?P<version>\d[\w.+]*)(?:\s+\S+)?\s*$")


def read_versions(clean: CleanText, words: WordMap) -> dict[str, str]:
    """Package -> version as written, the first mention of each."""
    versions: dict[str, str] = {}
    for at in words.holding(SIGNS):
        for package, version in line_versions(clean.lines[at].text):
            versions.setdefault(package, version)
        if LIST_HEAD.match(clean.lines[at].text):
            for package, version in listed(clean, at + 1):
                versions.setdefault(package, version)
    return versions


def line_versions(text: str) -> list[tuple[str, str]]:
    """The packages and versions that one line names."""
    return [
        (plain_name(match["package"]), match["version"].rstrip("."))
        for sign, pattern in ROWS
        if sign in text
        for match in pattern.finditer(text)
    ]


def listed(clean: CleanText, at: int) -> list[tuple[str, str]]:
    """The rows of `pip list` from a line on."""
    found = []
    for line in clean.lines[at:]:
        match = LIST_ROW.match(line.text)
        if match is not None:
            found.append((plain_name(match["package"]), match["version"]))
        elif line.text.strip(" -"):
            break
    return found


def plain_name(package: str) -> str:
    name = package.lower().replace("-", "_")
    return NAMES.get(name, name)
