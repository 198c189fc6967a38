"""Lines that a container's runtime wrote in parts are one line again, whatever stands between the parts."""

import json

from kb.diagnose.clean import clean
from kb.diagnose.clean.parts import DOCKER
from tests.diagnose.clean.promises import check

TIME = "2026-01-15T10:00:00.123456789Z"


def texts(paste: str) -> list[str]:
    cleaned = clean(paste)
    check(paste, cleaned)
    return [line.text for line in cleaned.lines]


def test_containerds_parts_are_joined_by_pod_and_stream() -> None:
    paste = (
        f"[pod/a-0/x] {TIME} stderr P ValueError: LoRA ra\n"
        f"[pod/a-1/x] {TIME} stderr F ready\n"
        f"[pod/a-0/x] {TIME} stdout F step 1\n"
        f"[pod/a-0/x] {TIME} stderr P nk 64 is gre\n"
        f"[pod/a-0/x] {TIME} stderr F ater than 16\n"
        f"[pod/a-0/x] {TIME} stderr F next\n"
    )
    assert texts(paste) == ["ValueError: LoRA rank 64 is greater than 16", "ready", "step 1", "next"]


def test_a_line_whose_last_part_is_missing_stays() -> None:
    assert texts(f"{TIME} stderr P ValueError: LoRA ra\n{TIME} stdout F step 1\n") == [
        "ValueError: LoRA ra",
        "step 1",
    ]


def test_dockers_parts_are_joined_as_far_as_a_line_goes() -> None:
    first, second = "x" * DOCKER, " end of it\n"
    records = [
        {"log": text, "stream": stream, "time": TIME}
        for text, stream in (
            (first, "stderr"),
            ("step 1\n", "stdout"),
            (second, "stderr"),
            ("next\n", "stderr"),
        )
    ]
    found = texts("".join(json.dumps(record) + "\n" for record in records))
    assert found == [first + " end of it", "step 1", "next"]
