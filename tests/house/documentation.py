"""Read the commands that the documentation shows, with the output it promises.

The convention is described in CONTRIBUTING.md: fenced blocks marked `console`, commands after
`$ `, output below each, `...` alone on a line for lines left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,}) *(?P<info>[^`]*)$")
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


def documented_pages() -> list[Path]:
    """The pages that people read and whose commands must work."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands_of(page: Path) -> list[Command]:
    """All commands in the page's console blocks, with line numbers from 1.

    Raises ValueError where a block does not start with a command.
    """
    commands: list[Command] = []
    for start, block in console_blocks(page.read_text("utf-8")):
        if not block or not block[0].startswith("$ "):
            raise ValueError(f"{page}:{start} a console block starts with a command (`$ ...`)")
        for number, line in enumerate(block, start=start):
            if line.startswith("$ "):
                commands.append(Command(page, number, line[2:].strip(), ()))
            else:
                commands[-1] = replace(commands[-1], output=(*commands[-1].output, line))
    return commands


def console_blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines inside each console block, without its indent, and the number of the first of them."""
    closing = ""
    block: list[str] | None = None
    indent = first = 0
    for number, line in enumerate(text.splitlines(), start=1):
        fence = FENCE.match(line)
        if not closing and fence:
            closing, indent, first = fence["fence"], len(fence["indent"]), number + 1
            block = [] if fence["info"].split()[:1] == ["console"] else None
        elif closing and fence and fence["fence"].startswith(closing) and not fence["info"]:
            if block is not None:
                yield first, block
            closing, block = "", None
        elif block is not None:
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
