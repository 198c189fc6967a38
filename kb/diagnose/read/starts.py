"""Beginnings of lines without a level that say by themselves that something failed.

One row for each shape, with the real text that forced it; the tests read every example. A row must not be
true for what healthy programs print, nor for prose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Start:
    """One shape: what it is, the pattern at the start of the line, and a line that forced it."""

    name: str
    pattern: str
    example: str


ROWS = (
    # torch and its C++ parts, where the prefix with the level is lost
    Start(
        "watchdog",
        r"\[Rank \d+\] (?:Watchdog|Some NCCL|To avoid)|\[PG [^\]]*\] (?:Timeout|Exception|Process|Watchdog)",
        "[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1612)",
    ),
    Start("terminate", r"terminate called (?:after|without)", "terminate called without an active exception"),
    Start("interpreter", r"Fatal Python error", "Fatal Python error: Bus error"),
    # command lines and compilers: `nvcc fatal   : Unsupported gpu architecture`, `ld: error: unable to find`
    Start(
        "error:",
        r"(?:\$ )?(?:[\w./+-]+(?: [\w./+-]+)?: ){0,2}(?:fatal )?error:(?! ?[\d.]+$)",
        "salloc: error: Node failure on worker-3",
    ),
    Start(
        "fatal",
        r"(?:(?!not )[\w./-]+ )?fatal(?: error)?\s*:|FATAL\b",
        "nvcc fatal   : Unsupported gpu architecture 'compute_120'",
    ),
    Start(
        "place and error",
        r"[^\s:]+(?::\d+){1,2}: (?:fatal )?error:|\S+\(\d+\): error",
        "a.cu(12): error: identifier is undefined",
    ),
    Start(
        "ERROR",
        r"ERROR\b|(?:npm )?ERR!|E: |Error:(?! ?[\d.]+$)",
        "ERROR: Could not find a version that satisfies the requirement x",
    ),
    Start(
        "shell",
        r"(?:/bin/)?(?:ba|da|z)?sh: (?:line )?\d*:? ?.{1,200}: (?:command )?not found",
        "/bin/sh: 1: nvcc: not found",
    ),
    Start(
        "script and line",
        r"\S+: line \d+: .{1,200}: (?:No such file or directory|Permission denied|cannot execute.{0,60})\s*$",
        "./build.sh: line 3: /usr/local/cuda/bin/nvcc: No such file or directory",
    ),
    Start(  # Trainer prints "Could not estimate the number of tokens ..." in healthy runs
        "failed to",
        r"Failed to |(?:Could not|Unable to(?! find image )|Cannot) (?:find|load|open|read|connect|create"
        r"|import|allocate|initiali[sz]e|determine|access|start)\b",
        "Could not load bitsandbytes native library: x.so",
    ),
    # what programs say of themselves: name, then what failed
    Start(
        "program and error",
        r"[\w./-]+: (?:[\w ]{0,30} )?error\b[\w ]{0,30}: (?![\d.]+$)",
        "nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown",
    ),
    Start(
        "program and errno",
        r"[\w./-]+: (?:.{0,300}: )?(?:\[Errno \d+\] .{1,80}|No space left on device|Input/output error"
        r"|Connection (?:refused|timed out|reset by peer)|No module named \S+)\s*$",
        "cp: error writing '/ckpt/step-9.pt': No space left on device",
    ),
    Start(  # llama.cpp, ggml, servers in C: the function or program, then what failed
        "program: failed to",
        r"[\w./-]{2,80}: (?:[\w ]{1,30}: )?(?:failed|unable) to (?:allocate|load|open|read|create|init\w*"
        r"|start|connect|bind|find|parse|map|get|set|mount|register)\b",
        "ggml_backend_cuda_buffer_type_alloc_buffer: failed to allocate CUDA0 buffer of size 1284",
    ),
    Start(
        "hydra",
        r"Could not override '|Key '.{1,200}' is not in struct|Error merging override"
        r"|Error executing job with overrides|In '.{1,200}': (?:Could not find|Validation error)",
        "Could not override 'trainer.node'.",
    ),
    Start(
        "http error page",
        r"(?:<\w+>){0,4}(?:HTTP/[\d.]+ )?5\d\d (?:Internal Server Error|Bad Gateway|Gateway Time-?[Oo]ut"
        r"|Service (?:Temporarily )?Unavailable)\s*(?:<|$)",
        "502 Bad Gateway",
    ),
    Start("curl", r"curl: \(\d{1,3}\) ", "curl: (7) Failed to connect to localhost port 8000 after 0 ms"),
    Start(
        "program: ERROR", r"[\w.-]+: ERROR\b", "wandb: ERROR Run initialization has timed out after 90.0 sec."
    ),
    Start(
        "daemons",
        r"(?:docker: )?Error (?:response )?from (?:daemon|server)\b",
        'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].',
    ),
    Start("linker", r"\S*\bld: cannot find ", "/usr/bin/ld: cannot find -lcuda: No such file or directory"),
    Start("make", r"make(?:\[\d+\])?: \*\*\* ", "make: *** [Makefile:4: all] Error 2"),
    Start("cmake", r"CMake Error\b", "CMake Error at CMakeLists.txt:12 (find_package):"),
    Start(
        "pip build",
        r"\u00d7 .{1,200} did not run successfully",
        "× python setup.py egg_info did not run successfully.",
    ),
    Start("error while", r"Error while \w", "Error while uploading: Request Entity Too Large"),
    # glibc ends a process that wrote where it should not
    Start(
        "heap",
        r"\*\*\* Error in `|double free or corruption|corrupted (?:size|double-linked)|munmap_chunk\(\)"
        r"|(?:free|malloc|realloc)\(\): |\*\*\* stack smashing detected",
        "free(): invalid pointer",
    ),
    # CUDA libraries without an exception
    Start(
        "cuda",
        r"CUDA (?:error|failure|out of memory)\b|cuda runtime error|[\w:]{1,200}: .{0,200}\bcudaMalloc failed"
        r"|CU(?:DNN|BLAS)_STATUS_(?!SUCC)",
        "ggml_backend_cuda_buffer: allocating 8192.00 MiB on device 0: cudaMalloc failed: out of memory",
    ),
    Start("nvidia-smi", r"No devices were found\s*$", "No devices were found"),
    # notebooks and services
    Start(
        "notebook",
        r"The kernel appears to have died|Your session crashed",
        "The kernel appears to have died. It will restart automatically.",
    ),
    Start(
        "asyncio",
        r"(?:Task|Future) exception was never retrieved|Exception in (?:worker|callback|ASGI)",
        "Task exception was never retrieved",
    ),
    Start(
        "systemd",
        r"\S+\.service: (?:Main process exited, code=|Failed with result )",
        "llm.service: Failed with result 'oom-kill'.",
    ),
    # the dynamic loader's own words, as they stand in ImportError and OSError and without them
    Start(
        "loader",
        r"\S+\.so[.\d]*: (?:undefined symbol|cannot open shared object file|version `|invalid ELF header"
        r"|file too short)",
        "torch/lib/libtorch_cuda.so: undefined symbol: ncclCommRegister",
    ),
    Start(
        "class without colon",
        r"[A-Z]\w*(?:Error|Exception)(?=[ (.\[])(?! \(most)",
        "RuntimeError (note: full exception trace is shown but execution is paused)",
    ),
    # other languages
    Start(
        "panic",
        r"panic: |fatal error: |thread '[^']*' (?:\(\d+\) )?panicked at",
        "thread 'main' panicked at src/main.rs:4:10:",
    ),
    Start(
        "uncaught",
        r"Uncaught|Unhandled exception|Exception in thread|Caused by:",
        'Exception in thread "main" java.lang.X: y',
    ),
    # the kernel and its drivers
    Start("xid", r"NVRM: (?:Xid|GPU)", "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus."),
    Start(
        "out of memory killer",
        r"Out of memory: Kill(?:ed)? process|Memory cgroup out of memory|oom-kill:"
        r"|(?:(?!invoked )\S{1,40}+ {1,3}+){1,5}+invoked oom-killer",
        "Out of memory: Killed process 4711 (python3) total-vm:91234567kB",
    ),
    # Triton's Python backend, at level INFO
    Start(
        "python stub",
        r"\"?Failed to initialize Python stub: ",
        '"Failed to initialize Python stub: ValueError: no tokenizer"',
    ),
    # launchers and schedulers
    Start(
        "slurm",
        r"slurmstepd: error|srun: error|\*\*\* (?:JOB|STEP) \S+ ON \S+ CANCELLED",
        "*** JOB 811 ON n4 CANCELLED AT x DUE TO TIME LIMIT ***",
    ),
    Start(
        "mpi",
        r"Primary job\s+terminated|mpirun (?:detected|noticed)|MPI_ABORT was invoked"
        r"|\*\*\* An error occurred in MPI_",
        "mpirun noticed that process rank 3 exited",
    ),
    Start("root cause", r"Root Cause \(first observed failure\)", "Root Cause (first observed failure):"),
    Start(
        "kubernetes event",
        r"(?:\d+[smhd]\w{0,6}(?: \(x\d+ over \w+\))?\s+)?(?:Normal|Warning)\s+"
        r"(?:Killing|Unhealthy|Failed|FailedScheduling|BackOff|Evicted|OOMKilling|FailedMount"
        r"|FailedCreate|FailedAttachVolume|FailedCreatePodSandBox|NodeNotReady|Preempted|Preempting)\s",
        "Warning  Unhealthy  12m (x60 over 14m)  kubelet  Startup probe failed: connection refused",
    ),
)
FAILURE_START = re.compile(r"\s*(?:" + "|".join(f"(?:{row.pattern})" for row in ROWS) + ")")

# Rust writes the place of a panic on one line and what it says on the next.
PANIC = re.compile(r"\s*thread '[^']*' (?:\(\d+\) )?panicked at [^\s:]+:\d+:\d+:\s*$")

# PMIx: `unable to open mca_gds_ds21: ...: undefined symbol: ... (ignored)`
IGNORED = "(ignored)"

# What no program says of itself at level INFO: who logs what another one wrote has put the level there.
_FOREIGN = ("slurm", "out of memory killer", "xid", "terminate", "interpreter", "daemons", "python stub")
FOREIGN_START = re.compile(
    r"\s*(?:" + "|".join(f"(?:{row.pattern})" for row in ROWS if row.name in _FOREIGN) + ")"
)

# CUDA kernels: `indexing.cu:1290: fn: block: [58,0,0], thread: [21,0,0] Assertion `index < size` failed.`
DEVICE_ASSERT = re.compile(r"\bAssertion [`'].{1,2000}[`'] failed|\bthread: \[[\d,]{1,40}\],? Assertion [`']")

# `Error:`, above what somebody pasted
HEADING = re.compile(r"\W*errors?\W*", re.IGNORECASE)

# What stands at level ERROR only because a tool's whole output was logged there: ninja's progress, and its
# heading for what a compiler says below.
PROGRESS = re.compile(r"\s*(?:\[\d+/\d+\] |FAILED: (?:\[code=\d+\] )?\S+\s*$)")


def is_failure(text: str) -> bool:
    """Whether a line without a level says by its beginning that something failed."""
    if FAILURE_START.match(text) is None or HEADING.fullmatch(text):
        return False
    return not text.rstrip().endswith(IGNORED)


def is_device_assert(text: str) -> bool:
    """Whether a CUDA kernel's assertion failed in this line."""
    return "Assertion" in text and DEVICE_ASSERT.search(text) is not None
