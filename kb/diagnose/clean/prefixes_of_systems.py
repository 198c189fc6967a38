"""Prefixes of what carries a log (containers, journals, consoles), and words that belong to messages."""

from __future__ import annotations

from string import ascii_letters, ascii_lowercase, digits

from kb.diagnose.clean.prefix_row import BLANK, CLOCK, HOST, LEVEL, MONTH, PID, RANK, TIME, WORD, WORDS, Row

SYSTEM = (
    # kubelet and docker --timestamps, loguru, logging. The bar or dash behind it belongs to it, but behind
    # the Z of kubelet and docker a dash can be the line's own: `- ds optimizer.params.lr=0.0003 vs hf ...`.
    Row(
        "time",
        digits,
        rf"{TIME}(?:(?<!Z) - | - (?=(?:[\w.]{{1,80}} - ){{0,2}}{WORD}\b)| ?\| ?|: ?|, ?|[ \t]?)",
        "2026-03-28T02:11:32.907Z ",
    ),
    Row(  # Spark, Go
        "slashed time",
        digits,
        rf"(?P<time>\d{{2,4}}/\d\d/\d\d {CLOCK}(?:[.,]\d{{1,6}})?)(?: - | ?\| ?|: ?| ?)",
        "2026/01/15 10:00:00 ",
    ),
    Row(  # its year begins above somebody's selection
        "cut time",
        digits,
        rf"\d{{1,3}}-(?P<time>\d\d-\d\d[T ]{CLOCK}(?:[.,]\d{{1,9}})?) (?:- )?",
        "026-01-15 10:00:00,123 ",
    ),
    Row(  # a time of day alone says too little, but before a level or another prefix
        "time of day",
        digits,
        rf"(?P<time>{CLOCK}(?:[.,]\d{{1,6}})?)(?: - | \| | )(?=\[|\(|{WORD}\b)",
        "09:58:44.207 [error] ",
    ),
    Row(
        "foreman",
        digits,
        rf"(?P<time>{CLOCK}) (?P<role>[a-zA-Z][\w.-]{{0,60}}+) {{0,40}}\| ?",
        "10:00:00 web.1  | ",
    ),
    Row("pm2", digits, r"\d{1,4}\|(?P<role>[a-zA-Z][\w.-]{0,60}+) {0,40}\| ?", "0|server  | "),
    # GitHub Actions, Azure Pipelines
    Row("actions", "#", rf"##\[(?P<level>error|warning|debug|notice)\]{BLANK}", "##[error]"),
    # docker build: the step, and the seconds since it began
    Row(
        "build step",
        "#",
        r"#\d{1,4} (?:\d{1,6}\.\d{1,3} |(?=ERROR|\[|DONE|CACHED))",
        "#12 3.881 ",
    ),
    Row("syslog", "JFMASOND", rf"(?P<time>{MONTH} [ \d]\d {CLOCK}(?:\.\d{{1,6}})?) ", "Nov 30 01:02:03 "),
    Row(
        "rfc 5424",
        "<",
        rf"<\d{{1,3}}>1 {TIME} (?P<host>\S{{1,255}}) (?P<role>\S{{1,48}}) (?:{PID}|-) \S{{1,32}} "
        r"(?:-|\[[^\]]{0,500}\]) ?",
        "<34>1 2026-01-15T10:00:00Z node4 llm 4711 - - ",
    ),
    Row("syslog's number", "<", r"<\d{1,3}>(?=[A-Z0-9])", "<34>Nov 30 01:02:03 "),
    Row(
        "syslog's host and process",
        ascii_letters + digits,
        rf"{HOST} (?P<role>[\w./@()-]{{1,80}}+)(?:\[{PID}\]: ?|(?<=kernel): ?)",
        "Nov 30 01:02:03 node4 llm[4711]: ",
        timed=True,
    ),
    Row(  # Vertex AI and parameter servers name the replica behind level and time
        "replica",
        "wnmpc",
        r"(?P<host>(?:workerpool|worker|node|master|ps|chief)-?\d{1,4}(?:-\d{1,4})?) ",
        "ERROR 2026-01-15T10:00:00Z workerpool1-0 ",
        timed=True,
    ),
    # P marks a part of a long line.
    Row("containerd", "s", r"std(?:err|out) [FP](?: |$)", "2026-01-15T10:00:00.123456789Z stderr F "),
    Row("stream", "s", r"std(?:err|out)(?:: ?| \| ?)", "stderr: "),
    Row(  # a supervisor that logs what its child writes; "stdout is closed" is a message
        "stream behind a time",
        "s",
        r"std(?:err|out) (?!(?:is|was|will|and|or|of|to|for|from|in|on|not|has|[a-z]{1,20}ed)\b)",
        "2026-03-03 10:00:00,123 INFO stdout ",
        timed=True,
    ),
    Row("bracketed stream", "[", r"\[std(?:err|out)\]:? ?", "[stderr] "),
    Row("kernel", "k", r"(?P<role>kernel): ?", "kernel: "),
    # A container is a host of its own; what runs in it names its role itself. Version 1 wrote "vllm_1  | ".
    Row(
        "compose",
        ascii_lowercase,
        r"(?P<host>[a-z0-9][\w.-]{0,62}+)(?:(?<=[-_]\d)|(?<=[-_]\d\d)|(?<=[-_]\d{3})) {0,40}\| ?",
        "vllm-1  | ",
    ),
    Row(
        "logfmt",
        "t",
        rf'time="?{TIME}"? level=(?P<level>\w{{3,8}}) (?:source=(?P<place>\S{{1,120}}) )?msg=',
        "time=2026-01-15T10:00:00Z level=ERROR source=server.go:12 msg=",
    ),
)

KEPT = (
    # These words belong to messages as people quote them, so they stay.
    Row("level:", WORDS, rf"{LEVEL}: ", "ERROR: ", keep=True),
    Row(
        "slurm",
        "s",
        r"(?:srun|sbatch|salloc|slurmd|slurmstepd[^\s:]{0,40}): (?P<level>error|fatal|warning): ",
        "srun: error: ",
        keep=True,
    ),
    Row("rank before the message", "R", rf"Rank {RANK}: ", "Rank 3: ", keep=True),
    Row(
        "rank in the message",
        "[",
        rf"\[(?:PG [^\]]{{1,80}}? )?Rank {RANK}\] ?",
        "[PG ID 0 PG GUID 0(default_pg) Rank 4] ",
        keep=True,
    ),
)
