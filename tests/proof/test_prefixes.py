"""What stands before every line, and how lines end, changes neither verdict nor best entry, cause, line."""

import re
from collections.abc import Callable

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.diagnosis import Diagnosis
from kb.diagnose.read import read_report
from tests.proof.examples import Ask, Example, answer, main_failure, matches

Dress = Callable[[int], str]
PREFIXES: dict[str, Dress] = {
    "torchrun": lambda _: "[rank0]: ",
    "torchrun-tee": lambda _: "[default0]:",
    "vllm-tag": lambda _: "(EngineCore_DP0 pid=12) ",
    "ray-tag": lambda _: "(RayWorkerWrapper pid=7, ip=10.3.0.4) ",
    "kubectl-timestamps": lambda number: f"2026-01-02T03:{number // 60 % 60:02}:{number % 60:02}.678Z ",
    "pod": lambda _: "pod/foo-1 ",
    "kubectl-prefix": lambda _: "[pod/llm-0/server] ",
    "pdsh": lambda _: "node2: ",
    "srun-label": lambda _: "3: ",
    "compose": lambda _: "app-1  | ",
    "compose-name": lambda _: "llm-server  | ",
    "quote": lambda _: "> ",
    "quote-twice": lambda _: "> > ",
    "indented": lambda _: "    ",
    "containerd": lambda _: "2026-01-02T03:04:05.678901234Z stderr F ",
    "journald": lambda number: f"Nov 30 01:{number // 60 % 60:02}:{number % 60:02} node4 llm[4711]: ",
    "logging": lambda number: (
        f"2026-01-15 10:{number // 60 % 60:02}:{number % 60:02},123 - launcher - INFO - "
    ),
    "stream": lambda _: "stderr: ",
}


# A rank or process before every line is a statement of its own where a paste tells ranks apart.
SAYS_RANK = frozenset({"torchrun", "torchrun-tee", "srun-label"})
RANKS = re.compile(r"(?i)\brank[s ]?[ _:=]?\d")
# Who names a process before every line gives the rest of a line that was broken before to another writer.
SAYS_PROCESS = frozenset({"torchrun-tee", "vllm-tag", "ray-tag", "kubectl-prefix", "journald", "logging"})
# A sentence alone, without class or level, is no failure where a logger calls it INFO.
NO_MORE_THAN_INFO = {"logging": frozenset({"vllm-gpu-memory-utilization-exceeds-free/match-screenshot-line"})}


def carries(example: Example, name: str) -> bool:
    """Whether an example's text can stand behind this prefix and say the same."""
    if name in SAYS_RANK and RANKS.search(example.text):
        return False
    if name == "vllm-tag" and "vllm" not in read_report(clean(example.text)).components:
        return False  # the tag is vLLM's, and would be news
    if name in SAYS_PROCESS and "wraps" in clean(example.text).notes:
        return False
    return str(example) not in NO_MORE_THAN_INFO.get(name, ())


def seen(diagnosis: Diagnosis) -> tuple[object, ...]:
    """What must not change."""
    failure = main_failure(diagnosis)
    return *answer(diagnosis), failure.initiating.line if failure else None


def changes(ask: Ask, tried: list[Example], dressed: Callable[[Example], str]) -> list[str]:
    """The examples whose answer changes, with what it was and what it became."""
    found = []
    for example in tried:
        before, after = seen(ask(example.text)), seen(ask(dressed(example)))
        if before != after:
            found.append(f"{example}: {before} became {after}")
    return found


@pytest.mark.parametrize("name", PREFIXES)
def test_a_prefix_before_every_line_changes_nothing(name: str, ask: Ask) -> None:
    prefix = PREFIXES[name]

    def dressed(example: Example) -> str:
        lines = example.text.removesuffix("\n").split("\n")
        return "".join(f"{prefix(number)}{line}\n" for number, line in enumerate(lines))

    tried = [example for example in matches() if carries(example, name)]
    assert len(tried) > len(matches()) / 4
    changed = changes(ask, tried, dressed)
    assert not changed, "\n".join(changed)


@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["crlf", "cr"])
def test_other_line_ends_change_nothing(end: str, ask: Ask) -> None:
    changed = changes(ask, matches(), lambda example: example.text.replace("\n", end))
    assert not changed, "\n".join(changed)


def test_blank_lines_around_a_paste_only_move_it(ask: Ask) -> None:
    for example in matches():
        before = seen(ask(example.text))
        *rest, line = seen(ask(f"\n\n{example.text}\n\n"))
        assert (*rest, line - 2 if isinstance(line, int) else line) == before, example
