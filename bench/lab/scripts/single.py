"""Programs of one process that fail, or do not, in the way their argument names."""

from __future__ import annotations

import asyncio
import ctypes
import faulthandler
import json
import logging
import os
import resource
import signal
import sys
import time
import warnings
from pathlib import Path

from bench.lab.scripts.told import told

log = logging.getLogger("exporter")


def segfault() -> None:
    faulthandler.enable()
    print("loading extension", flush=True)
    told("Fatal Python error: Segmentation fault")
    ctypes.string_at(0)


def abort() -> None:
    faulthandler.enable()
    print("loading extension", flush=True)
    told("Fatal Python error: Aborted")
    os.abort()


def terminate() -> None:
    """C++ code ends the process."""
    print("warming up", flush=True)
    told("terminate called without an active exception")
    ctypes.CDLL("libstdc++.so.6")["_ZSt9terminatev"]()


async def fetch(shard: int) -> int:
    await asyncio.sleep(0.01 * shard)
    if shard == 2:
        told("ConnectionRefusedError: [Errno 111] Connect call failed")
        await asyncio.open_connection("127.0.0.1", 1)
    await asyncio.sleep(1)
    return shard


async def gather() -> None:
    async with asyncio.TaskGroup() as group:
        for shard in range(4):
            group.create_task(fetch(shard))


def exception_group() -> None:
    asyncio.run(gather())


def read_config() -> dict[str, int]:
    return dict(json.loads('{"hidden_size": 4096, "num_heads"'))


def cause() -> None:
    told("json.decoder.JSONDecodeError: Expecting ':' delimiter")
    try:
        read_config()
    except ValueError as error:
        raise RuntimeError("config.json of the model cannot be read") from error


def context() -> None:
    """While the first error is handled, cleaning up fails too; the second one ends the program."""
    told("AttributeError: 'NoneType' object has no attribute 'close'")
    writer = None
    try:
        read_config()
    except ValueError:
        writer.close()  # type: ignore[attr-defined]


def retried() -> None:
    """The first two tries fail, the third succeeds."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
    for attempt in range(3):
        try:
            if attempt < 2:
                raise ConnectionError("connection to registry.internal:443 was closed")
            log.info("downloaded model-00001-of-00004.safetensors")
            break
        except ConnectionError as error:
            log.warning("download failed (%s), retrying in 1s (attempt %d of 5)", error, attempt + 1)
    log.info("export finished, 4 files")


def warned() -> None:
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
    log.info("exporter 1.4.2 --error-budget 0 --fail-fast False")
    log.warning("tokenizer has no pad token, using the end token instead")
    warnings.warn("`max_length` is ignored when `padding`=True", UserWarning, stacklevel=1)
    log.info("0 errors, 12 shards, no failed requests")


def quoted() -> None:
    """Prints release notes that name errors."""
    print("exporter 1.4.2")
    print("Fixed in this release:")
    print("  * RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (when exporting 70B models)")
    print('  * "ValueError: LoRA rank 64 is greater than max_lora_rank 16." is now raised before loading')
    print("See docs/errors.md for what to do about an AssertionError in the tokenizer.")
    print("export finished, 4 files")


def logged() -> None:
    """The error is only in the log; the program ends with a code."""
    logging.basicConfig(format="%(asctime)s - %(name)s - %(levelname)s - %(message)s", level=logging.INFO)
    log.info("reading 12 shards")
    told("shard 7 has 4096 tokens but the index says 8192")
    log.error("shard 7 has 4096 tokens but the index says 8192")
    log.info("closing files")
    sys.exit(3)


def logged_exception() -> None:
    """The traceback goes through logging, and a summary follows."""
    logging.basicConfig(format="%(asctime)s [%(levelname)s] %(name)s: %(message)s", level=logging.INFO)
    log.info("exporting layer 0")
    told("TypeError: unsupported operand type(s) for /: 'str' and 'int'")
    try:
        print("4096" / 32)  # type: ignore[operator]
    except TypeError:
        log.exception("export of layer 0 failed")
    log.info("wrote 0 of 32 layers")
    sys.exit(1)


def disk_full() -> None:
    told("OSError: [Errno 28] No space left on device")
    with Path("/dev/full").open("w") as file:
        file.write("x" * 100_000)


def no_memory() -> None:
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 2**26, used + 2**26))
    told("MemoryError")
    bytearray(2**30)


def recursion() -> None:
    def walk(depth: int) -> int:
        return walk(depth + 1)

    told("RecursionError: maximum recursion depth exceeded")
    walk(0)


def missing_module() -> None:
    told("ModuleNotFoundError: No module named 'flash_attn_interface'")
    import flash_attn_interface  # type: ignore[import-not-found]  # noqa: F401, PLC0415


def plain_exit() -> None:
    told("error: --tensor-parallel-size 3 does not divide 32 attention heads")
    sys.exit("error: --tensor-parallel-size 3 does not divide 32 attention heads")


def note() -> None:
    told("LookupError: layer 'model.layers.31.mlp' is not in the checkpoint")
    error = LookupError("layer 'model.layers.31.mlp' is not in the checkpoint")
    error.add_note("while loading shard 3 of 4")
    raise error


def forgotten_task() -> None:
    """A background task fails and nobody asks for its result; the program ends well."""

    async def publish() -> None:
        told("PermissionError: [Errno 13] Permission denied: '/models/export'")
        raise PermissionError(13, "Permission denied", "/models/export")

    async def main() -> None:
        task = asyncio.create_task(publish())
        await asyncio.sleep(0.05)
        del task
        print("export finished", flush=True)

    asyncio.run(main())


def killed() -> None:
    """The shell says it: the program itself has no last word."""
    print("loading 4 shards", flush=True)
    told("Killed", pid=os.getpid())
    os.kill(os.getpid(), signal.SIGKILL)


def interrupted() -> None:
    print("step 0", flush=True)
    signal.alarm(1)
    signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    told("KeyboardInterrupt")
    time.sleep(5)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
