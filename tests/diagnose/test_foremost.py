"""Which line started it, when no line is an error that an entry knows: a row for each kind."""

from collections.abc import Callable

import pytest

from kb.diagnose.diagnosis import Diagnosis

Ask = Callable[..., Diagnosis]

WATCHDOG = (
    "[rank0]:[E ProcessGroupNCCL.cpp:563] [Rank 0] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=5, OpType=ALLREDUCE, NumelIn=4, NumelOut=4, Timeout(ms)=600000) ran for 600041 "
    "milliseconds before timing out."
)
WRAPPER = "(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above."
STORE = (
    "[rank1]: torch.distributed.DistNetworkError: recvValue failed on SocketImpl(fd=3, addr=[a]:1, "
    "remote=[b]:2): failed to recv, got 0 bytes"
)
LEFT = (
    "[rank0]:[W204 10:00:01.000000001 ProcessGroupNCCL.cpp:1479] Warning: WARNING: destroy_process_group() "
    "was not called before program exit, which can leak resources."
)
HEALTHY = ["(Worker pid=2) step 1 of 9", "(Worker pid=3) step 1 of 9"]


@pytest.mark.parametrize(
    ("lines", "first"),
    [
        pytest.param(
            [WATCHDOG, "RuntimeError: DataLoader worker (pid 71) is killed by signal: Killed. "],
            2,
            id="a death that a parent tells beats a rank that waited",
        ),
        pytest.param(
            [WATCHDOG, "[2026-02-04 10:00:00 +0000] [5] [ERROR] Worker (pid:6) was sent SIGKILL!"],
            2,
            id="a death that gunicorn tells",
        ),
        pytest.param(
            [WATCHDOG, "The first process to do so was:", "", "  Process name: [[411,1],3]"],
            4,
            id="the process that Open MPI names as the first",
        ),
        pytest.param(
            [
                "torch.distributed.elastic.multiprocessing.api.SignalException: Process 7 got signal: 15",
                WRAPPER,
            ],
            1,
            id="a signal that came before every wrapper",
        ),
        pytest.param(
            ["EngineDeadError: EngineCore encountered an issue. See stack trace (above)", WRAPPER],
            1,
            id="a wrapper that no entry knows, before one that an entry knows",
        ),
        pytest.param(
            [*HEALTHY, "(Worker pid=2) WARNING 02-04 10:00:00 [q.py:7] AssertionError: no fp8 here", WRAPPER],
            3,
            id="the last word of a process was a warning of an exception",
        ),
        pytest.param(
            ["[E socket.cpp:793] [c10d] The socket has timed out after 60s while trying to connect",
             "Traceback (most recent call last):",
             '  File "/srv/a.py", line 3, in join',
             "    connect()",
             "TimeoutError: The socket has timed out after 60s while trying to connect"],
            1,
            id="an error was logged before the exception that repeats its words",
        ),
        pytest.param([LEFT, STORE], 1, id="rank 0 ended, and its store with it"),
        pytest.param(
            ['/w/a.cu(31): error: identifier "half9" is undefined',
             "RuntimeError: Error building extension 'fast_k'"],
            1,
            id="a compiler's error before the exception that a build failed",
        ),
        pytest.param(
            ["asyncio.exceptions.CancelledError", "ShapeError: 3 against 4"],
            2,
            id="a task was cancelled because another one failed",
        ),
        pytest.param(
            ["Traceback (most recent call last):",
             '  File "/v/registry.py", line 5, in inspect',
             "    done.check_returncode()",
             "subprocess.CalledProcessError: Command '['python']' returned non-zero exit status 1.",
             "",
             "The above exception was the direct cause of the following exception:",
             "",
             "Traceback (most recent call last):",
             '  File "/v/registry.py", line 9, in inspect',
             "    raise RuntimeError(text) from e",
             "RuntimeError: Error raised in subprocess:",
             "Traceback (most recent call last):",
             '  File "/v/ops.py", line 2, in <module>',
             "    import fast_ops",
             "ImportError: fast_ops was built for another release"],
            15,
            id="what failed in the child process that is quoted",
        ),
        pytest.param(
            ["ERROR: Unexpected bus error encountered in worker. This might be caused by shm.",
             "RuntimeError: DataLoader worker (pid 71) is killed by signal: Bus error. "],
            1,
            id="a worker's own word of its crash comes before its parent's",
        ),
    ],
)  # fmt: skip
def test_the_line_that_started_it(lines: list[str], first: int, ask: Ask) -> None:
    assert ask("\n".join(lines)).failures[0].initiating.line == first


def test_a_warning_of_an_exception_is_no_last_word_when_its_process_goes_on(ask: Ask) -> None:
    warning = "(Worker pid=2) WARNING 02-04 10:00:00 [q.py:7] AssertionError: no fp8 here"
    on = [f"(Worker pid=2) step {number} of 99" for number in range(30)]
    assert ask("\n".join([warning, *on, WRAPPER])).failures[0].initiating.line == 32


def test_a_wrapper_alone_is_not_named_as_a_death(ask: Ask) -> None:
    assert ask("EngineDeadError: EngineCore encountered an issue.").failures[0].need is not None


def test_a_called_build_tool_that_failed_is_an_error_of_its_own(ask: Ask) -> None:
    text = "subprocess.CalledProcessError: Command '[{tool!r}, '-v']' returned non-zero exit status 1."
    assert ask(text.format(tool="ninja")).failures[0].need is None
    assert ask(text.format(tool="./train.sh")).failures[0].need is not None


@pytest.mark.parametrize(("status", "failures"), [("404 Not Found", 1), ("200 OK", 0)])
def test_a_refused_request_is_a_failure_when_its_route_never_answered(
    status: str, failures: int, ask: Ask
) -> None:
    other = f'INFO:     10.0.0.3:5 - "POST /v1/score HTTP/1.1" {status}'
    refused = 'INFO:     10.0.0.3:5 - "POST /v1/score HTTP/1.1" 404 Not Found'
    assert len(ask(f"{other}\n{refused}\n").failures) == failures


def test_lines_of_one_kill_are_one_failure(ask: Ask) -> None:
    text = (
        "[8.120031] oom-kill:constraint=CONSTRAINT_NONE,task=python,pid=77,uid=1000\n"
        "[8.120100] Out of memory: Killed process 77 (python) total-vm:4kB\n"
    )
    assert [(f.initiating.line, f.initiating.kind) for f in ask(text).failures] == [(1, "capacity")]
