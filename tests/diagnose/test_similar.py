"""Messages that a paste ends in the middle of: what stands beside them helps to know them."""

from collections.abc import Callable

import pytest

from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Diagnosis
from tests.diagnose.conftest import entry, make_index, signature

Ask = Callable[..., Diagnosis]

ENDED = signature("s", "Process {pid:int} got signal: {n:int}", exception="elastic.SignalException")
COMPILER = signature(
    "s", "The toolkit wected by {name:word}", exception="RuntimeError", where="jit/toolkit.py"
)
HANG = signature("s", "{who:word} watchdog timeout (self.watchdog_timeout={s:num})", on="log")
POOL = signature("s", "adapter pool of {n:int} is exhausted by {who}", exception="ValueError")
SYMBOL = signature("s", "libtool_cpu.so: undefined symbol: {symbol:word}", on="log")
INDEX = make_index(
    [
        entry("ended", [ENDED]),
        entry("compiler", [COMPILER]),
        entry("hang", [HANG]),
        entry("pool", [POOL]),
        entry("symbol", [SYMBOL]),
    ]
)
TRACEBACK = """\
Traceback (most recent call last):
  File "/opt/lib/jit/toolkit.py", line 88, in look
    raise RuntimeError(
RuntimeError: The toolkit w"""


def known(text: str) -> list[str]:
    """The entries that may explain a text."""
    return [h.entry for failure in diagnose(text, INDEX).failures for h in failure.hypotheses]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("elastic.SignalException: Process 90 got s", ["ended"]),
        ("SignalException: Process 90 got s\n\n", ["ended"]),
        ("elastic.SignalException: Process 90 got s\nstep 4 done\n", []),  # nothing is cut there
        ("ValueError: Process 90 got s", []),  # another class
        (TRACEBACK, ["compiler"]),
        (TRACEBACK.replace("toolkit", "other"), []),  # another file
        ("RuntimeError: The toolkit w", []),  # a class that everybody raises
        ("ValueError: adapter po", []),
    ],
)
def test_class_or_file_stand_beside_a_cut_beginning(text: str, expected: list[str]) -> None:
    assert known(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("step 3 done\nScheduler watchdog timeout (self.watchdog_time", ["hang"]),
        ("Scheduler watchdog timeout (self.watchdog_time\nstep 4 done", []),  # it is not the last line
        ("ImportError without more\nlibtool_cpu.so: undefined sym", ["symbol"]),
        ("Loading the library of this machine from /opt/lib/python3.12/tool/libtool_cpu.so", []),
        ("[TP0] INFO Scheduler watchdog timeout.", []),  # its sentence is whole
    ],
)
def test_a_last_line_may_be_the_beginning_of_a_message(text: str, expected: list[str]) -> None:
    assert known(text) == expected


def test_nothing_is_added_where_a_message_is_known(ask: Ask) -> None:
    answer = ask(
        "ValueError: LoRA rank 64 is greater than max_lora_rank 16.\nScheduler watchdog timeout (self.wat"
    )
    assert [h.entry for h in answer.failures[0].hypotheses][:1] == ["rank-too-high"]
    assert len(answer.failures) == 1
