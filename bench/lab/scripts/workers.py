"""Work handed to other processes that fails in the way its argument names."""

from __future__ import annotations

import multiprocessing as mp
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

from bench.lab.scripts.told import told


def tokenize(number: int) -> int:
    """A small piece of work; document 6 cannot be read."""
    if number == 6:
        told("UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 3", pid=os.getpid())
        bytes([97, 98, 99, 255]).decode("utf-8")
    return number * number


def die(number: int) -> int:
    if number == 3:
        told(None, pid=os.getpid())
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    return number


def feed(shards: Any) -> None:
    """A child's main function: the third shard is broken."""
    for number in range(5):
        if number == 2:
            told("OSError: shard-00002.tar ends after 1048576 of 4194304 bytes", pid=os.getpid())
            raise OSError("shard-00002.tar ends after 1048576 of 4194304 bytes")
        shards.put(number)


def process_raises() -> None:
    shards: Any = mp.Queue()
    child = mp.Process(target=feed, args=(shards,))
    child.start()
    child.join()
    if child.exitcode:
        raise RuntimeError(f"data process exited with code {child.exitcode}")


def process_killed() -> None:
    """The parent learns of the death from the exit code alone."""
    child = mp.Process(target=die, args=(3,), name="loader-0")
    child.start()
    child.join()
    if child.exitcode:
        told(f"RuntimeError: data process {child.name} died with exit code -9")
        raise RuntimeError(f"data process {child.name} died with exit code {child.exitcode}")


def queue_empty() -> None:
    """The parent waits for a child that is gone: Empty says nothing, the child's error everything."""
    shards: Any = mp.Queue()
    mp.Process(target=feed, args=(shards,)).start()
    for _ in range(5):
        try:
            print("shard", shards.get(timeout=3))
        except queue.Empty:
            raise TimeoutError("no shard within 3 seconds") from None


def pool() -> None:
    with mp.Pool(2) as workers:
        print(sum(workers.map(tokenize, range(12), chunksize=1)))


def executor_raises() -> None:
    with ProcessPoolExecutor(2) as workers:
        print(sum(workers.map(tokenize, range(12))))


def executor_killed() -> None:
    with ProcessPoolExecutor(2) as workers:
        print(sum(workers.map(die, range(12))))


def thread_pool() -> None:
    with ThreadPoolExecutor(2) as workers:
        print(sum(workers.map(tokenize, range(12))))


def thread() -> None:
    """A thread fails and the program goes on without it."""
    worker = threading.Thread(target=tokenize, args=(6,), name="prefetch")
    worker.start()
    worker.join()
    print("prefetch thread is gone, reading shards in the main thread")
    print("read 12 documents")


def spawn_torch() -> None:
    import torch.multiprocessing as tmp  # type: ignore[import-not-found]  # noqa: PLC0415

    tmp.start_processes(spawned, nprocs=2, start_method="fork")


def spawned(rank: int) -> None:
    if rank == 1:
        told("IndexError: list index out of range", rank=rank)
        print(["cpu"][rank])
    time.sleep(5)


def wrapper() -> None:
    """A launcher script whose child fails."""
    command = [sys.executable, "-c", "import json\njson.loads('{\"lr\": 1e-4,}')"]
    told("json.decoder.JSONDecodeError: ", pid=None)
    subprocess.run(command, check=True)


# ---- DataLoader ------------------------------------------------------------------------------


class Documents:
    """A dataset whose item 6 fails or kills its worker."""

    def __init__(self, item: Callable[[int], int]) -> None:
        self.item = item

    def __len__(self) -> int:
        return 12

    def __getitem__(self, number: int) -> int:
        return self.item(number)


def load(item: Callable[[int], int]) -> None:
    from torch.utils.data import DataLoader  # type: ignore[import-not-found]  # noqa: PLC0415

    for batch in DataLoader(Documents(item), batch_size=2, num_workers=2):
        print("batch", batch.tolist())


def loader_raises() -> None:
    load(tokenize)


def loader_killed() -> None:
    load(die)


def loader_segfault() -> None:
    load(fault)


def fault(number: int) -> int:
    if number == 4:
        told(None, pid=os.getpid())
        os.kill(os.getpid(), signal.SIGSEGV)
    return number


if __name__ == "__main__":
    globals()[sys.argv[1]]()
