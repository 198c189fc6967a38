"""How a shell command is started: alone, from a Makefile, traced, or behind what loggers put before lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shlex import quote

Dress = Callable[[str, Path], str]


def plain(command: str, _: Path) -> str:
    return command


def typed(command: str, folder: Path) -> str:
    """As copied from a terminal, prompt and all."""
    shown = f"ml@gpu-node-07:~/{folder.name}$"
    return (
        f"echo {quote(f'{shown} {command}')}; {{ {command}\n}}; status=$?; echo {quote(shown)}; exit $status"
    )


def from_make(command: str, folder: Path) -> str:
    """A step of a Makefile."""
    (folder / "step.sh").write_text(f"{command}\n", "utf-8")
    (folder / "step.mk").write_text("check:\n\tbash step.sh\n", "utf-8")
    return "make -f step.mk check"


def traced(command: str, folder: Path) -> str:
    """The shell says what it runs."""
    (folder / "step.sh").write_text(f"{command}\n", "utf-8")
    return "bash -x step.sh"


def behind(prefix: str) -> Dress:
    """A prefix before each line, as `date` writes it."""

    def dress(command: str, _: Path) -> str:
        stamp = f"while IFS= read -r line; do date -u +{quote(prefix)} | tr -d '\\n'; echo \"$line\"; done"
        return f"set -o pipefail; {{ {command}\n}} 2>&1 | {stamp}"

    return dress


DRESSES: dict[str, Dress] = {
    "plain": plain,
    "typed": typed,
    "make": from_make,
    "traced": traced,
    "build-server": behind("%Y-%m-%dT%H:%M:%S.%N0Z "),
    "journal": behind("%b %d %H:%M:%S gpu-node-07 runner[2217]: "),
    "compose": behind("app-1  | "),
    "container": behind("%Y-%m-%dT%H:%M:%S.%NZ stderr F "),
}


def dressed(style: str, command: str, folder: Path) -> str:
    """The script that runs a command in a dress; the styles of Python programs are no dresses."""
    return DRESSES.get(style, plain)(command, folder)
