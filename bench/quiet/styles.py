"""How the programs of the Python cards are started, and how their failure shows.

Each style is the source of a main program that calls `run` of the module JOB.
"""

from __future__ import annotations

PLAIN = """\
from JOB import run

if __name__ == "__main__":
    print(run())
"""

LOGGED = """\
import logging
from JOB import run

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)-8s [%(name)s] %(message)s")
log = logging.getLogger("JOB.main")
log.info("starting, pid file run/JOB.pid")
try:
    log.info("result %s", run())
except Exception:
    log.exception("job JOB failed")
    raise SystemExit(1)
"""

ONE_LINE = """\
import logging
from JOB import run

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(lineno)d: %(message)s")
log = logging.getLogger("JOB")
for batch in range(3):
    log.info("batch %d of 3", batch + 1)
try:
    log.info("result %s", run())
except Exception as error:
    log.error("giving up: %s: %s", type(error).__name__, error)
    raise SystemExit(1)
"""

JSON_LOG = """\
import json, logging, time, traceback
from JOB import run

class Lines(logging.Formatter):
    def format(self, record):
        row = {"ts": time.strftime("%Y-%m-%dT%H:%M:%S"), "level": record.levelname.lower()}
        row["msg"] = record.getMessage()
        if record.exc_info:
            row["exception"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(row)

handler = logging.StreamHandler()
handler.setFormatter(Lines())
logging.basicConfig(level=logging.INFO, handlers=[handler])
logging.info("worker JOB ready")
try:
    logging.info("result %s", run())
except Exception:
    logging.exception("unhandled error in worker JOB")
logging.info("worker JOB stopped")
"""

RETRIED = """\
import logging, time
from JOB import run

logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(levelname)s | %(message)s")
for attempt in range(1, 4):
    try:
        logging.info("result %s", run())
        break
    except Exception as error:
        logging.warning("attempt %d/3 failed (%r), retrying in 0.01s", attempt, error)
        time.sleep(0.01)
else:
    logging.error("JOB: all attempts failed")
    raise SystemExit(2)
"""

HANDLED = """\
import logging
from JOB import run

form = "%(asctime)s %(process)d %(levelname)s %(module)s: %(message)s"
logging.basicConfig(level=logging.DEBUG, format=form)
done, skipped = 0, 0
for number in range(4):
    try:
        if number == 2:
            run()
        done += 1
        logging.debug("item %d ok", number)
    except Exception:
        skipped += 1
        logging.warning("item %d skipped", number, exc_info=True)
logging.info("finished: %d done, %d skipped, 0 errors", done, skipped)
"""

THREAD = """\
import threading
from JOB import run

worker = threading.Thread(target=run, name="JOB-worker")
worker.start()
worker.join()
print("worker alive:", worker.is_alive())
"""

POOL = """\
from concurrent.futures import ThreadPoolExecutor, as_completed
from JOB import run

with ThreadPoolExecutor(max_workers=2, thread_name_prefix="JOB") as pool:
    for task in as_completed([pool.submit(run)]):
        print(task.result())
"""

PROCESS = """\
import multiprocessing
from JOB import run

if __name__ == "__main__":
    worker = multiprocessing.get_context("spawn").Process(target=run, name="JOB-1")
    worker.start()
    worker.join()
    print("exit code of JOB-1:", worker.exitcode)
"""

PROCESS_POOL = """\
import multiprocessing
import JOB

def task(_):
    return JOB.run()

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(task, [0]))
"""

LOOP = """\
import asyncio, gc
import JOB

async def main():
    task = asyncio.get_running_loop().run_in_executor(None, JOB.run)
    await asyncio.sleep(0.3)
    del task
    gc.collect()
    print("loop goes on")

asyncio.run(main())
"""

CHAINED = """\
from JOB import run

class JobFailed(RuntimeError):
    pass

def main():
    try:
        return run()
    except Exception as error:
        raise JobFailed("step JOB did not finish") from error

if __name__ == "__main__":
    main()
"""

CLEAN_UP = """\
from JOB import run

class Connection:
    def close(self):
        raise OSError("already closed")

def main():
    link = Connection()
    try:
        return run()
    finally:
        link.close()

main()
"""

HOOK = """\
import sys, traceback
from JOB import run

def brief(kind, error, trace):
    last = traceback.extract_tb(trace)[-1]
    print(f"fatal: {kind.__name__}: {error} (at {last.filename}:{last.lineno})", file=sys.stderr)

sys.excepthook = brief
run()
"""

RICH = """\
import rich.traceback
from JOB import run

rich.traceback.install(width=100, show_locals=False)
run()
"""

RICH_LOG = """\
import logging
from rich.logging import RichHandler
from JOB import run

logging.basicConfig(level="INFO", format="%(message)s", handlers=[RichHandler(rich_tracebacks=True)])
logging.info("job JOB starts")
try:
    run()
except Exception:
    logging.exception("job JOB failed")
"""

LOGURU = """\
from loguru import logger
from JOB import run

@logger.catch(reraise=False)
def main():
    logger.info("job JOB starts")
    run()
    logger.success("job JOB done")

main()
"""

STRUCTLOG = """\
import structlog
from JOB import run

log = structlog.get_logger("JOB")
log.info("start", job="JOB", tries=1)
try:
    log.info("done", result=str(run()))
except Exception:
    log.exception("failed", job="JOB")
"""

UNITTEST = """\
import unittest
from JOB import run

class JobTest(unittest.TestCase):
    def test_names(self):
        self.assertEqual(run.__name__, "run")

    def test_run(self):
        self.assertIsNone(run())

unittest.main()
"""

PYTEST = """\
import pytest
from JOB import run

def test_names():
    assert run.__name__ == "run"

def test_run():
    assert run() is None

raise SystemExit(pytest.main(["-p", "no:cacheprovider", "-q", __file__]))
"""

REPORTED = """\
import traceback
from JOB import run

print("Nightly report: JOB")
try:
    print("rows:", run())
except Exception as error:
    print("The step stopped. Details for support:")
    print("-" * 40)
    print(traceback.format_exc().strip())
    print("-" * 40)
    print(f"Last error: {error!r}")
"""

STYLES: dict[str, str] = {
    "plain": PLAIN,
    "logged": LOGGED,
    "one-line": ONE_LINE,
    "json-log": JSON_LOG,
    "retried": RETRIED,
    "handled": HANDLED,
    "thread": THREAD,
    "pool": POOL,
    "process": PROCESS,
    "process-pool": PROCESS_POOL,
    "loop": LOOP,
    "chained": CHAINED,
    "clean-up": CLEAN_UP,
    "hook": HOOK,
    "rich": RICH,
    "rich-log": RICH_LOG,
    "loguru": LOGURU,
    "structlog": STRUCTLOG,
    "unittest": UNITTEST,
    "pytest": PYTEST,
    "reported": REPORTED,
}
