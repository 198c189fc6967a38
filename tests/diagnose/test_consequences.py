"""Each row of the table of consequences by a line that programs really print; no row without one."""

import pytest

from kb.diagnose import template
from kb.diagnose.clean import clean
from kb.diagnose.consequences import CLASSES, ROWS, because
from kb.diagnose.read.logs import line_event
from kb.diagnose.report import Because, Event, Frame, Passage

LINES: dict[Because, list[str]] = {
    "wrapper": [
        "Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore_DP0': 1}",
        "Engine process failed to start. See stack trace for the root cause.",
        "WorkerProc initialization failed due to an exception in a background process. See stack trace.",
        "WorkerProc hit an exception.",
        "Worker failed with error 'boom', please check the stack trace above for the root cause",
        "Call to add_lora method failed: no adapter",
        "EngineCore encountered an issue. See stack trace (above) for the root cause.",
        "EngineCore encountered a fatal error.",
        "EngineCore failed to start.",
        "Background loop has errored already.",
        "Application startup failed. Exiting.",
        "Exception in ASGI application",
        "Received sigquit from a child process. It usually means the child failed.",
        "Child process unexpectedly failed with exitcode=9. pid=77",
        "Initialization failed. Please see the error messages above.",
        "node-3:15:91 [3] transport.cu:153 NCCL WARN transport.cu:153 -> 2 [Proxy thread error]",
        "failed (exitcode: 1) local_rank: 3 (pid: 4711) of binary: /usr/bin/python",
        "Root Cause (first observed failure):",
        "Command '['python', 'train.py']' returned non-zero exit status 1.",
        "[launch.py:321:sigkill_handler] ['python', 'train.py'] exits with return code = 1",
        "-- Process 1 terminated with the following error:",
        "DataLoader worker (pid 10755) is killed by signal: Killed.",
        "DataLoader worker (pid(s) 466) exited unexpectedly",
        "Model architectures ['A'] failed to be inspected. Please check the logs for more details.",
        "A process in the process pool was terminated abruptly while the future was running or pending.",
        "srun: error: gpu-1: task 3: Exited with exit code 1",
        "srun: error: gpu-1: task 0: Aborted (core dumped)",
        "Primary job  terminated normally, but 1 process returned",
        "mpirun detected that one or more processes exited with non-zero status, thus causing",
        "backend='inductor' raised:",
        "terminate called after throwing an instance of 'c10::DistBackendError'",
        "[Rank 1] NCCL watchdog thread terminated with exception: CUDA error: an illegal access",
        "[PG 0 Rank 1] Process group watchdog thread terminated with exception: CUDA error",
        "Error building extension 'fused_k'",
        "Error compiling objects for extension",
        "Ninja build failed. Ninja output:",
        "error: subprocess-exited-with-error",
        "× Building wheel for fastk (pyproject.toml) did not run successfully.",
        "ERROR: Failed building wheel for fastk",
        'ERROR: process "/bin/sh -c pip install x" did not complete successfully: exit code: 1',
        "ninja: build stopped: subcommand failed.",
    ],
    "peer": [
        "[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3) ran for 9 ms",
        "[PG 1 Rank 0] Timeout at NCCL work: 3, last enqueued NCCL work: 4, last completed NCCL work: 2.",
        "[PG 1 Rank 0] Exception (either an error or timeout) detected by watchdog at work: 3",
        "[PG ID 0 Rank 3]  failure detected by watchdog at work sequence id: 42 PG status",
        "[PG 0 Rank 2] Received a dump signal due to a collective timeout from rank 1",
        "[Rank 1] Work WorkNCCL(SeqNum=3, OpType=ALLREDUCE) timed out in blocking wait.",
        "Timed out waiting 600000ms for send operation to complete",
        "[Rank 7] Some NCCL operations have failed or timed out. Due to the asynchronous nature of",
        "NCCL communicator was aborted on rank 3. Original reason for failure was: a timeout",
        "[1] is setting up NCCL communicator but store->get('0') got error: wait timeout after 600000ms",
        "[c10d] recvValue failed on SocketImpl(fd=6, addr=[node0]:1, remote=[node1]:2): closed",
        "[c10d] sendBytes failed on SocketImpl(fd=6, addr=[node0]:1, remote=[node1]:2): closed",
        "[c10d] recvVector failed on SocketImpl(fd=6, addr=[node0]:1, remote=[node1]:2): closed",
        'Failed to check the "should dump" flag on TCPStore, (maybe TCPStore server has shut down too early)',
        "failed to recv, got 0 bytes",
        "[Errno 104] Connection reset by peer",
        "[gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.2]:4711",
        "[Errno 32] Broken pipe",
        "ncclRemoteError: A call failed possibly due to a network error.",
        "NCCL error: remote process exited or there was a network error, NCCL version 2.21.5",
        "Rank 3 successfully reached monitoredBarrier, but received errors while waiting",
        "Horovod has been shut down. This was caused by an exception on one of the ranks",
        "Socket Timeout",
        "Engine iteration timed out. This should never happen!",
    ],
    "teardown": [
        "[Rank 7] To avoid data inconsistency, we are taking the entire process down.",
        "Sending process 4711 closing signal SIGTERM",
        "Process 4711 got signal: 15",
        "Process 4711 got signal: 2",
        "Received 15 death signal, shutting down workers",
        "Warning: WARNING: destroy_process_group() was not called before program exit",
        "WARNING: process group has NOT been destroyed before we destruct ProcessGroupNCCL.",
        "resource_tracker: There appear to be 1 objects to clean up at shutdown",
        "There appear to be 4 leaked semaphore objects to clean up at shutdown",
        "There appear to be 1 leaked shared_memory objects to clean up at shutdown",
        "Exception ignored in: <function Engine.__del__ at 0x7f00>",
        "comm 0xb4a17c0 rank 7 nranks 16 cudaDev 7 busId e0000 - Abort COMPLETE",
        "a non-zero exit code. Per user-direction, the job has been aborted.",
        "slurmstepd: error: *** STEP 4711.0 ON gpu-1 CANCELLED AT 2026-01-02T03:04:05 ***",
        "srun: Force Terminated StepId=4711.0",
    ],
    "advice": [
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1.",
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
        "Set OMP_NUM_THREADS for each process to 1 by default to avoid overload",
        "ncclInternalError. Run with NCCL_DEBUG=INFO for details",
        "Unable to register cuDNN factory: Attempting to register factory for plugin cuDNN when one is there",
    ],
}
ALL = [(reason, text) for reason, texts in LINES.items() for text in texts]


def event_of(text: str) -> Event:
    return line_event(clean(f"x\n{text}\n"), [1], "error")


@pytest.mark.parametrize(("reason", "text"), ALL)
def test_a_line_is_known_for_what_it_is(reason: Because, text: str) -> None:
    assert because(event_of(text)) == reason


@pytest.mark.parametrize(("reason", "source"), ROWS)
def test_every_row_has_a_line_of_its_own(reason: Because, source: str) -> None:
    """Some line is known by this row and by no other row of its reason: without the row it would be lost."""
    rows = [template.parse(other) for other_reason, other in ROWS if other_reason == reason]
    own = template.parse(source)
    lines = [template.prepare(event_of(text).passage.text) for text in LINES[reason]]
    found = [line for line in lines if template.find(own, line) is not None]
    assert found
    assert (
        any(sum(template.find(row, line) is not None for row in rows) == 1 for line in found)
        or len(found) == 1
    )


@pytest.mark.parametrize(("name", "reason"), CLASSES.items())
def test_a_class_that_only_wraps_is_known_with_and_without_its_module(name: str, reason: Because) -> None:
    for type_ in (name, f"some.module.{name}"):
        event = Event(on="message", passage=Passage("some words", ()), at=0, type=type_)
        assert because(event) == reason


@pytest.mark.parametrize(
    "text",
    [
        "CUDA error: an illegal memory access\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1.",
        "No adapter 'a' on the engine",
        "",
    ],
)
def test_an_error_of_its_own_is_no_consequence(text: str) -> None:
    assert because(Event(on="message", passage=Passage(text, ()), at=0, type="RuntimeError")) is None


def test_a_pipe_whose_other_end_is_gone_wraps_what_ended_it() -> None:
    def failed(path: str) -> Event:
        return Event("message", Passage("", ()), 0, "EOFError", frames=(Frame(path, 399, "_recv", None, 0),))

    assert because(failed("/usr/lib/python3.12/multiprocessing/connection.py")) == "wrapper"
    assert because(failed("C:\\Python\\Lib\\multiprocessing\\connection.py")) == "wrapper"
    assert because(failed("/srv/app/read_pickle.py")) is None
