"""What writes itself in front of log lines: a table with one row for each shape.

A row's pattern starts where the line (or what other rows left of it) starts and ends where the message
starts. Its named groups say who wrote the line: host, rank, local_rank, role, pid, level, time, place,
logger; a digit behind a name tells two groups of one field apart. Exactly one blank behind a prefix belongs
to it: the indentation of traceback lines comes after that blank and must survive.

`starts` are the characters a row can start with. They choose the rows that are tried, so a line that starts
otherwise costs nothing. Rows are tried in the order of the table. `example` is what forced the row; the tests
read every one.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_letters, ascii_lowercase, digits

_STAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d)(?![\w:]))?"
_WORD = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|SEVERE|CRITICAL|FATAL)"
_WORDS = "TDINWESCF"  # the first letters of these
_FILE = r"[\w.+/\\-]{1,200}\.(?:py|pyx|cpp|cc|cu|cuh|c|h|hpp|rs|go)"
_CLOCK = r"\d\d:\d\d:\d\d"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_NAMES = ascii_letters + "_"

# The quantifiers with a plus sign never give back: no other part of a row could take what they took.
_HOST = r"(?P<host>[A-Za-z0-9][\w.-]{0,62}+)"
_RANK = r"(?P<rank>\d{1,6})"
_LOCAL = r"(?P<local_rank>\d{1,3})"
_PID = r"(?P<pid>\d{1,10})"
_LEVEL = rf"(?P<level>{_WORD})"
_TIME = rf"(?P<time>{_STAMP})"
_PLACE = r"(?P<place>[^\]\s|]{1,200}:\d{1,6})"
_SOURCE = rf"(?P<place>{_FILE}:\d{{1,6}})"
# torchrun's tee and Open MPI write no blank behind their tags, but some copies have one. It is taken for the
# tag's unless a frame's own two or four blanks are all there is.
_BLANK = r"(?: (?! File \"| {3}[^ ]))?"
_LOGGER = r"(?P<logger>[A-Za-z_][\w.-]{0,120}+)"


@dataclass(frozen=True, slots=True)
class Row:
    """One shape of prefix."""

    name: str
    starts: str
    pattern: str
    example: str
    timed: bool = False  # only behind a time stamp: alone it would be too weak
    keep: bool = False  # tells something of the line, but belongs to its message
    last: bool = False  # the message follows, or a tag in brackets; no other row is tried


_TAGS = (
    Row(  # vLLM, Ray ("(Trial(x=1) pid=7)": actors print their arguments), SkyPilot
        "tag with pid",
        "(",
        r"\((?:(?P<role>[A-Za-z_][\w.:/<>-]{0,80})(?:\([^()]{0,80}\))?[, ] ?)?"
        rf"(?:rank={_RANK}, ?)?pid={_PID}(?:, ?ip={_HOST})?\) ?",
        "(RayWorkerWrapper pid=7, ip=10.3.0.4) ",
    ),
    Row(
        "ray's own",
        "(",
        r"\((?P<role>raylet|autoscaler|gcs_server|dashboard|log_monitor)(?: \+[\dhms]{1,9})?"
        rf"(?:, ?ip={_HOST})?\) ?",
        "(raylet, ip=10.3.0.4) ",
    ),
)

_RANKS = (
    Row("torchrun rank", "[", rf"\[rank{_RANK}\]: ?", "[rank3]: "),
    # torchrun's tee writes role and local rank.
    Row("torchrun role", "[", rf"\[(?P<role>[A-Za-z_]{{1,30}}){_LOCAL}\]:{_BLANK}", "[default5]:"),
    Row("host and local rank", "[", rf"\[{_HOST}:{_LOCAL}\]:{_BLANK}", "[gpu187:0]:"),
    Row("mpirun --tag-output", "[", rf"\[\d{{1,9}},{_RANK}\]<std(?:err|out)>:{_BLANK}", "[1,3]<stderr>:"),
    Row(
        "kubectl --prefix",
        "[",
        r"\[pod/(?P<host>[\w.-]{1,253})/(?P<role>[\w.-]{1,63})\] ?",
        "[pod/llm-0/server] ",
    ),
)

_CPP = (
    Row(
        "c10",
        "[",
        rf"\[(?P<level>[IWEFC])(?P<time>\d{{3,4}} {_CLOCK}\.\d{{1,9}})?(?: \d{{1,10}})? ?{_SOURCE}\] ?",
        "[E1129 12:20:41.204055508 ProcessGroupNCCL.cpp:616] ",
        last=True,
    ),
    Row(  # also torch's Python log and Triton's server
        "glog",
        "IWEFVC",
        rf"(?P<level>[IWEFVC])(?P<time>\d{{4}} {_CLOCK}(?:\.\d{{1,9}})?) {{1,7}}{_PID}"
        rf"(?:\.\w+)? {_PLACE}\] ?",
        "W0927 10:02:33.140000 771203 site-packages/torch/distributed/elastic/multiprocessing/api.py:900] ",
        last=True,
    ),
    Row(
        "tensorflow",
        "IWEF",
        rf"(?P<level>[IWEF]) {_SOURCE}\] ?",
        "2026-01-19 09:44:02.118204: W tensorflow/core/x.cc:64] ",
        timed=True,
    ),
    Row(  # the number in brackets is the CUDA device of the process
        "nccl",
        "[" + ascii_letters + digits,
        rf"(?:{_HOST}:{_PID}:\d{{1,10}} )?\[{_LOCAL}\] (?:{_PLACE} )?"
        r"(?P<logger>NCCL) (?P<level>WARN|INFO|ERROR|TRACE|ABORT) ?",
        "gpu-a:1122:1160 [3] transport/net.cc:51 NCCL WARN ",
    ),
    Row(
        "onnxruntime",
        "[",
        rf"\[(?P<level>[VIWEF]):(?P<logger>onnxruntime):[^,\]]{{0,80}}, {_PLACE}[^\]]{{0,120}}\] ?",
        "[E:onnxruntime:Default, provider_bridge.cc:1480 TryGet] ",
    ),
    Row(
        "tensorrt",
        "[",
        rf"\[(?P<logger>TensorRT(?:-LLM)?|TRT(?:-LLM)?)\] ?(?:\[RANK {_RANK}\] ?)?"
        rf"\[(?P<level>{_WORD}|[VIWEF])\] ?",
        "[TensorRT-LLM][ERROR] ",
    ),
    Row(
        "nemo",
        "[",
        rf"\[NeMo (?P<level>[DIWE]) {_TIME} {_PLACE}\] ?",
        "[NeMo W 2026-01-15 10:00:00 nemo_logging:349] ",
    ),
    Row("dmesg", "[", r"\[ {0,8}(?P<time>\+?\d{1,10}\.\d{6})\] ?", "[12345.678901] "),
    Row(
        "dmesg -T",
        "[",
        rf"\[(?P<time>[A-Z][a-z]{{2}} {_MONTH} [ \d]\d {_CLOCK} \d{{4}})\] ?",
        "[Mon Nov 30 01:02:03 2026] ",
    ),
)

_PYTHON = (
    Row(  # before 0.8 the place had no opening bracket
        "vllm",
        "DIWEC",
        rf"(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) (?P<time>\d\d-\d\d {_CLOCK}(?:[.,]\d{{1,6}})?) "
        rf"(?:\[{_PLACE}\]|(?P<place2>[\w./-]{{1,120}}:\d{{1,6}})\]) ?",
        "ERROR 11-19 12:54:26 [core.py:710] ",
        last=True,
    ),
    Row(  # SGLang with its parts; logging, Hydra and DeepSpeed without
        "bracketed time",
        "[",
        rf"\[{_TIME}(?: (?P<role>(?:[A-Z]{{2,5}}\d{{1,4}} ?){{1,6}}))?\](?: - | ?)",
        "[2026-04-20 03:12:44 DP0 TP1] ",
    ),
    Row(
        "slashed time in brackets",
        "[",
        rf"\[(?P<time>\d\d/\d\d/\d{{2,4}}[- ]{_CLOCK}(?:\.\d{{1,6}})?)\] ?",
        "[01/15/2026-10:00:00] ",
    ),
    Row(
        "hydra",
        "[",
        rf"\[{_LOGGER}\]\[{_LEVEL}\](?: - | ?)",
        "[2026-01-15 10:00:00,147][torch.distributed][INFO] - ",
    ),
    Row(
        "transformers",
        "[",
        rf"\[{_LEVEL}\|{_PLACE}\] ?(?:{_TIME} )?(?:>> ?)?",
        "[INFO|trainer.py:2100] 2026-01-15 10:00:00,234 >> ",
    ),
    Row(
        "bracketed level",
        "[",
        rf"\[(?P<level>{_WORD}|debug|info|notice|warn(?:ing)?|error|critical|fatal) {{0,3}}\](?: - |: | ?)",
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
        _NAMES,
        rf"(?P<logger>[A-Za-z_][\w.]{{0,120}}+): \[{_LEVEL}\] ?",
        "[2026-01-15 02:11:40,915] torch.distributed.elastic.multiprocessing.api: [WARNING] ",
    ),
    Row(
        "name - level -",
        _NAMES,
        rf"{_LOGGER} - {_LEVEL} - ",
        "2026-01-15 10:00:00,123 - my.trainer - ERROR - ",
    ),
    Row(
        "level - name -",
        _WORDS,
        rf"{_LEVEL} - (?:(?P<logger>[A-Za-z_]\w*(?:\.\w+)+|__main__|root) - )?",
        "ERROR - __main__ - ",
    ),
    Row("basicConfig", _WORDS, rf"{_LEVEL}:{_LOGGER}:", "ERROR:torch.distributed.elastic.api:"),
    # uvicorn pads the level to ten characters.
    Row("uvicorn", "TDIWEC", r"(?P<level>TRACE|DEBUG|INFO|WARNING|ERROR|CRITICAL): {2,7}", "INFO:     "),
    Row("level |", _WORDS, rf"{_LEVEL} {{0,5}}\| ?", "2026-01-15 10:00:00 | ERROR | stderr | "),
    Row(
        "loguru",
        _NAMES,
        r"(?P<place>(?P<logger>[A-Za-z_][\w.]{0,120}+):[\w<>.]{1,80}+:\d{1,6}) - ",
        "2026-01-15 10:00:00.123 | ERROR    | my.trainer:step:12 - ",
        timed=True,
    ),
    Row("log4j", _WORDS, rf"{_LEVEL} {{1,3}}{_TIME} ?", "WARN  2026-11-02 06:31:40.911 "),
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
        " " + _WORDS,
        rf" ?{_LEVEL}(?:: ?| +)(?!\|)",
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

_SYSTEM = (
    # kubelet and docker --timestamps, loguru, logging. The bar or dash behind it belongs to it.
    Row("time", digits, rf"{_TIME}(?: - | ?\| ?|: ?|, ?| ?)", "2026-03-28T02:11:32.907Z "),
    Row(  # Spark, Go
        "slashed time",
        digits,
        rf"(?P<time>\d{{2,4}}/\d\d/\d\d {_CLOCK}(?:[.,]\d{{1,6}})?)(?: - | ?\| ?|: ?| ?)",
        "2026/01/15 10:00:00 ",
    ),
    Row(  # a time of day alone says too little, but before a level or another prefix
        "time of day",
        digits,
        rf"(?P<time>{_CLOCK}(?:[.,]\d{{1,6}})?)(?: - | \| | )(?=\[|\(|{_WORD}\b)",
        "09:58:44.207 [error] ",
    ),
    Row("syslog", "JFMASOND", rf"(?P<time>{_MONTH} [ \d]\d {_CLOCK}(?:\.\d{{1,6}})?) ", "Nov 30 01:02:03 "),
    Row(
        "rfc 5424",
        "<",
        rf"<\d{{1,3}}>1 {_TIME} (?P<host>\S{{1,255}}) (?P<role>\S{{1,48}}) (?:{_PID}|-) \S{{1,32}} "
        r"(?:-|\[[^\]]{0,500}\]) ?",
        "<34>1 2026-01-15T10:00:00Z node4 llm 4711 - - ",
    ),
    Row("syslog's number", "<", r"<\d{1,3}>(?=[A-Z0-9])", "<34>Nov 30 01:02:03 "),
    Row(
        "syslog's host and process",
        ascii_letters + digits,
        rf"{_HOST} (?P<role>[\w./@()-]{{1,80}}+)(?:\[{_PID}\]: ?|(?<=kernel): ?)",
        "Nov 30 01:02:03 node4 llm[4711]: ",
        timed=True,
    ),
    # P marks a part of a long line.
    Row("containerd", "s", r"std(?:err|out) [FP](?: |$)", "2026-01-15T10:00:00.123456789Z stderr F "),
    Row("stream", "s", r"std(?:err|out)(?:: ?| \| ?)", "stderr: "),
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
        rf'time="?{_TIME}"? level=(?P<level>\w{{3,8}}) (?:source=(?P<place>\S{{1,120}}) )?msg=',
        "time=2026-01-15T10:00:00Z level=ERROR source=server.go:12 msg=",
    ),
)

_KEPT = (
    # These words belong to messages as people quote them, so they stay.
    Row("level:", _WORDS, rf"{_LEVEL}: ", "ERROR: ", keep=True),
    Row(
        "slurm",
        "s",
        r"(?:srun|sbatch|salloc|slurmd|slurmstepd[^\s:]{0,40}): (?P<level>error|fatal|warning): ",
        "srun: error: ",
        keep=True,
    ),
    Row(
        "rank in the message",
        "[",
        rf"\[(?:PG [^\]]{{1,80}}? )?Rank {_RANK}\] ?",
        "[PG ID 0 PG GUID 0(default_pg) Rank 4] ",
        keep=True,
    ),
)

ROWS: tuple[Row, ...] = (*_TAGS, *_RANKS, *_CPP, *_PYTHON, *_SYSTEM, *_KEPT)
