"""How a paste states facts: one row for each wording, with the text that forced it.

`words` (in lower case) choose the lines that are looked at: one of them must stand in the line. The group
`value` is the fact. Of several rows for one fact the first that fits a line counts, and of several lines the
first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FactRow:
    """One wording of one fact."""

    fact: str
    words: frozenset[str]
    pattern: re.Pattern[str]
    example: str


def row(fact: str, words: str, pattern: str, example: str) -> FactRow:
    return FactRow(fact, frozenset(words.split()), re.compile(pattern), example)


_MODELS = (
    r"A10G?|A30|A40|A100|A800|H100|H200|H800|H20|B200|B300|GB200|L4|L40S?|T4|V100|P100|MI\d{3}X?"
    r"|GeForce [GR]TX \d{4}(?: Ti)?|RTX (?:A\d{4}|\d{4} Ada|PRO \d{4})"
)
_MODEL_WORDS = (
    "a10 a10g a30 a40 a100 a800 h100 h200 h800 h20 b200 b300 gb200 l4 l40 l40s t4 v100 p100 geforce rtx"
    " mi210 mi250 mi250x mi300 mi300x mi325x mi355x"
)

ROWS: tuple[FactRow, ...] = (
    row(
        "k8s_reason",
        "reason",
        r"(?:^|\s)Reason:\s+(?P<value>[A-Z][A-Za-z]+)\s*$",
        "      Reason:       OOMKilled",
    ),
    row(
        "k8s_reason",
        "oomkilled",
        r"(?<![\"'`.=])\b(?P<value>OOMKilled)\b(?![\"'`])",
        "llm-0   0/1   OOMKilled   4 (52s ago)   2m48s",
    ),
    row(
        "k8s_reason",
        "reason",
        r"\"reason\":\s*\"(?P<value>OOMKilled|Error|Evicted|ContainerCannotRun|DeadlineExceeded)\"",
        '"terminated": {"exitCode": 137, "reason": "OOMKilled"}',
    ),
    row(
        "exit_code",
        "exit exited exit_code exitcode exit_status exits",
        r"(?i)\bexit(?:ed|s)?(?:[ _]?(?:code|status)|\s+with(?:\s+(?:exit\s+)?(?:code|status))?)"
        r"\"?\s*[:=]?\s*(?P<value>-?\d{1,3})\b",
        "command terminated with exit code 137",
    ),
    # Docker's own: `Exited (137) 2 minutes ago`
    row("exit_code", "exited", r"\bExited \((?P<value>\d{1,3})\)", "llm   Exited (137) 2 minutes ago"),
    row("exit_code", "exitcode", r"\bexitcode\s*:\s*(?P<value>-?\d{1,3})\b", "  exitcode  : -9 (pid: 4711)"),
    row(
        "exit_code",
        "code",
        r"\breturn(?:ed)?(?: non-zero exit)? (?:code|status)\s*[:=]?\s*(?P<value>-\d{1,3})\b",
        "process 4711 exits with return code = -9",
    ),
    row(
        "signal",
        "sigkill sigsegv sigabrt sigbus sigterm sigill sigfpe sigint sighup",
        r"\b(?P<value>SIG(?:KILL|SEGV|ABRT|BUS|TERM|ILL|FPE|INT|HUP))\b",
        "Signal 9 (SIGKILL) received by PID 4711",
    ),
    row("signal", "signal", r"\b[Ss]ignal:?\s+(?P<value>\d{1,2})\b", "killed by signal: 9"),
    # what a shell says of a process that ended: `run.sh: line 12:   711 Killed     python train.py`
    row(
        "ended",
        "killed aborted segmentation bus illegal floating terminated",
        r"^\s*(?:.{0,200}: line \d+:\s+\d+ |\[\d+\][+-]?\s+(?:\d+ )?)?(?P<value>Killed|Aborted|Terminated"
        r"|Segmentation fault|Bus error|Illegal instruction|Floating point exception)"
        r"(?:\s*$| \(core dumped\)|\s{3,}\S)",
        "run.sh: line 12:   711 Killed                  python train.py",
    ),
    row(
        "http_status",
        "http",
        r"HTTP/\d(?:\.\d)?\"?\s+(?P<value>[45]\d\d)\b",
        '"POST /v1/completions HTTP/1.1" 404 Not Found',
    ),
    row(
        "http_status",
        "code",
        r"\bError code:\s*(?P<value>[45]\d\d)\b",
        "openai.NotFoundError: Error code: 404 - {'error': {}}",
    ),
    row(
        "http_status",
        "code status",
        r"\bstatus(?: |_)?(?:code)?[:= ]+(?P<value>[45]\d\d)\b",
        "request failed with status code 503",
    ),
    row(
        "xid",
        "xid",
        r"\bXid\b(?:\s*\([^)]*\))?\s*:?\s*(?P<value>\d{1,3})\b",
        "NVRM: Xid (PCI:0000:3b:00): 79, pid=4711",
    ),
    row(
        "world_size",
        "world_size worldsize world nranks",
        r"(?i)\b(?:world[_ ]?size\s*[=:]?\s*|nranks\s+)(?P<value>\d{1,5})\b",
        "Initializing distributed: WORLD_SIZE=8",
    ),
    row(
        "gpu",
        _MODEL_WORDS,
        rf"\b(?P<value>(?:NVIDIA |AMD Instinct |Tesla )?(?:{_MODELS})\b"
        r"(?:[- ](?:SXM\d|PCIe|PCIE|NVL))?(?:[- ]\d+GB)?)",
        "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-0)",
    ),
)
