"""What lines look like: the fixed patterns that the readers share. Each row names the text that forced it."""

from __future__ import annotations

import re
from typing import Literal

HEADER = "Traceback (most recent call last)"

FRAME = re.compile(
    r"""\s*(?:[-–]+>\s*)?(?:
        File\s"(?P<path>[^"]*)",\ line\ (?P<line>\d+)(?:,\ in\ (?P<function>.+?))?\s*$      # Python
      | File\s(?P<ipath>[^\s":]+):(?P<iline>\d+)(?:,\ in\ (?P<ifunction>[^(]+).*)?$         # IPython 8
      | (?P<rpath>[^\s"]+\.py):(?P<rline>\d+)\ in\ (?P<rfunction>\S+)\s*$                   # rich
    )""",
    re.VERBOSE,
)

# A class whose name says that it is an error, at the start of a line: `torch.OutOfMemoryError: CUDA ...`.
# Lower case occurs too: `ncclSystemError: System call ...`.
ERROR_CLASS = re.compile(
    r"\s*(?P<type>(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*"
    r"(?:Error|Exception|Interrupt|Exit|Timeout|TimeoutExpired|Failure|NotFound|Killed|Abort|ExceptionGroup)"
    r"|(?:[a-z_]\w*\.){2,}[A-Z]\w+)"  # `triton.runtime.autotuner.OutOfResources: ...`
    r"(?:\s\([^()]{0,80}\))?(?::(?:\s+(?P<text>.*))?|\s*)$"
)
# After frames any name can be the class: `KeyboardInterrupt`, `StopIteration`, `zmq.error.Again: ...`.
ANY_CLASS = re.compile(r"\s*(?P<type>(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?::(?:\s+(?P<text>.*))?|\s*)$")
# The class in the middle of a line: behind prose in another script, `error: ValueError: ...`.
INNER_CLASS = re.compile(
    r"""(?:[:|>"'(\[]\s*|[^\x00-\x7f]\s*)(?P<type>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)):\s(?P<text>\S.*)$"""
)

MARKERS = re.compile(r"\s*[\^~]+\s*$|\s*\[Previous line repeated \d+ more times?\]\s*$")
GROUP_LINE = re.compile(r"\s*\+?-?\+-{4,}")

Chain = Literal["cause", "context"]
CHAIN: dict[str, Chain] = {
    "The above exception was the direct cause of the following exception": "cause",
    "During handling of the above exception, another exception occurred": "context",
    "The above exception was the following": "cause",
}

# C++: `terminate called after throwing an instance of 'c10::DistBackendError'` and `what():  [Rank 1] ...`.
TERMINATE = re.compile(r"terminate called after throwing an instance of '(?P<type>[^']+)'")
WHAT = re.compile(r"\s*what\(\):\s+(?P<text>.+)$")
CPP_FRAME = re.compile(r"\s*(?:frame #\d+: |#\d+ 0x|Exception raised from \S+ at )")

# Lines without a level whose beginning says that something failed.
FAILURE_START = re.compile(
    r"\s*(?:"
    r"\[Rank \d+\] Watchdog|\[PG [^\]]*\] (?:Timeout|Exception|Process)|"  # torch without its prefix
    r"fatal(?: error)?:|FATAL|panic:|Fatal Python error|Segmentation fault|Bus error|Aborted|Illegal instruction|"
    r"(?:[\w./-]+: )?error:|ERROR\b|Error:|E: |ERR!|npm ERR!|slurmstepd: error|srun: error|"
    r"Unable to determine the device handle|Failed to |RuntimeError|NVRM: Xid|"
    r"Exception in thread|Caused by:|Unhandled exception|Uncaught|"
    r"Out of memory: Killed process|Memory cgroup out of memory|oom-kill:|Killed$|"
    r"Primary job\s+terminated|mpirun (?:detected|noticed)|"
    r"(?:Normal|Warning)\s+(?:Killing|Unhealthy|Failed|FailedScheduling|BackOff|Evicted|OOMKilling|FailedMount)\s"
    r")"
)

# CUDA kernels: `indexing.cu:1290: fn: block: [58,0,0], thread: [21,0,0] Assertion `index < size` failed.`
DEVICE_ASSERT = re.compile(r"\bAssertion [`'].+[`'] failed")

LEVELS = {"warning", "error", "critical"}
