"""JSON records are opened into the lines they carry; the bodies of HTTP errors are not."""

import json

import pytest

from kb.diagnose.clean import clean
from kb.diagnose.clean.text import Process


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "rank 64 above 16", "type": "BadRequestError", "param": None, "code": 400}},
        {
            "object": "error",
            "message": "The model `r64` does not exist.",
            "type": "NotFoundError",
            "code": 404,
        },
        {"success": False, "error_message": "rank 64 above 16", "loaded_adapters": {}},
        {"detail": "Not Found"},
        {"detail": [{"loc": ["body", "model"], "msg": "field required", "type": "value_error"}]},
        {"error": "Input validation error", "error_type": "validation"},
        {"error": {"message": "x"}, "timestamp": "2026-01-15T10:00:00Z"},
    ],
)
def test_bodies_of_http_errors_stay_as_they_are(body: dict[str, object]) -> None:
    text = json.dumps(body)
    assert [line.text for line in clean(text).lines] == [text]


@pytest.mark.parametrize(
    ("record", "text", "process", "level", "time", "place", "logger"),
    [
        (
            {"log": "up\n", "stream": "stderr", "time": "2026-01-15T10:00:00.1Z"},
            "up",
            Process(),
            None,
            "2026-01-15T10:00:00.1Z",
            None,
            None,
        ),
        (
            {
                "ts": "t1",
                "level": "warn",
                "logger": "vllm.lora",
                "msg": "slow",
                "pid": 31,
                "rank": 3,
                "local_rank": None,
            },
            "slow",
            Process(rank="3", pid="31"),
            "warning",
            "t1",
            None,
            "vllm.lora",
        ),
        (
            {
                "timestamp": "t2",
                "severity": "ERROR",
                "jsonPayload": {"message": "lost", "hostname": "n4", "filename": "core.py", "lineno": 7},
                "labels": {"a": "b"},
            },
            "lost",
            Process(host="n4"),
            "error",
            "t2",
            "core.py:7",
            None,
        ),
        (
            {"MESSAGE": "Xid 79", "PRIORITY": "3", "_HOSTNAME": "n4", "_PID": "1"},
            "Xid 79",
            Process(host="n4", pid="1"),
            "error",
            None,
            None,
            None,
        ),
        ({"message": "only"}, "only", Process(), None, None, None, None),
        (
            {
                "@timestamp": "t3",
                "log": {"level": "error", "logger": "app"},
                "message": "ecs",
                "process": {"pid": 5},
            },
            "ecs",
            Process(pid="5"),
            "error",
            "t3",
            None,
            "app",
        ),
    ],
)
def test_records_become_their_message(
    record: dict[str, object],
    text: str,
    process: Process,
    level: str | None,
    time: str | None,
    place: str | None,
    logger: str | None,
) -> None:
    (line,) = clean(json.dumps(record)).lines
    assert (line.text, line.process, line.level, line.time, line.place, line.logger) == (
        text,
        process,
        level,
        time,
        place,
        logger,
    )


def test_what_failed_follows_the_message_once() -> None:
    record = {
        "level": "error",
        "event": "load failed",
        "error": "rank 64 above 16",
        "reason": "rank 64 above 16",
    }
    assert [line.text for line in clean(json.dumps(record)).lines] == ["load failed", "rank 64 above 16"]


def test_a_record_that_is_cut_off_gives_what_it_has() -> None:
    text = '{"level": "error", "msg": "load failed: rank 64 is abo'
    (line,) = clean(text).lines
    assert (line.text, line.level) == ("load failed: rank 64 is abo", "error")


def test_prefixes_inside_a_record_are_cut_and_told() -> None:
    record = {
        "log": "\x1b[31m(EngineCore_DP0 pid=86) ERROR 11-19 12:54:26 [core.py:710] lost\x1b[0m\n",
        "stream": "stderr",
    }
    (line,) = clean(json.dumps(record)).lines
    assert (line.text, line.level, line.process) == (
        "lost",
        "error",
        Process(role="EngineCore_DP0", pid="86"),
    )


@pytest.mark.parametrize(
    "text", ['{"a": 1', '{"a"', '{"', "{}", "[]", '{"a": {"b": [1, 2}}', "{'event': 'x'}", '{"status":"ok"}']
)
def test_text_that_only_looks_like_a_record_stays(text: str) -> None:
    assert [line.text for line in clean(text).lines] == [text]


def test_windows_paths_are_no_escapes() -> None:
    text = r"FileNotFoundError: C:\new\train\Traceback.txt and D:\nvme\tmp\x.py"
    assert [line.text for line in clean(text).lines] == [text]


def test_source_lines_with_written_out_line_ends_stay() -> None:
    text = "    raise RuntimeError('Error(s) in loading state_dict for {}:\\n\\t{}'.format("
    assert [line.text for line in clean(text).lines] == [text]
