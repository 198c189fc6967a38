"""Prefixes of launchers and native code: who of many wrote a line (Ray, torchrun, MPI, NCCL, glog)."""

from __future__ import annotations

from string import ascii_letters, ascii_lowercase, digits

from kb.diagnose.clean.prefix_row import (
    BLANK,
    CLOCK,
    HOST,
    LOCAL,
    MONTH,
    PID,
    PLACE,
    RANK,
    SOURCE,
    TIME,
    WORD,
    Row,
)

TAGS = (
    Row(  # vLLM, Ray ("(Trial(x=1) pid=7)": actors print their arguments), SkyPilot
        "tag with pid",
        "(",
        r"\((?:(?P<role>[A-Za-z_][\w.:/<>-]{0,80})(?:\([^()]{0,80}\))?[, ] ?)?"
        rf"(?:rank={RANK},? ?)?pid={PID}(?:, ?ip={HOST})?\) ?",
        "(RayWorkerWrapper pid=7, ip=10.3.0.4) ",
    ),
    Row(
        "ray's own",
        "(",
        r"\((?P<role>raylet|autoscaler|gcs_server|dashboard|log_monitor)(?: \+[\dhms]{1,9})?"
        rf"(?:, ?ip={HOST})?\) ?",
        "(raylet, ip=10.3.0.4) ",
    ),
)

RANKS = (
    Row(  # a pod's log in which pdsh or a launcher named the host once more, on some lines only
        "host before a rank",
        ascii_letters,
        rf"(?=[A-Za-z.-]{{1,60}}+\d){HOST}: (?=\[rank\d|\[default\d|[IWEF]\d{{4}} \d\d:)",
        "node0: [rank1]: ",
    ),
    Row("torchrun rank", "[", rf"\[rank{RANK}\]: ?", "[rank3]: "),
    # torchrun's tee writes role and local rank.
    Row("torchrun role", "[", rf"\[(?P<role>[A-Za-z_]{{1,30}}){LOCAL}\]:{BLANK}", "[default5]:"),
    Row("host and local rank", "[", rf"\[{HOST}:{LOCAL}\]:{BLANK}", "[gpu187:0]:"),
    # Horovod leaves the job out.
    Row("mpirun --tag-output", "[", rf"\[(?:\d{{1,9}},)?{RANK}\]<std(?:err|out)>:{BLANK}", "[1,3]<stderr>:"),
    Row(
        "sagemaker",
        "[",
        rf"\[\d{{1,9}},mpirank:{RANK},(?P<host>algo-\d{{1,5}})\]<std(?:err|out)>:{BLANK}",
        "[1,mpirank:3,algo-2]<stderr>:",
    ),
    Row("lightning", "[", rf"\[rank: {RANK}\] ?", "[rank: 3] "),
    Row(  # not `pod/llm-0 condition met`, which kubectl says of a pod
        "pod",
        "p",
        r"pod/(?P<host>[a-z0-9][\w.-]{0,252}) "
        r"(?!(?:condition|is|was|has)\b|[a-z]{2,12}ed(?: from\b|:| \(|\s*$))",
        "pod/llm-0 ",
    ),
    Row(  # training scripts that put variables of their environment first
        "named values",
        "HRhr",
        r"(?:(?:HOST|host|HOSTNAME|hostname)=(?P<host>[\w.-]{1,63})[ ,;]+)?(?:RANK|rank)=(?P<rank>\d{1,6})"
        r"(?:[ ,;]+(?:LOCAL_RANK|local_rank)=(?P<local_rank>\d{1,3}))?(?: ?[|:>-]+ | ?\| ?)",
        "HOST=a3 RANK=7 | ",
    ),
    Row(  # not a source file with its line
        "open mpi",
        "[",
        rf"\[(?![^\]]{{1,120}}\.(?:py|cpp|cc|cu|cuh|h|c|rs|go|js):){HOST}:(?P<pid>\d{{3,10}})\] ?",
        "[node4:47110] ",
    ),
    Row(
        "kubectl --prefix",
        "[",
        r"\[pod/(?P<host>[\w.-]{1,253})/(?P<role>[\w.-]{1,63})\] ?",
        "[pod/llm-0/server] ",
    ),
)

CPP = (
    Row(
        "c10",
        "[",
        rf"\[(?P<level>[IWEFC])(?P<time>\d{{3,4}} {CLOCK}\.\d{{1,9}})?(?: \d{{1,10}})? ?{SOURCE}\] ?",
        "[E1129 12:20:41.204055508 ProcessGroupNCCL.cpp:616] ",
        last=True,
    ),
    Row(  # also Triton's server and torch's Python log, which has had a thread's address there (2.3, 2.4)
        "glog",
        "IWEFVC",
        rf"(?P<level>[IWEFVC])(?P<time>\d{{4}} {CLOCK}(?:\.\d{{1,9}})?) {{1,7}}(?:{PID}|\d{{11,20}})"
        rf"(?:\.\w+)? {PLACE}\] ?",
        "W0418 07:21:09.250000 640317 site-packages/torch/distributed/elastic/multiprocessing/api.py:900] ",
        last=True,
    ),
    Row(
        "tensorflow",
        "IWEF",
        rf"(?P<level>[IWEF]) {SOURCE}\] ?",
        "2026-01-19 09:44:02.118204: W tensorflow/core/x.cc:64] ",
        timed=True,
    ),
    Row(  # the number in brackets is the CUDA device of the process
        "nccl",
        "[" + ascii_letters + digits,
        rf"(?:{HOST}:{PID}:\d{{1,10}} )?\[{LOCAL}\] (?:{PLACE} )?"
        r"(?P<logger>NCCL) (?P<level>WARN|INFO|ERROR|TRACE|ABORT) ?",
        "gpu-a:1122:1160 [3] transport/net.cc:51 NCCL WARN ",
    ),
    Row(
        "onnxruntime",
        "[",
        rf"\[(?P<level>[VIWEF]):(?P<logger>onnxruntime):[^,\]]{{0,80}}, {PLACE}[^\]]{{0,120}}\] ?",
        "[E:onnxruntime:Default, provider_bridge.cc:1480 TryGet] ",
    ),
    Row(
        "tensorrt",
        "[",
        rf"\[(?P<logger>TensorRT(?:-LLM)?|TRT(?:-LLM)?)\] ?(?:\[RANK {RANK}\] ?)?"
        rf"\[(?P<level>{WORD}|[VIWEF])\] ?",
        "[TensorRT-LLM][ERROR] ",
    ),
    Row(
        "nemo",
        "[",
        rf"\[NeMo (?P<level>[DIWE]) {TIME} {PLACE}\] ?",
        "[NeMo W 2026-01-15 10:00:00 nemo_logging:349] ",
    ),
    Row(  # Ray's C++ parts
        "ray core",
        "[",
        rf"\[{TIME} (?P<level>[DIWEFC]) {PID} \d{{1,10}}\] ?",
        "[2026-01-15 10:00:00,123 E 811 840] ",
    ),
    Row(
        "ray core's place",
        ascii_lowercase,
        r"(?P<place>[\w/-]{1,120}\.cc:\d{1,6}): ?",
        "[2026-01-15 10:00:00,123 E 811 840] (raylet) node_manager.cc:123: ",
        timed=True,
    ),
    Row("dmesg", "[", r"\[ {0,8}(?P<time>\+?\d{1,10}\.\d{6})\] ?", "[12345.678901] "),
    Row(
        "dmesg -T",
        "[",
        rf"\[(?P<time>[A-Z][a-z]{{2}} {MONTH} [ \d]\d {CLOCK} \d{{4}})\] ?",
        "[Mon Nov 30 01:02:03 2026] ",
    ),
)

# What scripts make up for themselves. It costs a look at the whole bracket, so all others come first.
HOMEMADE = (
    # "[Rank 3] " and "[PG 0 Rank 3] " belong to messages of PyTorch and stay, see below.
    Row(
        "tag with a rank",
        "[",
        rf"\[(?!Rank {{1,2}}\d+\]|PG )(?:(?=[A-Za-z.-]{{1,60}}\d){HOST}[ ,:|]{{1,3}})?"
        rf"(?:[^\[\]]{{0,60}}?[ ,;|_-])??(?i:rank)[ =:#]{{1,2}}{RANK}"
        rf"(?:(?:/|[ ,;|])[^\[\]]{{0,60}})?\]:?{BLANK}",
        "[p5-2 rank=11] ",
    ),
)
