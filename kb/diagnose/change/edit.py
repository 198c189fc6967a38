"""What is to be set, and an edit that sets it."""

from __future__ import annotations

import re
from dataclasses import dataclass

LITERAL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+]{0,40}")
"""A value as one may be replaced: a number, a size, a word; nothing that is computed."""

LONGEST = 4_000
"""Characters of what is changed; a longer command is nobody's to copy."""

SERVERS = {
    "vllm": ("vllm serve", "vllm.entrypoints", "vllm/vllm-openai"),
    "sglang": ("sglang serve", "sglang.launch_server", "lmsysorg/sglang"),
}
"""By package: what starts the program that takes its flags."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A parameter as the entry names it (`--max-lora-rank`), its new value, and the packages that take it."""

    parameter: str
    value: str
    components: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The parameter as Python spells it."""
        return as_name(self.parameter)

    @property
    def is_flag(self) -> bool:
        return self.parameter.startswith("--")

    def is_named(self, text: str) -> bool:
        """Whether a flag, argument or key is this parameter in one of its spellings."""
        return as_name(text) == self.name

    def is_taken_by(self, text: str) -> bool:
        """Whether the text starts a program that knows the flag, whatever else stands in it."""
        servers = (sign for package in self.components for sign in SERVERS.get(package, ()))
        return self.is_flag and any(server in text for server in servers)


@dataclass(frozen=True, slots=True)
class Edit:
    """Text of the paste from clean line `at` on, and what it becomes; `added`: it had no such parameter."""

    form: str
    at: int
    before: str
    after: str
    added: bool = False


def as_name(text: str) -> str:
    """`--max-lora-rank` -> max_lora_rank."""
    return text.removeprefix("--").replace("-", "_")
