"""The failures that the laboratory makes: how each is started, and what its truth is.

Which message started a failure, and in which process, the scripts tell beside their output (scripts/told.py).
A row adds only what a script cannot know: how its death is reported by others, and what follows from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Ending = Literal["failure", "handled", "healthy"]

# How torchrun reports a rank that had no last word. Braces name what the script told of the process.
DEATH = (
    "local_rank: {local_rank} (pid: {pid})",
    "rank      : {rank} (local_rank:",
    "(pid: {pid})",
    "received by PID {pid}",
)
TORCHRUN = ("ChildFailedError", "closing signal SIGTERM", "(SIGTERM)", "received by PID")
PEERS = ("Connection closed by peer", "Connection reset by peer", "Broken pipe")


@dataclass(frozen=True)
class Scenario:
    """One failure to make."""

    name: str
    command: tuple[str, ...]  # `python` is the laboratory's own; {n} processes under torchrun
    kind: str
    how: str
    ranks: int = 0  # processes under torchrun, 0: no torchrun
    options: tuple[str, ...] = ()  # torchrun's
    ending: Ending = "failure"
    death: tuple[str, ...] = ()  # parts of lines that report a process without a last word
    also: tuple[str, ...] = ()  # parts of other lines that say the same
    secondary: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()  # what of the failing process can be seen in the log
    environment: dict[str, str] = field(default_factory=dict)
    terminate: bool = False  # SIGTERM from outside once the script says it is ready
    cgroup: bool = False


def torchrun(mode: str, ranks: int, kind: str, how: str, name: str | None = None, **more: Any) -> Scenario:
    """A mode of train.py; the rank is seen in torchrun's summary at the latest."""
    given: dict[str, Any] = {"shown": ("rank",), "secondary": (*TORCHRUN, *PEERS), **more}
    if given.get("ending", "failure") != "failure":
        given |= {"shown": (), "secondary": ()}
    label = name or mode.replace("_", "-")
    return Scenario(f"torchrun-{label}", ("train.py", mode), kind, how, ranks=ranks, **given)


def python(script: str, mode: str, kind: str, how: str, name: str | None = None, **more: Any) -> Scenario:
    """A mode of a script without torchrun."""
    stem = script.removesuffix(".py")
    command = ("python", script, mode)
    return Scenario(f"{stem}-{name or mode.replace('_', '-')}", command, kind, how, **more)


def pytest(name: str, word: str, kind: str, how: str, **more: Any) -> Scenario:
    """Tests of libraries.py whose name holds a word."""
    command = ("python", "-m", "pytest", "libraries.py", "-k", word, "-p", "no:cacheprovider")
    return Scenario(f"pytest-{name}", command, kind, how, **more)


def gunicorn(fail: str, kind: str, how: str, **more: Any) -> Scenario:
    """The application of libraries.py, asked once."""
    serve = "gunicorn -w 1 -b 127.0.0.1:8917 libraries:application & sleep 2; "
    ask = "curl -s --max-time 2 http://127.0.0.1:8917/ >/dev/null; sleep 0.5; "
    stop = "kill $! 2>/dev/null; wait $!; true"
    environment = {"LAB_FAIL": fail}
    return Scenario(
        f"gunicorn-{fail}", ("bash", "-c", serve + ask + stop), kind, how, environment=environment, **more
    )


_RANKS = (
    torchrun("healthy", 2, "none", "trains to its end, with a warning", ending="healthy"),
    torchrun("killed", 3, "killed", "rank 1 gets SIGKILL in step 2", death=DEATH),
    torchrun(
        "killed",
        4,
        "killed",
        "rank 1 gets SIGKILL, tagged output",
        name="killed-tee",
        death=DEATH,
        options=("--tee", "3"),
    ),
    torchrun("segfault", 2, "signal", "rank 1 gets SIGSEGV with faulthandler on", also=DEATH),
    torchrun("empty_sample", 3, "exception", "rank 1's collator raises ValueError"),
    torchrun(
        "empty_sample",
        3,
        "exception",
        "the same with tagged output",
        name="empty-sample-tee",
        options=("--tee", "3"),
    ),
    Scenario(
        "torchrun-empty-sample-record",
        ("train.py", "empty_sample", "record"),
        "exception",
        "the same with an error file",
        ranks=2,
        shown=("rank",),
        secondary=(*TORCHRUN, *PEERS),
    ),
    torchrun("missing_column", 4, "exception", "rank 0 raises KeyError"),
    torchrun("bare_assert", 2, "exception", "rank 1 fails an assert without text", also=("AssertionError",)),
    torchrun(
        "every_rank",
        2,
        "exception",
        "every rank misses the same file",
        shown=(),
        also=("FileNotFoundError", ": [Errno 2] No such file"),
    ),
    torchrun("peer_first", 2, "exception", "rank 1 leaves the group and reports after its peer"),
    torchrun("peer_only", 2, "peer", "rank 1 leaves and is ended before it can report"),
    torchrun(
        "wrapped",
        2,
        "exception",
        "rank 1's error has a cause",
        secondary=(*TORCHRUN, *PEERS, "RuntimeError: could not set up gradient accumulation"),
    ),
    torchrun("straggler", 3, "timeout", "rank 2 is busy for longer than the others wait", secondary=TORCHRUN),
    torchrun(
        "mismatch",
        3,
        "mismatch",
        "rank 2 runs another collective, checked by torch",
        name="mismatch-detail",
        environment={"TORCH_DISTRIBUTED_DEBUG": "DETAIL"},
        secondary=TORCHRUN,
    ),
    torchrun(
        "mismatch",
        3,
        "timeout",
        "rank 2 runs another collective, not checked",
        also=("Timed out waiting 3000ms",),
        secondary=TORCHRUN,
    ),
    torchrun("shapes", 3, "mismatch", "rank 1's tensor has another size", shown=()),
    Scenario(
        "torchrun-restarted",
        ("train.py", "restarted"),
        "none",
        "the first try fails, torchrun's second succeeds",
        ranks=2,
        options=("--max-restarts", "1"),
        ending="handled",
    ),
    torchrun(
        "lone_barrier",
        2,
        "timeout",
        "only rank 0 comes to a barrier, the other has left",
        also=PEERS,
        secondary=TORCHRUN,
    ),
    torchrun("monitored", 3, "timeout", "rank 1 does not come to a monitored barrier"),
    torchrun("no_memory", 2, "memory", "rank 1's address space is limited"),
    torchrun(
        "over_limit", 2, "killed", "rank 1 goes over its control group's memory", death=DEATH, cgroup=True
    ),
    torchrun(
        "long_job",
        2,
        "stopped",
        "torchrun gets SIGTERM from outside",
        name="terminated",
        terminate=True,
        also=("death signal, shutting down workers", "got signal: 15"),
        secondary=(),
        shown=(),
    ),
    torchrun("missing_peer", 1, "timeout", "rank 0 waits for a rank that never starts", secondary=TORCHRUN),
    Scenario(
        "nodes-empty-sample",
        ("python", "nodes.py", "train.py", "empty_sample"),
        "exception",
        "two nodes, rank 1 of four raises ValueError",
        shown=("rank",),
        secondary=(*TORCHRUN, *PEERS),
    ),
    Scenario(
        "nodes-killed",
        ("python", "nodes.py", "train.py", "killed"),
        "killed",
        "two nodes, rank 1 of four gets SIGKILL",
        shown=("rank",),
        death=DEATH,
        secondary=PEERS,
    ),
    Scenario(
        "python-port-taken",
        ("python", "train.py", "port_taken"),
        "exception",
        "the store's port is taken",
        environment={"MASTER_ADDR": "127.0.0.1", "RANK": "0", "WORLD_SIZE": "1"},
    ),
)

_CHILDREN = (
    python(
        "workers.py",
        "process_raises",
        "exception",
        "a multiprocessing child raises",
        secondary=("RuntimeError: data process exited",),
    ),
    python("workers.py", "process_killed", "killed", "a multiprocessing child gets SIGKILL"),
    python(
        "workers.py",
        "queue_empty",
        "exception",
        "a child raises, the parent waits in vain",
        secondary=("TimeoutError: no shard",),
    ),
    python("workers.py", "pool", "exception", "a worker of multiprocessing.Pool raises"),
    python("workers.py", "executor_raises", "exception", "a worker of ProcessPoolExecutor raises"),
    python(
        "workers.py",
        "executor_killed",
        "killed",
        "a worker of ProcessPoolExecutor gets SIGKILL",
        death=("BrokenProcessPool: A process in the process pool was terminated",),
    ),
    python("workers.py", "thread_pool", "exception", "a thread of ThreadPoolExecutor raises"),
    python("workers.py", "thread", "exception", "a thread raises, the program goes on"),
    python(
        "workers.py",
        "spawn_torch",
        "exception",
        "process 1 of torch.multiprocessing raises",
        secondary=("ProcessRaisedException",),
    ),
    python(
        "workers.py",
        "wrapper",
        "exception",
        "the child of a launcher script raises",
        secondary=("CalledProcessError",),
    ),
    python("workers.py", "loader_raises", "exception", "a DataLoader worker raises"),
    python(
        "workers.py",
        "loader_killed",
        "killed",
        "a DataLoader worker gets SIGKILL",
        shown=("pid",),
        death=("DataLoader worker (pid {pid}) is killed by signal",),
        secondary=("exited unexpectedly",),
    ),
    python(
        "workers.py",
        "loader_segfault",
        "signal",
        "a DataLoader worker gets SIGSEGV",
        shown=("pid",),
        death=("DataLoader worker (pid {pid}) is killed by signal", "Unexpected segmentation fault"),
        secondary=("exited unexpectedly",),
    ),
)

_ALONE = (
    python("single.py", "segfault", "signal", "SIGSEGV with faulthandler on"),
    python("single.py", "abort", "signal", "SIGABRT with faulthandler on"),
    python("single.py", "terminate", "signal", "std::terminate in C++ code"),
    python("single.py", "exception_group", "exception", "a task of a TaskGroup fails"),
    python(
        "single.py",
        "cause",
        "exception",
        "an exception with a cause",
        secondary=("RuntimeError: config.json of the model",),
    ),
    python(
        "single.py",
        "context",
        "exception",
        "cleaning up after an exception fails too",
        secondary=("JSONDecodeError",),
    ),
    python("single.py", "retried", "none", "two tries fail, the third succeeds", ending="handled"),
    python("single.py", "warned", "none", "a healthy run with warnings", ending="healthy"),
    python("single.py", "quoted", "none", "prints release notes that name errors", ending="healthy"),
    python("service.py", "healthy", "none", "a service with one unknown path", ending="healthy"),
    python("single.py", "logged", "exception", "an ERROR line without traceback"),
    python("single.py", "logged_exception", "exception", "a traceback through logging"),
    python("single.py", "disk_full", "exception", "no space left"),
    python("single.py", "no_memory", "memory", "address space limited, MemoryError"),
    python("single.py", "recursion", "exception", "endless recursion"),
    python("single.py", "missing_module", "exception", "a module is missing"),
    python("single.py", "plain_exit", "exception", "sys.exit with a text"),
    python("single.py", "note", "exception", "an exception with a note"),
    python("single.py", "forgotten_task", "exception", "a background task fails unseen"),
    Scenario(
        "shell-killed",
        ("bash", "-c", "python single.py killed; exit $?"),
        "killed",
        "bash reports the SIGKILL of its child",
    ),
    Scenario(
        "shell-make",
        ("bash", "-c", "make -s -f - <<'END'\nexport:\n\t@python single.py cause\nEND\n"),
        "exception",
        "make reports its recipe",
        secondary=("make: ***", "RuntimeError: config.json"),
    ),
    python(
        "service.py",
        "route",
        "exception",
        "a route raises, the server goes on",
        secondary=("Exception in ASGI application",),
    ),
    python(
        "service.py",
        "start",
        "exception",
        "the application's start raises",
        secondary=("Application startup failed",),
    ),
    python("service.py", "port", "exception", "the port is taken"),
)

# The message of libraries.normalize, as tools write it; its script tells nothing, they would show the line.
DIVISION = (": division by zero", "ZeroDivisionError('division by zero')")

_LIBRARIES = (
    python("libraries.py", "joblib_raises", "exception", "a worker of joblib raises", also=DIVISION),
    python(
        "libraries.py",
        "joblib_killed",
        "killed",
        "a worker of joblib gets SIGKILL",
        death=("TerminatedWorkerError: A worker process managed by the executor",),
    ),
    python("libraries.py", "dask_raises", "exception", "a task of a Dask cluster raises", also=DIVISION),
    python("libraries.py", "loguru", "exception", "a traceback in loguru's drawing", also=DIVISION),
    python("libraries.py", "rich", "exception", "a traceback in rich's box", also=DIVISION),
    python("libraries.py", "ipython", "exception", "a traceback of IPython, with colours", also=DIVISION),
    pytest("fails", "test_rows", "exception", "a test raises", also=DIVISION),
    pytest("passes", "test_warnings", "none", "a test passes with a warning", ending="healthy"),
    gunicorn(
        "import",
        "exception",
        "the application cannot be imported",
        secondary=("exited with code 3", "Worker failed to boot"),
    ),
    gunicorn("killed", "killed", "a worker of gunicorn gets SIGKILL in a request"),
)

SCENARIOS: tuple[Scenario, ...] = (*_RANKS, *_CHILDREN, *_ALONE, *_LIBRARIES)
