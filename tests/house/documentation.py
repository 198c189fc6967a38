"""Read the commands that the documentation shows, with the output it promises, and run them.

The convention is described in CONTRIBUTING.md: fenced blocks marked `console`, commands after
`$ `, output below each, `...` alone on a line for lines left out.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,}) *(?P<info>[^`]*)$")
TITLE = re.compile(r'\btitle="([^"]+)"')
GUIDES = ROOT / "docs" / "guides"
GAP = "..."


@dataclass(frozen=True, slots=True)
class Command:
    """One command of one page, at a line counted from 1; `output` are the lines shown below it."""

    page: Path
    line: int
    text: str
    output: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line} {self.text}"


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A block of a guide with `title="NAME"`: what a reader is to save under that name."""

    name: str
    text: str


def documented_pages() -> list[Path]:
    """The pages that people read and whose commands must work, each command by itself."""
    followed = guides()
    others = [page for page in sorted((ROOT / "docs").rglob("*.md")) if page not in followed]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *others]


def guides() -> list[Path]:
    """The pages that are followed from top to bottom."""
    return [page for page in sorted(GUIDES.glob("*.md")) if page.stem != "index"]


def steps_of(page: Path) -> list[Command | NamedFile]:
    """What a reader of a guide saves and runs, in the order of the page."""
    steps: dict[int, Command | NamedFile] = {command.line: command for command in commands_of(page)}
    for start, info, block in fenced_blocks(page.read_text("utf-8")):
        if title := TITLE.search(info):
            steps[start] = NamedFile(title[1], "".join(f"{line}\n" for line in block))
    return [steps[line] for line in sorted(steps)]


def commands_of(page: Path) -> list[Command]:
    """All commands in the page's console blocks, with line numbers from 1.

    Raises ValueError where a block does not start with a command.
    """
    commands: list[Command] = []
    for start, info, block in fenced_blocks(page.read_text("utf-8")):
        if info.split()[:1] != ["console"]:
            continue
        if not block or not block[0].startswith("$ "):
            raise ValueError(f"{page}:{start} a console block starts with a command (`$ ...`)")
        for number, line in enumerate(block, start=start):
            if line.startswith("$ "):
                commands.append(Command(page, number, line[2:].strip(), ()))
            else:
                commands[-1] = replace(commands[-1], output=(*commands[-1].output, line))
    return commands


def fenced_blocks(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Each block's first line number, what stands behind its fence, and its lines without the indent."""
    closing = info = ""
    block: list[str] = []
    indent = first = 0
    for number, line in enumerate(text.splitlines(), start=1):
        fence = FENCE.match(line)
        if not closing and fence:
            closing, info, indent, first = fence["fence"], fence["info"], len(fence["indent"]), number + 1
            block = []
        elif closing and fence and fence["fence"].startswith(closing) and not fence["info"]:
            yield first, info, block
            closing = ""
        elif closing:
            block.append(line[indent:])


def same_output(shown: tuple[str, ...], real: list[str]) -> bool:
    """Whether the real lines are those shown; a shown `...` stands for any number of lines.

    Parts between gaps are found in order, each at its first place; the last part must end the output.
    """
    parts: list[list[str]] = [[]]
    for line in shown:
        if line.strip() == GAP:
            parts.append([])
        else:
            parts[-1].append(line.rstrip())
    real = [line.rstrip() for line in real]
    head, *rest = parts
    if not rest:
        return head == real
    if real[: len(head)] != head:
        return False
    at = len(head)
    *middle, tail = rest
    for part in middle:
        while real[at : at + len(part)] != part:
            at += 1
            if at + len(part) > len(real):
                return False
        at += len(part)
    return at + len(tail) <= len(real) and real[len(real) - len(tail) :] == tail


def run(
    folder: Path, command: str, *, code: Path | None = None, settings: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a shell line of ours in a folder, with this environment's `kb` first on PATH.

    `code` is the checkout whose `kb` it is, the folder itself where nothing is given; `settings` are
    environment variables on top of ours.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env={
            **os.environ,
            "PATH": path,
            "PYTHONPATH": str(code or folder),
            "NO_COLOR": "1",
            "COLUMNS": "100",
            **(settings or {}),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def compare(command: Command, done: subprocess.CompletedProcess[str], *, update: bool) -> None:
    """Hold the real output against the page; with `update`, write it there instead."""
    real = done.stdout.splitlines()
    if not command.output:
        # `kb match` says with 1 and 3 that it has no answer, or rivals; it ran well all the same.
        fine = {0, 1, 3} if "kb match" in command.text else {0}
        assert done.returncode in fine, f"{command}\n{done.stdout}{done.stderr}"
    elif not same_output(command.output, real):
        if update and GAP not in command.output:
            write_output(command, real)
        pytest.fail(f"{command} prints\n{done.stdout}{done.stderr}", pytrace=False)


def write_output(command: Command, real: list[str]) -> None:
    """Put the real lines under the command, wherever it stands on the page by now."""
    known = (command.text, command.output)
    now = next(c for c in commands_of(command.page) if (c.text, c.output) == known)
    lines = command.page.read_text("utf-8").splitlines()
    lines[now.line : now.line + len(now.output)] = [line.rstrip() for line in real]
    command.page.write_text("\n".join(lines) + "\n", "utf-8")
