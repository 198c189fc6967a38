"""Failures as libraries show them: their workers, their boxes, their loggers."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

from bench.lab.scripts.told import told


def normalize(number: int) -> float:
    """A small piece of work; number 5 cannot be done."""
    if number == 5:
        return number / (number - 5)
    return number / 2


def die(number: int) -> int:
    if number == 3:
        told(None, pid=os.getpid())
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.1)
    return number


def joblib_raises() -> None:
    from joblib import Parallel, delayed  # type: ignore[import-not-found]  # noqa: PLC0415

    print(sum(Parallel(n_jobs=2)(delayed(normalize)(number) for number in range(8))))


def joblib_killed() -> None:
    from joblib import Parallel, delayed  # noqa: PLC0415

    print(sum(Parallel(n_jobs=2)(delayed(die)(number) for number in range(8))))


def cluster(work: Any) -> None:
    from distributed import Client, LocalCluster  # type: ignore[import-not-found]  # noqa: PLC0415

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local,
        Client(local) as client,
    ):
        print(sum(client.gather(client.map(work, range(8)))))


def dask_raises() -> None:
    cluster(normalize)


def loguru() -> None:
    """The traceback as loguru draws it, with values."""
    from loguru import logger  # type: ignore[import-not-found]  # noqa: PLC0415

    logger.info("normalizing 8 rows")
    for number in range(8):
        try:
            normalize(number)
        except ZeroDivisionError:
            logger.exception("row {} cannot be normalized", number)
            sys.exit(1)


def rich() -> None:
    """The traceback in rich's box."""
    from rich.traceback import install  # noqa: PLC0415

    install(width=100)
    print([normalize(number) for number in range(8)])


def ipython() -> None:
    """The traceback as a notebook prints it, with colours."""
    from IPython.core.interactiveshell import InteractiveShell  # noqa: PLC0415

    shell: Any = InteractiveShell.instance(colors="linux")
    shell.run_cell("from bench.lab.scripts.libraries import normalize")
    shell.run_cell("[normalize(number) for number in range(8)]")


def test_rows_are_normalized() -> None:
    """For pytest: fails."""
    assert normalize(4) == 2
    assert normalize(5) == 2.5


def test_warnings_are_no_failures() -> None:
    """For pytest: passes and warns."""
    import warnings  # noqa: PLC0415

    warnings.warn("RuntimeError: is only mentioned here", UserWarning, stacklevel=1)


def application(_: Any, start_response: Any) -> list[bytes]:
    """For gunicorn; LAB_FAIL says how it fails."""
    if os.environ.get("LAB_FAIL") == "killed":
        told("was sent SIGKILL! Perhaps out of memory?", pid=os.getpid())
        os.kill(os.getpid(), signal.SIGKILL)
    start_response("200 OK", [])
    return [b"ok"]


if os.environ.get("LAB_FAIL") == "import":
    told("LookupError: model 'summaries' is not registered")
    raise LookupError("model 'summaries' is not registered")

if __name__ == "__main__":
    globals()[sys.argv[1]]()
