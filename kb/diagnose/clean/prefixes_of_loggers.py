"""Prefixes of Python's and other loggers: level, time, place and name."""

from __future__ import annotations

from string import ascii_lowercase, digits

from kb.diagnose.clean.prefix_row import (
    CLOCK,
    LEVEL,
    LOGGER,
    NAMES,
    PADDED,
    PID,
    PLACE,
    TIME,
    WORD,
    WORDS,
    Row,
)

PYTHON = (
    Row(  # before 0.8 the place had no opening bracket
        "vllm",
        "DIWEC",
        rf"(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) (?P<time>\d\d-\d\d {CLOCK}(?:[.,]\d{{1,6}})?) "
        rf"(?:\[{PLACE}\]|(?P<place2>[\w./-]{{1,120}}:\d{{1,6}})\]) ?",
        "ERROR 11-19 12:54:26 [core.py:710] ",
        last=True,
    ),
    Row(  # the rest of such a prefix, where somebody's selection began in its middle
        "cut vllm",
        ascii_lowercase + "[" + digits,
        rf"(?:(?P<time>\d\d-\d\d {CLOCK}) |{CLOCK} )?\[?(?P<place>[\w./-]{{1,120}}\.py:\d{{1,6}})\] ?",
        "02-24 18:40:31 core.py:291] ",
        last=True,
    ),
    Row(  # Optuna, Tornado
        "level and time",
        "[",
        rf"\[(?P<level>[DIWEC]) {TIME}\] ?",
        "[W 2026-01-15 10:00:00,123] ",
    ),
    Row(
        "horovod",
        "[",
        rf"\[{TIME}: (?P<level>[DIWEF]) {PLACE}\] ?",
        "[2026-01-15 10:00:00.123456: W /build/stall_inspector.cc:107] ",
    ),
    Row(  # SGLang with its parts; logging, Hydra and DeepSpeed without
        "bracketed time",
        "[",
        rf"\[{TIME}(?: (?P<role>(?:[A-Z]{{2,5}}\d{{1,4}} ?){{1,6}}))?\](?: - | ?)",
        "[2026-04-20 03:12:44 DP0 TP1] ",
    ),
    Row(
        "slashed time in brackets",
        "[",
        rf"\[(?P<time>\d\d/\d\d/\d{{2,4}}[- ]{CLOCK}(?:\.\d{{1,6}})?)\] ?",
        "[01/15/2026-10:00:00] ",
    ),
    Row(
        "hydra",
        "[",
        rf"\[{LOGGER}\]\[{LEVEL}\](?: - | ?)",
        "[2026-01-15 10:00:00,147][torch.distributed][INFO] - ",
    ),
    Row(
        "transformers",
        "[",
        rf"\[{LEVEL}\|{PLACE}\] ?(?:{TIME} )?(?:>> ?)?",
        "[INFO|trainer.py:2100] 2026-01-15 10:00:00,234 >> ",
    ),
    Row(  # rich's handler with milliseconds, as scripts for image models set it up; levels are padded
        "time-milliseconds level",
        digits,
        rf"(?P<time>{CLOCK}-\d{{3,6}}) {PADDED}",
        "17:22:48-377 ERROR    ",
    ),
    Row(
        "gunicorn",
        "[",
        rf"\[{PID}\] \[{LEVEL}\] ?",
        "[2026-01-15 10:00:00 +0000] [855] [ERROR] ",
        timed=True,
    ),
    Row(  # the server writes a model's stderr at level WARN, whatever it is
        "torchserve's model",
        "[",
        r"\[(?:INFO|WARN) ?\] (?P<role>W-\d{1,6}-[\w.-]{1,80}?)-std(?:err|out) (?P<logger>MODEL_LOG) - ",
        "2026-01-15T10:00:00,123 [WARN ] W-9000-m_1.0-stderr MODEL_LOG - ",
    ),
    Row(
        "pid and level",
        "[",
        rf"\[{PID}\] (?:<(?P<logger>[\w.]{{1,80}})> )?{LEVEL}(?: - |: | )",
        "2026-01-15 10:00:00,123 [91] <engine.cache> ERROR - ",
        timed=True,
    ),
    Row(
        "bracketed level",
        "[",
        rf"\[(?P<level>{WORD}|debug|info|notice|warn(?:ing)?|error|critical|fatal) {{0,3}}\](?: - |: | ?)",
        "[WARN ] ",
    ),
    Row(
        "deepspeed",
        "[",
        r"\[(?P<place>[\w./-]{1,120}\.py:\d{1,6})(?::[\w<>]{1,80})?\](?: - | ?)",
        "[2026-01-15 10:00:00,147] [INFO] [launch.py:315:sigkill_handler] ",
    ),
    Row(
        "torch elastic before 2.4",
        NAMES,
        rf"(?P<logger>[A-Za-z_][\w.]{{0,120}}+): \[{LEVEL}\] ?",
        "[2026-01-15 02:11:40,915] torch.distributed.elastic.multiprocessing.api: [WARNING] ",
    ),
    Row(
        "name - level -",
        NAMES,
        rf"{LOGGER} - {LEVEL} - ",
        "2026-01-15 10:00:00,123 - my.trainer - ERROR - ",
    ),
    Row(  # Xinference
        "name pid level",
        NAMES,
        rf"{LOGGER} {{1,12}}{PID} {PADDED}",
        "2026-01-15 10:00:00,123 xinference.core.worker 91 ERROR    ",
        timed=True,
    ),
    Row(  # its actors, in logs and before the message of what they raise
        "address and pid",
        "[",
        rf"\[address=[\w.:-]{{1,80}}, pid={PID}\] ?",
        "[address=10.3.0.4:41200, pid=143] ",
    ),
    Row(
        "level - name -",
        WORDS,
        rf"{LEVEL} - (?:(?P<logger>[A-Za-z_]\w*(?:\.\w+)+|__main__|root) - )?",
        "ERROR - __main__ - ",
    ),
    Row("basicConfig", WORDS, rf"{LEVEL}:{LOGGER}:", "ERROR:torch.distributed.elastic.api:"),
    # "ERROR: " belongs to messages as people quote them, but not to an exception or traceback behind it.
    Row(
        "level: exception",
        WORDS,
        rf"{LEVEL}: (?=(?:[A-Za-z_][\w.]{{0,120}})?(?:Error|Exception)(?:: |$)|Traceback \(|  File \")",
        "ERROR: ",
    ),
    # uvicorn pads the level to ten characters.
    Row("uvicorn", "TDIWEC", r"(?P<level>TRACE|DEBUG|INFO|WARNING|ERROR|CRITICAL): {2,7}", "INFO:     "),
    Row("level |", WORDS, rf"{LEVEL} {{0,5}}\| ?", "2026-01-15 10:00:00 | ERROR | stderr | "),
    Row(
        "loguru",
        NAMES,
        r"(?P<place>(?P<logger>[A-Za-z_][\w.]{0,120}+):[\w<>.]{1,80}+:\d{1,6}) - ",
        "2026-01-15 10:00:00.123 | ERROR    | my.trainer:step:12 - ",
        timed=True,
    ),
    Row("log4j", WORDS, rf"{LEVEL} {{1,3}}{TIME} ?", "WARN  2026-11-02 06:31:40.911 "),
    Row(
        "ray",
        WORDS,
        rf"{LEVEL} (?P<place>[\w./-]{{1,120}}\.py:\d{{1,6}}) -- ",
        "2026-01-15 10:00:00,123\tERROR services.py:1207 -- ",
        timed=True,
    ),
    # Levels are padded, so all blanks behind them go, but for a traceback's line: "ERROR   File ...".
    Row(
        "time ERROR frame",
        "E",
        r"(?P<level>ERROR) (?= {2}File \"| {4}[^ ])",
        "2026-01-15 10:00:00 ERROR ",
        timed=True,
    ),
    Row(
        "time level",
        " " + WORDS,
        rf" ?{LEVEL} +(?!\|)",
        "21/02/03 05:50:42 ERROR ",
        timed=True,
    ),
    Row(  # text-generation-inference; spans come first
        "tracing",
        ascii_lowercase,
        r"(?:[a-z_]{1,40}+(?:\{[^{}]{0,200}\})?:){0,6} ?(?P<logger>[a-z_]\w{0,80}+(?:::\w{1,80}+){0,8}): "
        r"(?P<place>[\w./-]{1,120}\.rs:\d{1,6}): ",
        "2026-08-02T09:31:25.117602Z ERROR warmup{max=4096}:warmup: tgi_client: client/src/lib.rs:33: ",
        timed=True,
    ),
    Row(
        "torchserve",
        "W",
        r"(?P<role>W-\d{1,6}-[\w.-]{1,80}?)(?:-std(?:err|out))? "
        r"(?P<logger>MODEL_LOG|(?:org|com)\.[\w.$]{1,120}|[A-Z_]{3,30}) - ",
        "2026-01-15T10:00:00,123 [WARN ] W-9000-m_1.0-stderr MODEL_LOG - ",
    ),
)
