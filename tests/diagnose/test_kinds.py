"""The kind of a failure that no entry knows: by its class, else by its words."""

import pytest

from kb.diagnose.kinds import kind_of
from kb.diagnose.report import Event, Facts, Passage


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("KeyError", "'timed out'", "defect"),
        ("OSError", "[Errno 28] No space left on device: '/ckpt/a.pt'", "capacity"),
        ("OSError", "[Errno 5] Input/output error", "environment"),
        ("RuntimeError", "connect() failed: Connection refused", "transport"),
        ("RuntimeError", "NVML: GPU has fallen off the bus", "hardware"),
        ("RuntimeError", "shapes do not fit", None),
        (None, "slurmstepd: error: *** JOB 8 ON n4 CANCELLED AT x DUE TO TIME LIMIT ***", "capacity"),
        (None, "Detected 1 oom_kill event in StepId=91.0.", "capacity"),
        (None, "Out of memory: Killed process 77 (python)", "capacity"),
        (None, "curl: (28) Connection timed out after 5001 milliseconds", "transport"),
        (None, "/bin/sh: 1: nvcc: not found", "environment"),
        (None, "salloc: error: Node failure on worker-3", "hardware"),
        (None, "train.py: error: unrecognized arguments: --rank", "configuration"),
        (None, "the job has ended", None),
    ],
)
def test_kind(name: str | None, text: str, kind: str | None) -> None:
    assert kind_of(Event("message", Passage(text, ()), 0, name), Facts()) == kind
