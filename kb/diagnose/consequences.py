"""Which events are consequences: wrappers, peers of a dead rank, teardown noise, advice.

Each row is a template with the reason why such an event never wins while an initiating error is in the paste.
A wrapper that carries the cause in its own text still matches the cause's entry: the row only says that an
earlier raise of the same thing is the better line.
"""

from __future__ import annotations

import re
from functools import cache

from kb.diagnose import template
from kb.diagnose.report import Because, Event

WRAPPER: Because = "wrapper"
PEER: Because = "peer"
TEARDOWN: Because = "teardown"
ADVICE: Because = "advice"

ROWS: tuple[tuple[Because, str], ...] = (
    # vLLM: the front process reports that a core or worker process is gone.
    (WRAPPER, "Engine core initialization failed. See root cause above"),
    (WRAPPER, "Engine process failed to start"),
    (WRAPPER, "WorkerProc initialization failed due to an exception in a background process"),
    (WRAPPER, "WorkerProc hit an exception"),
    (WRAPPER, "Worker failed with error {_} please check the stack trace above"),
    (WRAPPER, "Call to {_:word} method failed"),
    (WRAPPER, "EngineCore encountered an issue. See stack trace (above) for the root cause"),
    (WRAPPER, "EngineCore encountered a fatal error"),
    (WRAPPER, "EngineCore failed to start"),
    (WRAPPER, "Background loop has errored already"),
    (WRAPPER, "Application startup failed"),
    (WRAPPER, "Exception in ASGI application"),
    # SGLang: the parent reports a dead child.
    (WRAPPER, "Received sigquit from a child process"),
    (WRAPPER, "Child process unexpectedly failed"),
    (WRAPPER, "Initialization failed. Please see the error messages above"),
    (WRAPPER, r"\[Proxy thread error]"),  # NCCL up to 2.3: a helper thread passes on what a socket said
    # torchrun, accelerate, deepspeed, multiprocessing, srun and mpirun report a failed child.
    (WRAPPER, "failed (exitcode: {_}) local_rank: {_}"),
    (WRAPPER, "Root Cause (first observed failure)"),
    (WRAPPER, "returned non-zero exit status"),
    (WRAPPER, "exits with return code"),
    (WRAPPER, "terminated with the following error"),
    (WRAPPER, "DataLoader worker (pid {_}) is killed by signal"),
    (WRAPPER, "DataLoader worker (pid(s) {_}) exited unexpectedly"),
    (WRAPPER, "Please check the logs for more details"),
    (WRAPPER, "Error building extension"),
    (WRAPPER, "Error compiling objects for extension"),
    (WRAPPER, "Ninja build failed"),
    (WRAPPER, "error: subprocess-exited-with-error"),
    (WRAPPER, "did not run successfully"),
    (WRAPPER, "did not complete successfully: exit code"),
    (WRAPPER, "Failed building wheel for"),
    (WRAPPER, "ninja: build stopped: subcommand failed"),
    (WRAPPER, "A process in the process pool was terminated abruptly"),
    (WRAPPER, "task {_}: Exited with exit code"),
    (WRAPPER, "task {_}: Aborted"),
    (WRAPPER, "Primary job terminated normally, but {_} process returned"),
    (WRAPPER, "mpirun detected that one or more processes exited with non-zero status"),
    (WRAPPER, "backend={_} raised:"),
    (WRAPPER, "terminate called after throwing an instance of"),
    (WRAPPER, "NCCL watchdog thread terminated with exception"),
    (WRAPPER, "Process group watchdog thread terminated with exception"),
    # Ranks that wait for, or lost, another rank.
    (PEER, "Watchdog caught collective operation timeout"),
    (PEER, "Timeout at NCCL work"),
    (PEER, "Exception (either an error or timeout) detected by watchdog"),
    (PEER, "failure detected by watchdog at work sequence id"),
    (PEER, "Received a dump signal due to a collective timeout"),
    (PEER, "timed out in blocking wait"),
    (PEER, "Timed out waiting {_} for {_} operation to complete"),
    (PEER, "Some NCCL operations have failed or timed out"),
    (PEER, "NCCL communicator was aborted on rank"),
    (PEER, "store->get({_}) got error"),
    (PEER, "recvValue failed on SocketImpl"),
    (PEER, "sendBytes failed on SocketImpl"),
    (PEER, "recvVector failed on SocketImpl"),
    (PEER, "Failed to check the 'should dump' flag on TCPStore"),
    (PEER, "failed to recv, got 0 bytes"),
    (PEER, "Connection reset by peer"),
    (PEER, "Connection closed by"),
    (PEER, "Broken pipe"),
    (PEER, "ncclRemoteError"),
    (PEER, "remote process exited or there was a network error"),
    (PEER, "successfully reached monitoredBarrier, but received errors"),
    (PEER, "Horovod has been shut down"),
    (PEER, "Engine iteration timed out"),  # vLLM's server waited for a worker
    (PEER, "Socket Timeout"),
    # What a process says while it is taken down.
    (TEARDOWN, "To avoid data inconsistency, we are taking the entire process down"),
    (TEARDOWN, "Sending process {_} closing signal"),
    (TEARDOWN, "got signal: 15"),
    (TEARDOWN, "got signal: 2"),
    (TEARDOWN, "Received {_:word} death signal"),
    (TEARDOWN, "destroy_process_group() was not called"),
    (TEARDOWN, "process group has NOT been destroyed before we destruct"),
    (TEARDOWN, "resource_tracker: There appear to be"),
    (TEARDOWN, "leaked semaphore objects"),
    (TEARDOWN, "leaked shared_memory objects"),
    (TEARDOWN, "Exception ignored in"),
    (TEARDOWN, "Abort COMPLETE"),
    (TEARDOWN, "Per user-direction, the job has been aborted"),
    (TEARDOWN, "STEP {_} CANCELLED AT"),
    (TEARDOWN, "Force Terminated"),
    # Advice is not an error.
    (ADVICE, "For debugging consider passing CUDA_LAUNCH_BLOCKING"),
    (ADVICE, "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions"),
    (ADVICE, "Set OMP_NUM_THREADS"),
    (ADVICE, "Run with NCCL_DEBUG=INFO for details"),
    # TensorFlow says this at level ERROR whenever it starts beside PyTorch.
    (ADVICE, "Unable to register {_:word} factory: Attempting to register factory for plugin"),
)

# Classes that only ever wrap. The name alone decides, with or without its module.
CLASSES: dict[str, Because] = {
    "ChildFailedError": WRAPPER,
    "EngineDeadError": WRAPPER,
    "AsyncEngineDeadError": WRAPPER,
    "MQEngineDeadError": WRAPPER,
    "ProcessRaisedException": WRAPPER,
    "ProcessExitedException": WRAPPER,
    "CalledProcessError": WRAPPER,
    "BrokenProcessPool": WRAPPER,
    "RayTaskError": WRAPPER,
    "RayActorError": WRAPPER,
    "ActorDiedError": WRAPPER,
    "SubprocessException": WRAPPER,
    "SignalException": TEARDOWN,
    "KeyboardInterrupt": TEARDOWN,
    "SystemExit": TEARDOWN,
    "ncclRemoteError": PEER,
}


@cache
def rows() -> dict[str, list[tuple[Because, template.Template]]]:
    """The templates of the table by an anchor word of each."""
    table: dict[str, list[tuple[Because, template.Template]]] = {}
    for because, source in ROWS:
        parsed = template.parse(source)
        for word in template.anchors(parsed):
            table.setdefault(word, []).append((because, parsed))
    return table


# Slurm says why it ended a job itself: `*** STEP 207.0 ON n4 CANCELLED AT ... DUE TO TIME LIMIT ***`. A step
# that is cancelled without a reason follows from something else.
SLURM_ENDED = re.compile(r"CANCELLED AT .{0,60} DUE TO \w")


def headline(event: Event) -> str:
    """The line of an event's message that names it: the first, or the one below a heading."""
    text = event.passage.text
    start = next((spot.offset for spot in event.passage.spots if spot.at == event.at), 0)
    return text[start:].lstrip().partition("\n")[0]


def is_closed_pipe(event: Event) -> bool:
    """Whether an event only says that the process at the other end of a pipe is gone.

    Python raises a bare EOFError in `multiprocessing/connection.py` then.
    """
    where = event.frames[-1].path.replace("\\", "/") if event.frames else ""
    return event.type == "EOFError" and where.endswith("multiprocessing/connection.py")


def because(event: Event) -> Because | None:
    """Why an event is a consequence, or None when it may have started a failure."""
    if event.type is not None and event.on in ("message", "source"):
        reason = CLASSES.get(event.type.rpartition(".")[2])
        if reason is not None:
            return reason
    if is_closed_pipe(event):
        return WRAPPER
    if event.on == "fact" or not event.passage.text or SLURM_ENDED.search(event.passage.text[:400]):
        return None
    # Only the line that names it says what an event is: CUDA errors end with "For debugging consider ...".
    text = headline(event)[:4000]
    table = rows()
    near = [row for word in template.words(text) if word in table for row in table[word]]
    if not near:
        return None
    prepared = template.prepare(text)
    found = {reason for reason, parsed in near if template.find(parsed, prepared) is not None}
    # A wrapper that repeats a peer's words (`watchdog thread terminated with exception: [Rank 0] Watchdog
    # caught ...`) says no more than the peer.
    return next((reason for reason in (ADVICE, TEARDOWN, PEER, WRAPPER) if reason in found), None)
