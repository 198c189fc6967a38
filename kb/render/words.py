"""How the fixed terms of a diagnosis are said to people. One place, so that every front says the same."""

from __future__ import annotations

from collections.abc import Iterable

from kb.diagnose.clean.text import Process
from kb.diagnose.diagnosis import Hypothesis, Verdict

VERDICTS: dict[Verdict, str] = {
    "match": "Match",
    "ambiguous": "Ambiguous",
    "no_match": "No match",
}

BECAUSE = {
    "wrapper": "passes the error on",
    "peer": "lost the process that failed",
    "teardown": "came up while stopping",
    "advice": "is advice, not an error",
    "chained": "was raised on the way out",
    "repeat": "says it again",
    "echo": "comes with it",
}

KINDS = {
    "configuration": "a setting",
    "capacity": "not enough of something",
    "environment": "installation or machine set-up",
    "data": "the data",
    "transport": "the network between processes",
    "hardware": "hardware",
    "defect": "a defect in the software",
}

FORMS = {
    "cli": "command line",
    "python": "Python",
    "yaml": "YAML",
    "kubernetes": "Kubernetes",
    "env": "environment variable",
    "http": "HTTP",
    "vllm": "vLLM",
    "sglang": "SGLang",
    "trainer": "Trainer",
    "lightning": "Lightning",
    "deepspeed": "DeepSpeed",
    "megatron": "Megatron-LM",
}

STATUS = {
    "draft": "draft: written down, not yet proven",
    "deprecated": "deprecated: another entry took its place",
    "withdrawn": "withdrawn",
}

LIKELIHOOD = {"common": "common", "occasional": "now and then", "rare": "rare"}


def percent(confidence: float) -> str:
    """A probability as people read it; never a certainty."""
    return f"{min(max(round(confidence * 100), 1), 99)} %"


def process_name(process: Process) -> str:
    """Who wrote a line, in a few words: `rank 3 on node2, EngineCore_DP0, pid 4711`."""
    rank = (
        f"rank {process.rank}" if process.rank else process.local_rank and f"local rank {process.local_rank}"
    )
    on = f"on {process.host}" if process.host else ""
    parts = [" ".join(filter(None, (rank, on))), process.role, process.pid and f"pid {process.pid}"]
    return ", ".join(part for part in parts if part)


def spans(numbers: Iterable[str]) -> str:
    """Numbers with neighbours joined: `0, 1, 4, 8 to 15`. Names that are no numbers stay as they are."""
    given = list(numbers)
    whole = sorted({int(number) for number in given if number.isdecimal()})
    runs: list[list[int]] = []
    for number in whole:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return ", ".join([*parts, *(number for number in given if not number.isdecimal())])


def called(hypothesis: Hypothesis) -> str:
    """What a hypothesis claims: the entry's title, and the cause where it has one."""
    return f"{hypothesis.title}: {hypothesis.cause_title}" if hypothesis.cause_title else hypothesis.title


def count(number: int, one: str, many: str = "") -> str:
    """`1 line`, `3 lines`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
