"""What is given beside the paste: outcomes recognised in real output, and what cannot be used."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kb.diagnose.diagnosis import Diagnosis, Given
from kb.diagnose.fill import PLACEHOLDER
from kb.diagnose.index import Check, Outcome, load_index
from kb.diagnose.outputs import MAX_PROBLEMS, shown_outcomes
from kb.diagnose.wire import to_wire

Ask = Callable[..., Diagnosis]


def check(run: str | None, **outcomes: tuple[str, ...]) -> Check:
    made = tuple(Outcome(id_, id_, templates, (), ()) for id_, templates in outcomes.items())
    return Check("made", "What is it?", None, run, made)


GPU = check(
    "nvidia-smi",
    held=("N/A N/A {pid:int} C {_} {used:int}MiB", "N/A N/A {pid:int} C+G {_} {used:int}MiB"),
    free=("No running processes found",),
)
RANK = check(
    'jq -r \'if .r > 256 then "rank above all:" else "rank fits:" end, .r\' '
    "@adapter_dir@/adapter_config.json",
    above=("rank above all: {rank:int}",),
    fits=("rank fits: {rank:int}",),
)
POD = check(
    "kubectl describe pod @pod@",
    memory=("Reason: OOMKilled",),
    evicted=("Reason: Evicted",),
    probe=("Liveness probe failed", "failed liveness probe"),
)
MODELS = check(
    "curl -s @server_url@/v1/models | python3 -c 'import json,sys; n=sys.argv[1]; "
    'ids=[m["id"] for m in json.load(sys.stdin)["data"]]; '
    'print("served here:" if n in ids else "not served here:", ids)\' @model@',
    served=("served here: {ids:list}",),
    missing=("not served here: {ids:list}",),
)
SMI = """\
Mon Nov  2 10:14:55 2026
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 560.35.03              Driver Version: 560.35.03      CUDA Version: 12.6     |
|-----------------------------------------+------------------------+----------------------+
|   0  NVIDIA H100 80GB HBM3          On  |   00000000:18:00.0 Off |                    0 |
| N/A   33C    P0            118W /  700W |   71234MiB /  81559MiB |      0%      Default |
+-----------------------------------------+------------------------+----------------------+
| Processes:                                                                              |
|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |
|=========================================================================================|
|    0   N/A  N/A     41237      C   /usr/bin/python3                            71220MiB |
+-----------------------------------------------------------------------------------------+
"""
IDLE = SMI.replace(
    "|    0   N/A  N/A     41237      C   /usr/bin/python3                            71220MiB |",
    "|  No running processes found                                                             |",
)
DESCRIBED = """\
Name:             serve-5f7c
Namespace:        ml
Containers:
  server:
    State:          Running
      Started:      Mon, 02 Nov 2026 10:02:11 +0000
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
Events:
  Type     Reason   Age   From     Message
  Warning  BackOff  12s   kubelet  Back-off restarting failed container server
"""
OUTPUTS = {
    "nvidia-smi, held": (GPU, SMI, ["held"]),
    "nvidia-smi, idle": (GPU, IDLE, ["free"]),
    "jq": (RANK, "rank fits:\n64\n", ["fits"]),
    "kubectl describe pod": (POD, DESCRIBED, ["memory"]),
    "curl and python": (MODELS, "not served here: ['base', 'sql-v2']\n", ["missing"]),
    "a list of JSON that nobody summed up": (MODELS, '{"object":"list","data":[{"id":"base"}]}', []),
    "nothing": (POD, "", []),
    "two at once": (
        POD,
        f"{DESCRIBED}  Warning  Unhealthy  1s  kubelet  Liveness probe failed: 503\n",
        ["memory", "probe"],
    ),
}
NOISE: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "coloured": lambda text: "".join(f"\x1b[1;31m{line}\x1b[0m\n" for line in text.split("\n")),
    "coloured words": lambda text: text.replace("OOMKilled", "\x1b[31mOOM\x1b[1mKilled\x1b[0m"),
    "fenced": lambda text: f"```\n{text}\n```\n",
    "with a prompt behind": lambda text: f"{text}\nana@node3:~$ \n",
}


def ran(made: Check) -> str:
    """The check's command as a person runs it."""
    names = {"@adapter_dir@": "/adapters/sql", "@pod@": "serve-5f7c", "@model@": "sql-v3"}
    command = (made.run or "").replace("@server_url@", "http://localhost:8000")
    for name, value in names.items():
        command = command.replace(name, value)
    return command


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("name", OUTPUTS)
def test_the_outcome_is_seen_in_the_output_however_it_was_pasted(name: str, noise: str) -> None:
    made, output, ids = OUTPUTS[name]
    assert [outcome.id for outcome in shown_outcomes(made, NOISE[noise](output))] == ids


@pytest.mark.parametrize("width", [500, 80, 40])
@pytest.mark.parametrize("name", OUTPUTS)
def test_the_command_above_its_output_shows_no_outcome(name: str, width: int) -> None:
    """The command often has the words of every outcome in it, and a terminal breaks it anywhere."""
    made, output, ids = OUTPUTS[name]
    echo = f"(venv) ana@node3:~/serve$ {ran(made)}"
    wrapped = "\n".join(echo[at : at + width] for at in range(0, len(echo), width))
    assert [outcome.id for outcome in shown_outcomes(made, f"{wrapped}\n{output}")] == ids


@pytest.mark.parametrize("width", [10_000, 80])
def test_the_command_of_no_check_of_the_entries_shows_an_outcome(build_dir: Path, width: int) -> None:
    for each in load_index(build_dir / "index.json").checks:
        echo = f"$ {PLACEHOLDER.sub('/srv/one', each.run or '')}"
        wrapped = "\n".join(echo[at : at + width] for at in range(0, len(echo), width))
        assert shown_outcomes(each, f"{wrapped}\n") == [], each.id


TIMEOUT = (
    "[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5, OpType=ALLREDUCE, NumelIn=4, "
    "NumelOut=4, Timeout(ms)=600000) ran for 600041 milliseconds before timing out."
)


def test_an_outcome_is_recognised_in_the_pasted_output_of_the_command(ask: Ask) -> None:
    answer = ask(TIMEOUT, outputs={"which-order": "py-spy 0.4\nranks differ at step 5\n"})
    assert answer.given.outcomes == {"which-order": "different"}
    assert answer.given_problems == ()
    assert answer.best is not None
    assert answer.best.cause == "order"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"outcomes": {"no-such": "x"}}, "there is no check `no-such`"),
        ({"outputs": {"no-such": "x"}}, "there is no check `no-such`"),
        (
            {"outcomes": {"which-order": "sideways"}},
            "which-order has no outcome `sideways`; it has same, different",
        ),
        (
            {"outputs": {"which-order": "nothing to see"}},
            "the output for which-order shows none of its outcomes; name one: same, different",
        ),
        (
            {"outputs": {"which-order": "all ranks wait in x\nranks differ at y"}},
            "the output for which-order shows same, different; name the one that holds as its outcome",
        ),
        ({"versions": {"vllm": "newest"}}, "`newest` is no version of vllm; write it like 0.11.0"),
    ],
)
def test_what_cannot_be_used_is_said_and_changes_no_answer(
    ask: Ask, given: dict[str, dict[str, str]], problem: str
) -> None:
    answer = ask(TIMEOUT, **given)
    assert answer.given_problems == (problem,)
    assert to_wire(answer)["given_problems"] == [problem]
    assert answer.best == ask(TIMEOUT).best
    assert answer.given == Given(**given)  # type: ignore[arg-type]


def test_an_outcome_that_is_named_is_not_looked_for_in_the_output(ask: Ask) -> None:
    answer = ask(TIMEOUT, outcomes={"which-order": "same"}, outputs={"which-order": "ranks differ at y"})
    assert answer.given.outcomes == {"which-order": "same"}
    assert answer.given_problems == ()


def test_a_flood_of_unknown_names_is_cut(ask: Ask) -> None:
    problems = ask(TIMEOUT, outcomes={"x" * 5_000 + str(n): "y" for n in range(100)}).given_problems
    assert len(problems) == MAX_PROBLEMS
    assert all(len(problem) < 200 for problem in problems)
