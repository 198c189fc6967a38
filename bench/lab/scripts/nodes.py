"""Start torchrun on two invented nodes and write both outputs as pdsh does: the node before each line."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from typing import IO


def copy(node: str, stream: IO[str]) -> None:
    for line in stream:
        sys.stdout.write(f"{node}: {line}")
        sys.stdout.flush()


def main(script: str, mode: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    jobs = []
    for number in range(2):
        command = [sys.executable, "-m", "torch.distributed.run", "--nnodes", "2", "--nproc-per-node", "2"]
        command += ["--node-rank", str(number), "--master-addr", "127.0.0.1", "--master-port", str(port)]
        environment = {**os.environ, "GLOO_SOCKET_IFNAME": "lo"}
        job = subprocess.Popen(
            [*command, script, mode],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )
        assert job.stdout is not None
        thread = threading.Thread(target=copy, args=(f"node{number}", job.stdout))
        thread.start()
        jobs.append((job, thread))
    for job, thread in jobs:
        thread.join()
        job.wait()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
