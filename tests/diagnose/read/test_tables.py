"""Every row of the reading tables reads its own example, and none reads what healthy programs print."""

import pytest

from kb.diagnose.clean.text import Line, Piece, Process
from kb.diagnose.read import declared, shapes, starts
from kb.diagnose.read.fact_rows import ROWS, FactRow
from kb.diagnose.read.facts import ALL_WORDS, facts_of
from kb.diagnose.read.prose import is_prose


def line(text: str, level: str | None = None) -> Line:
    return Line(text, (Piece(0, 1, 0),), level=level)


def stated(line: Line) -> dict[str, str]:
    return dict(facts_of(line, [word for word in ALL_WORDS if word in line.text.lower()]))


@pytest.mark.parametrize("row", starts.ROWS, ids=lambda row: row.name)
def test_start_is_seen_in_its_example_and_behind_indentation(row: starts.Start) -> None:
    assert starts.is_failure(row.example)
    assert starts.is_failure("    " + row.example)


@pytest.mark.parametrize("row", declared.ROWS, ids=lambda row: row.example[:30])
def test_what_a_line_declares_is_seen_in_its_example(row: declared.Row) -> None:
    assert declared.declared(row.example) == row.said


@pytest.mark.parametrize(
    "text",
    [
        '10.0.0.3:5 - "GET /health HTTP/1.1" 503 Service Unavailable',
        '10.0.0.3:5 - "GET /favicon.ico HTTP/1.1" 404 Not Found',
        '10.0.0.3:5 - "POST /v1/score HTTP/1.1" 200 OK',
        '10.0.0.3:5 - "POST /v1/score HTTP/1.1" 400 Bad Request',
    ],
)
def test_what_declares_nothing(text: str) -> None:
    assert declared.declared(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Failures: 0",
        "Error: 0.0312",
        "error: 0.12",
        "training error: 0.5",
        "errors=0",
        "not fatal: the cache is rebuilt",
        "Could not estimate the number of tokens of the input, so operations will not be counted",
        "Killed the old session and started a new one",
        "Aborted requests are retried.",
        "Errors are written to /var/log/llm.log",
        "Normal   Pulled     13m   kubelet  Container image already present on machine",
        "Loading checkpoint shards: 100%",
        "0 failed, 12 passed",
        "val: error: 0.12",
        "curl: try 'curl --help' for more information",
        "train: loading",
        "make: Nothing to be done for 'all'.",
        "make[1]: Entering directory '/srv/build'",
        "error correction: on",
        "eval: top-1 error 0.21: top-5 error 0.05",
        "CUDA errors are reported asynchronously",
        "CUDA_VISIBLE_DEVICES=0",
        "llm.service: Deactivated successfully.",
        "CMake files were written",
        "rsync: 12 files",
        "free memory: 12 GiB",
        "* Restarting with stat",
        "ErrorHandler(level=3) installed",
        "Uploading 3 files",
        "Building wheel for flash-attn (setup.py): finished with status 'done'",
    ],
)
def test_what_healthy_programs_print_is_no_failure_start(text: str) -> None:
    assert not starts.is_failure(text)
    assert shapes.named(text) is None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.fact}: {row.example[:30]}")
def test_fact_is_read_from_its_example(row: FactRow) -> None:
    match = row.pattern.search(row.example)
    assert match is not None
    assert stated(line(row.example))[row.fact] == match["value"]


@pytest.mark.parametrize(
    ("text", "fact", "value"),
    [
        ("  exitcode  : -9 (pid: 4711)", "exit_code", "-9"),
        ("    Exit Code:    137", "exit_code", "137"),
        ("subprocess.CalledProcessError: Command 'x' returned non-zero exit status 1.", "exit_code", "1"),
        ('"lastState": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}', "k8s_reason", "OOMKilled"),
        ("slurmstepd: error: task 3 exited with exit code 139", "exit_code", "139"),
        ("[1]+  Killed                  ./server --port 80", "ended", "Killed"),
        ("Bus error (core dumped)", "ended", "Bus error"),
        ("traceback : Signal 9 (SIGKILL) received by PID 2212", "signal", "SIGKILL"),
        ("RuntimeError: DataLoader worker (pid 341) is killed by signal: 7", "signal", "7"),
        ("NVRM: Xid (PCI:0000:3b:00): 13, pid=88, name=python3", "xid", "13"),
        ("Xid 79, GPU has fallen off the bus", "xid", "79"),
        ("distributed init (rank 3): env://, world size: 8", "world_size", "8"),
        ("comm 0x55 rank 0 nranks 16 cudaDev 0", "world_size", "16"),
        ("|   0  NVIDIA H100 80GB HBM3          On  |", "gpu", "NVIDIA H100 80GB"),
        ("NVIDIA GeForce RTX 5090 with CUDA capability sm_120", "gpu", "NVIDIA GeForce RTX 5090"),
        ('10.0.0.3:5 - "GET /v1/models HTTP/1.1" 503 Service Unavailable', "http_status", "503"),
        ("HTTP/1.1 404 Not Found", "http_status", "404"),
        ("Error code: 400 - {'object': 'error'}", "http_status", "400"),
    ],
)
def test_facts_as_software_words_them(text: str, fact: str, value: str) -> None:
    assert stated(line(text)).get(fact) == value


@pytest.mark.parametrize(
    "text",
    [
        "command terminated with exit code 0",
        "      Reason:       Completed",
        'GET /v1/models HTTP/1.1" 200 OK',
        "Killed the old session",
        "signal handlers installed",
        "transid 79 committed",
        "the exit to the left",
        "killed: 0, running: 8",
    ],
)
def test_what_states_no_failing_fact(text: str) -> None:
    assert not stated(line(text))


def test_a_fact_in_a_sentence_about_what_can_happen_is_none() -> None:
    text = "When the limit is too low the container ends with exit code 137 again."
    assert not stated(line(text))
    assert stated(line(text, level="error")) == {"exit_code": "137"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ValueError: bad", "ValueError"),
        ("torch.OutOfMemoryError: CUDA out of memory.", "torch.OutOfMemoryError"),
        ("triton.runtime.autotuner.OutOfResources: out of resource: shared memory", None),
        ("socket.gaierror: [Errno -2] Name or service not known", None),
        ("ray.exceptions.RayTaskError(ValueError): ray::f() (pid=1)", "ray.exceptions.RayTaskError"),
        ("requests.exceptions.HTTPError (status 503): gone", "requests.exceptions.HTTPError"),
        ("ncclSystemError: System call failed", "ncclSystemError"),
        ("subprocess.TimeoutExpired: Command 'x' timed out after 3 seconds", "subprocess.TimeoutExpired"),
        ("Caused by: java.io.IOException: disk is full", "java.io.IOException"),
        ("AssertionError", "AssertionError"),
        ("KeyboardInterrupt", "KeyboardInterrupt"),
        ("Exception: Capture cuda graph failed", "Exception"),
    ],
)
def test_class_at_the_start_of_a_line(text: str, name: str | None) -> None:
    match = shapes.named(text)
    assert match is not None
    assert match["type"] == (name or text.partition(":")[0])


@pytest.mark.parametrize(
    "text",
    [
        "Exception",
        "Error",
        "Timeout",
        "Epoch: 3",
        "INFO: started",
        "self.error: Foo",
        "a b: c",
        "Step",
        "3Error: x",
        "model.layers.0: ok",
        "Traceback (most recent call last):",
        "https://example.org/Error: x",
    ],
)
def test_what_is_no_class_without_frames(text: str) -> None:
    assert shapes.named(text) is None


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("untimeError", "RuntimeError"),
        ("alueError", "ValueError"),
        ("RuntimeErrorRuntimeError", "RuntimeError"),
        ("runtimeerror", "RuntimeError"),
        ("ValueError", "ValueError"),
        ("ncclSystemError", "ncclSystemError"),
        ("rError", "rError"),
        ("torch.untimeError", "torch.untimeError"),
    ],
)
def test_damaged_class_is_mended_only_when_one_is_meant(name: str, meant: str) -> None:
    assert shapes.mended(name) == meant


@pytest.mark.parametrize(
    "text",
    [
        '  File "/srv/app.py", line 12, in main',
        'File "/srv/app.py", line 12',
        '  File "<frozen importlib._bootstrap>", line 241, in _call_with_frames_removed',
        "  File C:\\env\\app.py:12, in main(x)",
        "Cell In[7], line 3",
        "Input In [5], line 1, in f(x)",
        "/srv/train/run.py:12 in main",
    ],
)
def test_frame_in_all_its_forms(text: str) -> None:
    assert shapes.is_frame(text)


@pytest.mark.parametrize(
    "text",
    ["File saved to /srv/app.py", "see app.py:12 in the docs for more", "File not found: x", 'File "a"'],
)
def test_what_is_no_frame(text: str) -> None:
    assert not shapes.is_frame(text)


def test_quotes_in_a_sentence_are_prose_unless_a_process_wrote_it() -> None:
    text = 'the server then answers with "RuntimeError: no free slot" and stops'
    start = text.index("Runtime")
    assert is_prose(line(text), start)
    assert not is_prose(line(text, level="error"), start)
    assert not is_prose(Line(text, (Piece(0, 1, 0),), process=Process(rank="3")), start)
    assert not is_prose(line('failed: "RuntimeError: no free slot"'), 9)


def test_what_a_compiler_says_of_a_line_is_no_prose() -> None:
    said = "C:\\CUDA v12\\include\\crt/a.h(153): fatal error C1189: #error: unsupported! A flag can be used."
    start = said.index("unsupported")
    assert not is_prose(line(said), start)
    assert is_prose(line(said.replace("(153): fatal error C1189:", " says this")), start)
