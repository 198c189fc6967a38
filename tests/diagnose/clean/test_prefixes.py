"""Prefixes come off, and what they say is kept."""

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.clean.prefix_row import Row
from kb.diagnose.clean.prefix_rows import ROWS
from kb.diagnose.clean.text import Line, Process

FRAME = '  File "/srv/app/serve.py", line 12, in main'


def one(text: str) -> Line:
    """The only line of a paste."""
    (line,) = clean(text).lines
    return line


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_example_of_every_row_is_cut_or_kept(row: Row) -> None:
    message = "worker stopped" if row.keep else "Traceback (most recent call last):"
    line = one(row.example + message)
    assert line.text == (row.example if row.keep else "") + message


@pytest.mark.parametrize("row", [row for row in ROWS if not row.keep], ids=lambda row: row.name)
def test_indentation_of_frames_survives_behind_every_prefix(row: Row) -> None:
    padded = {"uvicorn"}  # pads with as many blanks as a frame is indented
    if row.name not in padded:
        assert one(row.example + FRAME).text == FRAME


@pytest.mark.parametrize(
    ("raw", "text", "process", "level", "time", "place", "logger"),
    [
        (
            "(EngineCore_DP0 pid=311) ERROR 11-19 12:54:26 [core.py:710]     raise ValueError(",
            "    raise ValueError(",
            Process(role="EngineCore_DP0", pid="311"),
            "error",
            "11-19 12:54:26",
            "core.py:710",
            None,
        ),
        (
            "WARNING 06-14 09:27:51 async_llm_engine.py:44] slow",
            "slow",
            Process(),
            "warning",
            "06-14 09:27:51",
            "async_llm_engine.py:44",
            None,
        ),
        (
            "(Worker pid=42) (Worker_TP1 pid=42) ERROR 03-06 07:56:09 [multiproc_executor.py:880] dead",
            "dead",
            Process(rank="1", role="Worker_TP1", pid="42"),
            "error",
            "03-06 07:56:09",
            "multiproc_executor.py:880",
            None,
        ),
        (
            "[rank3]:[E1129 12:20:41.204055508 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught it",
            "[Rank 3] Watchdog caught it",
            Process(rank="3"),
            "error",
            "1129 12:20:41.204055508",
            "ProcessGroupNCCL.cpp:616",
            None,
        ),
        (  # torch 2.3 and 2.4: the number is the address of a thread
            "E0703 09:42:01.406000 139874410352640 torch/distributed/run.py:826] failed",
            "failed",
            Process(),
            "error",
            "0703 09:42:01.406000",
            "torch/distributed/run.py:826",
            None,
        ),
        (
            "[Rank 5] Watchdog caught it",
            "[Rank 5] Watchdog caught it",
            Process(rank="5"),
            None,
            None,
            None,
            None,
        ),
        (
            '[default5]:[rank13]:   File "/srv/a.py", line 1, in f',
            '  File "/srv/a.py", line 1, in f',
            Process(rank="13", local_rank="5", role="default"),
            None,
            None,
            None,
            None,
        ),
        (
            "gpu-a:1122:1160 [3] transport/net.cc:51 NCCL WARN Call failed",
            "Call failed",
            Process(host="gpu-a", local_rank="3", pid="1122"),
            "warning",
            None,
            "transport/net.cc:51",
            "NCCL",
        ),
        (
            "(RayWorkerWrapper pid=7, ip=10.3.0.4) RuntimeError: x",
            "RuntimeError: x",
            Process(host="10.3.0.4", role="RayWorkerWrapper", pid="7"),
            None,
            None,
            None,
            None,
        ),
        (
            "(VllmWorker rank=3 pid=88) RuntimeError: x",
            "RuntimeError: x",
            Process(rank="3", role="VllmWorker", pid="88"),
            None,
            None,
            None,
            None,
        ),
        (
            'llm-1  | 2026-02-21 09:46:23 | ERROR | stderr |   File "/srv/a.py", line 1, in f',
            '  File "/srv/a.py", line 1, in f',
            Process(host="llm-1"),
            "error",
            "2026-02-21 09:46:23",
            None,
            None,
        ),
        (
            "[pod/llm-0/api] 2026-01-15T10:00:00.12345Z (APIServer pid=1) INFO 01-15 10:00:00 [api.py:3] up",
            "up",
            Process(host="llm-0", role="APIServer", pid="1"),
            "info",
            "2026-01-15T10:00:00.12345Z",
            "api.py:3",
            None,
        ),
        (
            "2026-01-15T10:00:00.123456789Z stderr F [rank0]: Traceback (most recent call last):",
            "Traceback (most recent call last):",
            Process(rank="0"),
            None,
            "2026-01-15T10:00:00.123456789Z",
            None,
            None,
        ),
        (
            "Nov 30 01:02:03 node4 kernel: [12345.678901] NVRM: Xid (PCI:0000:3b:00): 79",
            "NVRM: Xid (PCI:0000:3b:00): 79",
            Process(host="node4", role="kernel"),
            None,
            "Nov 30 01:02:03",
            None,
            None,
        ),
        (
            "2026-01-15 10:00:00,123 - __main__ - INFO - INFO 01-15 10:00:00 cuda.py:229] Using it",
            "Using it",
            Process(),
            "info",
            "2026-01-15 10:00:00,123",
            "cuda.py:229",
            "__main__",
        ),
        (
            "2026-01-15 10:00:00.123 | ERROR    | my.trainer:step:12 - lost",
            "lost",
            Process(),
            "error",
            "2026-01-15 10:00:00.123",
            "my.trainer:step:12",
            "my.trainer",
        ),
        (
            "[2026-04-20 03:12:44 TP2] Scheduler hit an exception",
            "Scheduler hit an exception",
            Process(rank="2", role="TP2"),
            None,
            "2026-04-20 03:12:44",
            None,
            None,
        ),
        (
            "2026-08-02T09:31:22.409481Z  INFO router: router/src/main.rs:210: Warming up",
            "Warming up",
            Process(),
            "info",
            "2026-08-02T09:31:22.409481Z",
            "router/src/main.rs:210",
            "router",
        ),
        ("ERROR: Unexpected bus error", "ERROR: Unexpected bus error", Process(), "error", None, None, None),
    ],
)
def test_prefixes_are_cut_and_told(
    raw: str,
    text: str,
    process: Process,
    level: str | None,
    time: str | None,
    place: str | None,
    logger: str | None,
) -> None:
    line = one(raw)
    assert (line.text, line.process, line.level, line.time, line.place, line.logger) == (
        text,
        process,
        level,
        time,
        place,
        logger,
    )


@pytest.mark.parametrize(
    "raw",
    [
        "ValueError: LoRA rank 64 is greater than max_lora_rank 16.",
        "[rank1] exited, code 1",
        "[warmup 1] state_ok=False",
        "(2) Alternatively, load with weights_only=True",
        "frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x7f in libc10.so)",
        'Error: Warmup(Generation("Not enough memory"))',
        FRAME,
    ],
)
def test_messages_that_look_like_prefixes_stay(raw: str) -> None:
    assert one(raw).text == raw
