"""A small training job under torchrun with gloo that fails in the way its argument names."""

from __future__ import annotations

import faulthandler
import os
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch  # type: ignore[import-not-found]
import torch.distributed as dist  # type: ignore[import-not-found]
from torch.distributed.elastic.multiprocessing.errors import record  # type: ignore[import-not-found]

from bench.lab.scripts.told import told

RANK = int(os.environ.get("RANK", "0"))
WORLD = int(os.environ.get("WORLD_SIZE", "1"))
STEPS = 4


def say(text: str) -> None:
    print(text, flush=True)


def step(number: int, size: int = 8) -> None:
    """One step: gradients are summed over all ranks."""
    gradient = torch.full((size,), float(RANK))
    dist.all_reduce(gradient)
    if RANK == 0:
        say(f"step {number} loss {2.5 / (number + 1):.4f} grad_norm {gradient.norm().item():.3f} lr 2.0e-05")


def train(steps: int = STEPS) -> None:
    for number in range(steps):
        step(number)


def collate(samples: list[list[int]]) -> list[list[int]]:
    longest = max(len(sample) for sample in samples)
    for place, sample in enumerate(samples):
        if not sample:
            raise ValueError(f"sample {place} of the batch has no tokens (longest has {longest})")
    return [sample + [0] * (longest - len(sample)) for sample in samples]


# ---- one rank fails --------------------------------------------------------------------------


def healthy() -> None:
    train(2)
    warnings.warn("`use_reentrant` should be passed explicitly", UserWarning, stacklevel=1)
    train(2)
    say(f"rank {RANK} done")


def killed() -> None:
    train(2)
    if RANK == 1:
        told(None, rank=RANK, local_rank=os.environ["LOCAL_RANK"])
        os.kill(os.getpid(), signal.SIGKILL)
    train()


def segfault() -> None:
    faulthandler.enable()
    train(2)
    if RANK == 1:
        told("Fatal Python error: Segmentation fault", rank=RANK, local_rank=RANK)
        os.kill(os.getpid(), signal.SIGSEGV)
    train()


def empty_sample() -> None:
    train(2)
    if RANK == 1:
        told("ValueError: sample 2 of the batch has no tokens", rank=RANK)
        collate([[5, 9, 3], [4, 4], [], [8]])
    train()


def missing_column() -> None:
    train(1)
    if RANK == 0:
        row = {"prompt": "a", "answer": "b"}
        told("KeyError: 'completion'", rank=RANK)
        say(row["completion"])
    train()


def bare_assert() -> None:
    train(1)
    if RANK == 1:
        tokens, limit = 4096, 2048
        told("assert tokens <= limit", rank=RANK)
        assert tokens <= limit
    train()


def every_rank() -> None:
    """All ranks miss the same file: any of them is the first."""
    told("FileNotFoundError: [Errno 2] No such file or directory: '/data/ckpt/step-500/model.pt'", rank=RANK)
    torch.load("/data/ckpt/step-500/model.pt", weights_only=True)


def peer_first() -> None:
    """The failing rank leaves the group first and reports later: its peer's consequence is written before."""
    train(2)
    if RANK == 1:
        told("OverflowError: loss scale fell below 2**-14", rank=RANK)
        signal.signal(signal.SIGTERM, lambda *_: say("rank 1: SIGTERM while saving, going on"))
        try:
            raise OverflowError("loss scale fell below 2**-14 in step 2")
        finally:
            dist.destroy_process_group()
            time.sleep(2)
    train()


def peer_only() -> None:
    """As before, but the failing rank is ended before it can report: only the consequence is written."""
    train(2)
    if RANK == 1:
        told(None, rank=RANK)
        dist.destroy_process_group()
        time.sleep(30)
    told("RuntimeError: ", rank=RANK)
    train()


def wrapped() -> None:
    """The cause is in the chain: the rank's last error only says where it happened."""
    train(1)
    if RANK == 1:
        told("ZeroDivisionError: integer division or modulo by zero", rank=RANK)
        try:
            per_device = 256 // len([rank for rank in range(WORLD) if rank >= WORLD])
        except ZeroDivisionError as error:
            raise RuntimeError("could not set up gradient accumulation") from error
        say(str(per_device))
    train()


# ---- ranks that do not meet ------------------------------------------------------------------


def straggler() -> None:
    """One rank is busy for longer than the others wait."""
    train(2)
    if RANK == 2:
        told(None, rank=RANK)
        time.sleep(6)
    told("Timed out waiting", rank=RANK) if RANK != 2 else None
    train()


def mismatch() -> None:
    """One rank takes another branch: a different collective in the same place."""
    train(2)
    values = torch.ones(4)
    if RANK == 2:
        told(None, rank=RANK)
        dist.broadcast(values, src=0)
    else:
        told("Detected mismatch between collectives on ranks", rank=RANK)
        dist.all_reduce(values)
    train()


def shapes() -> None:
    """Tensors of different sizes in one collective."""
    train(2)
    told(None, rank=RANK) if RANK == 1 else told("op.preamble.length <= op.nbytes", rank=RANK)
    step(2, size=16 if RANK == 1 else 8)
    train()


def restarted() -> None:
    """The first try of the job fails on rank 1, torchrun starts it again, and it succeeds."""
    say(f"rank {RANK}: reading features, try {os.environ['TORCHELASTIC_RESTART_COUNT']}")
    time.sleep(0.3 * RANK)
    if RANK == 1 and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
        raise ConnectionError("lost the connection to the feature store")
    time.sleep(0.5)
    say(f"rank {RANK}: 4096 features written, done")


def lone_barrier() -> None:
    """Only rank 0 saves and waits; the others are done and leave."""
    train(2)
    if RANK == 0:
        say("saving checkpoint to /data/ckpt/step-2")
        told("RuntimeError: ", rank=RANK)
        dist.barrier()


def monitored() -> None:
    """A rank that does not come to a barrier which names the missing."""
    train(2)
    if RANK == 1:
        told(None, rank=RANK)
        time.sleep(8)
    else:
        told("Rank 1 failed to pass monitoredBarrier", rank=RANK) if RANK == 0 else None
    dist.monitored_barrier(timeout=timedelta(seconds=3))


# ---- memory, start and end -------------------------------------------------------------------


def no_memory() -> None:
    """The address space of rank 1 is limited: the allocator refuses."""
    train(1)
    if RANK == 1:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, used + 2**28))
        told("DefaultCPUAllocator: can't allocate memory", rank=RANK)
        torch.zeros(2**29)
    train()


def over_limit() -> None:
    """Rank 1 goes over the limit of its control group: the kernel kills it."""
    group = Path(os.environ["LAB_CGROUP"])
    train(1)
    if RANK == 1:
        (group / "memory.limit_in_bytes").write_text("500M")
        (group / "cgroup.procs").write_text(str(os.getpid()))
        told(None, rank=RANK, local_rank=RANK)
        torch.ones(2**28)
    train()


def long_job() -> None:
    """Goes on until somebody outside ends it."""
    for number in range(400):
        step(number)
        if number == 3 and RANK == 0:
            Path(os.environ["LAB_READY"]).touch()
        time.sleep(0.2)


def missing_peer() -> None:
    """Rank 1 never starts: rank 0 waits for it in vain."""
    told("DistStoreError: wait timeout", rank=RANK)
    dist.init_process_group("gloo", rank=0, world_size=2, timeout=timedelta(seconds=3))


def port_taken() -> None:
    """Another job holds the port of the store."""
    holder = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    os.environ["MASTER_PORT"] = str(holder.port)
    told("EADDRINUSE", rank=RANK)
    dist.init_process_group("gloo", rank=0, world_size=1, timeout=timedelta(seconds=3))


ALONE = {
    "missing_peer",
    "port_taken",
    "every_rank",
    "restarted",
}  # these start no group, or fail while starting it
TIMEOUTS = {"straggler": 3, "mismatch": 3, "shapes": 6, "lone_barrier": 6}  # seconds


def main(mode: str) -> None:
    work: Callable[[], Any] = globals()[mode]
    if mode not in ALONE:
        dist.init_process_group("gloo", timeout=timedelta(seconds=TIMEOUTS.get(mode, 20)))
        if RANK == 0:
            say(f"world size {WORLD}, backend {dist.get_backend()}")
    work()
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    torch.set_num_threads(1)
    if len(sys.argv) > 2:  # with torch's decorator the rank's traceback goes into its error file
        record(main)(sys.argv[1])
    else:
        main(sys.argv[1])
