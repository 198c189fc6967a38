"""Compile the entries on a runner: a small environment with what that needs, then the index.

`python -P -m action.prepare FOLDER` leaves `FOLDER/build/index.json`. The packages are those of
requirements.lock, by hash.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYDANTIC = ("pydantic", "pydantic-core", "annotated-types", "typing-extensions", "typing-inspection")
NEEDED = (*PYDANTIC, "pyyaml", "packaging")
COMPILE = """
import sys
from pathlib import Path
from kb.cli.compiling import compile_entries
compile_entries(Path(sys.argv[1]), Path(sys.argv[2]))
"""
NAME = re.compile(r"[a-z0-9-]+")


def locked(text: str) -> str:
    """The lines of a lock that are for the needed packages, each with its hashes."""
    packages = re.split(r"(?m)^(?=[a-z0-9])", text)
    return "".join(each for each in packages if (name := NAME.match(each)) and name[0] in NEEDED)


def main() -> int:
    """Make the environment and the index. The status of the first step that failed."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    lock, python = folder / "lock.txt", folder / "venv" / "bin" / "python"
    lock.write_text(locked((ROOT / "requirements.lock").read_text("utf-8")), "utf-8")
    quiet = ("--disable-pip-version-check", "--quiet", "--require-hashes", "--no-deps")
    for command in (
        (sys.executable, "-m", "venv", str(folder / "venv")),
        (str(python), "-m", "pip", "install", *quiet, "--only-binary", ":all:", "-r", str(lock)),
        (str(python), "-P", "-c", COMPILE, str(ROOT / "entries"), str(folder / "build")),
    ):
        status = subprocess.run(command, check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
