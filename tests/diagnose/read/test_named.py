"""Whom an event is about: the launcher's words, its summary, ranks that blame another one."""

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.clean.text import Process
from kb.diagnose.read import read_report
from kb.diagnose.report import Event

SUMMARY = """
Root Cause (first observed failure):
[0]:
  time      : 2026-01-02_03:04:05
  host      : gpu-a
  rank      : 5 (local_rank: 1)
  exitcode  : {code} (pid: 5579)
"""

CRASHED = (
    "ERROR: Unexpected bus error encountered in worker.\n"
    "RuntimeError: DataLoader worker (pid 466) is killed by signal: Bus error."
)


def events_of(text: str) -> tuple[Event, ...]:
    return read_report(clean(text)).events


def event_with(text: str, part: str) -> Event:
    return next(event for event in events_of(text) if part in event.passage.text)


def test_the_launcher_speaks_of_the_rank_that_died_and_its_summary_completes_it() -> None:
    line = "E0102 03:04:05.000000 77 a.py:874] failed (exitcode: -9) local_rank: 1 (pid: 5579) of binary: /x"
    alone, completed = event_with(line, "exitcode"), event_with(line + SUMMARY.format(code=-9), "of binary")
    assert (alone.process.local_rank, alone.process.pid) == ("1", "5579")
    assert completed.process == Process(host="gpu-a", rank="5", local_rank="1", pid="5579")


def test_an_unmarked_error_is_of_the_only_process_that_the_summary_lists() -> None:
    text = "Fatal Python error: Segmentation fault\n" + SUMMARY.format(code=-11)
    assert event_with(text, "Fatal").process.rank == "5"
    assert event_with(text.replace("-11", "-9"), "Fatal").process.rank is None


def test_an_unmarked_exception_that_a_rank_repeats_is_of_that_rank() -> None:
    text = (
        "RuntimeError: CUDA error: uncorrectable ECC error encountered\n"
        "[E ProcessGroupNCCL.cpp:916] [Rank 3] NCCL watchdog thread terminated with exception: "
        "CUDA error: uncorrectable ECC error encountered\n"
    )
    assert events_of(text)[0].process.rank == "3"


@pytest.mark.parametrize(
    ("line", "process"),
    [
        ("DataLoader worker (pid 10755) is killed by signal: Killed.", Process(pid="10755")),
        ("DataLoader worker (pid(s) 466) exited unexpectedly", Process(pid="466")),
        ("Worker (pid:860) was sent SIGKILL! Perhaps out of memory?", Process(pid="860")),
        (
            "mpirun noticed that process rank 7 with PID 512 on node gpu-b exited on signal 9 (Killed).",
            Process(host="gpu-b", rank="7", pid="512"),
        ),
    ],
)
def test_a_line_about_another_process_is_told_of_that_process(line: str, process: Process) -> None:
    assert events_of(f"RuntimeError: {line}")[0].process == process


@pytest.mark.parametrize(
    ("text", "part", "process"),
    [
        (
            "[rank2]: RuntimeError: DataLoader worker (pid 466) is killed by signal: Killed.",
            "DataLoader",
            Process(rank="2", pid="466"),
        ),
        (
            CRASHED,
            "Unexpected",
            Process(pid="466"),
        ),
        ("  Process name: [[411,1],3]", "Process name", Process(rank="3")),
        (
            "RuntimeError: Timed out initializing process group in store based barrier on rank: 6",
            "Timed out",
            Process(rank="6"),
        ),
        (
            "RuntimeError: unused parameters\nParameters which did not receive grad for rank 4: a.bias",
            "unused",
            Process(rank="4"),
        ),
        (
            "kernel: NVRM: Xid (PCI:0000:3b:00): 45, pid=911, name=python3, Ch 00000001",
            "Xid",
            Process(role="GPU 0000:3b:00", pid="911"),
        ),
        (
            "Unable to determine the device handle for GPU0000:3B:00.0: Unknown Error",
            "handle",
            Process(role="GPU 0000:3B:00.0"),
        ),
        (
            "[rank2]: RuntimeError: GPU 0000:3b:00 is lost",
            "lost",
            Process(rank="2", role="GPU 0000:3b:00"),
        ),
        ("ps-1   0/1   OOMKilled   3 (52s ago)   2m48s", "ps-1", Process(host="ps-1")),
        ("ml   ps-1   0/1   OOMKilled   3   2m48s", "ps-1", Process(host="ps-1")),
        (
            "2026-01-15 10:00:00,123 ERROR Exception on rank 14: ValueError: no rows",
            "rank",
            Process(rank="14"),
        ),
        ("[rank3]: RuntimeError: saw an error on rank 14", "saw", Process(rank="3")),
    ],
)
def test_what_a_line_says_of_its_own_process_or_its_child(text: str, part: str, process: Process) -> None:
    assert event_with(text, part).process == process


def test_a_blamed_rank_is_on_the_only_host_of_all_ranks() -> None:
    text = (
        "[pod/a-1/main] [rank0]: step 1\n[pod/a-1/main] [rank3]: RuntimeError: errors while waiting for "
        "send/recv from rank 0\n"
    )
    culprit = event_with(text, "waiting").culprit
    assert culprit == Process(host="a-1", rank="0")


@pytest.mark.parametrize(
    ("line", "culprit"),
    [
        (
            "[1] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via the store",
            Process(rank="0"),
        ),
        (
            "Rank 3 reached it, but received errors while waiting for send/recv from rank 2.",
            Process(rank="2"),
        ),
        ("[c10d] recvValue failed on SocketImpl(fd=6, addr=[a]:1, remote=[b]:2): closed", Process(rank="0")),
        (
            "NET/IB : Got completion from peer 10.0.0.7<39138> with error 12, opcode 0",
            Process(host="10.0.0.7"),
        ),
        ("[Rank 0]: Rank 1 failed to pass monitoredBarrier in 3000 ms", Process(rank="1")),
        ("[Rank 0]: Ranks 1, 5 failed to pass monitoredBarrier in 3000 ms", Process(rank="1")),
        ("an error that blames nobody", None),
    ],
)
def test_a_rank_that_waits_blames_another_one(line: str, culprit: Process | None) -> None:
    event = events_of(f"[rank3]: RuntimeError: {line}")[0]
    assert event.culprit == culprit
    assert event.process.rank == "3"


def timeout(rank: int, kind: str, number: int = 8) -> str:
    return (
        f"[rank{rank}]: [PG ID 0 Rank {rank}] Watchdog caught collective operation timeout: "
        f"WorkNCCL(SeqNum={number}, OpType={kind}, NumelIn=4) ran for 600000 ms before timing out.\n"
    )


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        (timeout(0, "ALLREDUCE") + timeout(1, "ALLREDUCE") + timeout(2, "BROADCAST"), "2"),
        (timeout(0, "ALLREDUCE") + timeout(1, "ALLREDUCE", 7) + timeout(2, "ALLREDUCE"), "1"),
        (timeout(0, "ALLREDUCE") + timeout(1, "ALLREDUCE"), None),
        (timeout(0, "ALLREDUCE") + timeout(1, "BROADCAST"), None),  # either can be wrong
        (timeout(0, "A") + timeout(1, "A") + timeout(2, "B").replace("PG ID 0", "PG ID 1"), None),
    ],
)
def test_the_one_rank_that_waited_for_something_else_is_blamed(text: str, rank: str | None) -> None:
    culprits = {event.culprit for event in events_of(text)}
    assert culprits == {Process(rank=rank) if rank else None}


@pytest.mark.parametrize(
    ("between", "culprit"),
    [
        ("> building the map on rank 0 ...\nusing uint32\n", Process(rank="0")),
        ("> building the map on rank 0 ...\n > done with the map\n", None),
        ("the map is on rank 0\n", None),
    ],
)
def test_the_rank_whose_work_was_not_finished_is_blamed(between: str, culprit: Process | None) -> None:
    frame = '  File "/a/t.py", line 3, in f'
    text = f"{between}Traceback (most recent call last):\n{frame}\nRuntimeError: Socket Timeout\n"
    assert events_of(text)[0].culprit == culprit
