"""Forms in which another program draws a traceback: rich's boxes, pytest's report, an exception group."""

from __future__ import annotations

import textwrap
from random import Random

from bench.messy.blocks import Block, Frame, blocks
from bench.messy.texts import DoesNotApply, Paste

WIDTH = 80


def whole_blocks(paste: Paste) -> list[Block]:
    """The tracebacks, when the message stands in one of them."""
    found = blocks(paste.lines)
    if not any(block.start <= paste.line < block.stop for block in found):
        raise DoesNotApply("the message stands in no whole traceback")
    return found


def boxed(text: str) -> list[str]:
    """Text in a box's rows, cut where it is too long."""
    inner = WIDTH - 4
    cuts = [text[at : at + inner] for at in range(0, len(text), inner)] or [""]
    return [f"│ {cut:<{inner}} │" for cut in cuts]


def rich_frame(frame: Frame) -> list[str]:
    margin = f"  {frame.line - 1:>4} │"
    source = f"❱ {frame.line:>4} │   {frame.source}"
    return [
        *boxed(f"{frame.path}:{frame.line} in {frame.function}"),
        *boxed(""),
        *boxed(margin),
        *boxed(source),
        *boxed(f"  {frame.line + 1:>4} │"),
    ]


def rich_block(block: Block) -> list[str]:
    title = " Traceback (most recent call last) "
    rows = [f"╭{title:─^{WIDTH - 2}}╮"]
    for number, frame in enumerate(block.frames):
        rows += [*(boxed("") if number else ()), *rich_frame(frame)]
    rows.append(f"╰{'─' * (WIDTH - 2)}╯")
    for line in block.message:
        rows += textwrap.wrap(line.expandtabs(4), WIDTH, break_on_hyphens=False) or [""]
    return rows


def rich_traceback(paste: Paste, _: Random) -> str:
    """rich's box at 80 columns, the message wrapped below it."""
    lines = paste.lines
    for block in reversed(whole_blocks(paste)):
        lines[block.start : block.stop] = rich_block(block)
    return "\n".join(lines) + "\n"


def exception_group(paste: Paste, rng: Random) -> str:
    """The failure is the second of two in a task group; the first was cancelled."""
    found = whole_blocks(paste)
    lines = paste.lines
    start, stop = found[0].start, found[-1].stop
    tag = lines[start][: lines[start].index("Traceback")]
    inner = [f"    | {line.removeprefix(tag)}" for line in lines[start:stop]]
    name = rng.choice(["boot", "run_all", "supervisor"])
    group = [
        "  + Exception Group Traceback (most recent call last):",
        f'  |   File "/opt/app/{name}.py", line {rng.randrange(20, 200)}, in <module>',
        "  |     asyncio.run(main())",
        '  |   File "/usr/lib/python3.12/asyncio/taskgroups.py", line 145, in __aexit__',
        "  |     raise me from None",
        "  | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)",
        "  +-+---------------- 1 ----------------",
        "    | Traceback (most recent call last):",
        f'    |   File "/opt/app/{name}.py", line {rng.randrange(20, 200)}, in heartbeat',
        "    |     await asyncio.sleep(10)",
        "    | asyncio.exceptions.CancelledError",
        "    +---------------- 2 ----------------",
        *inner,
        "    +------------------------------------",
    ]
    return "\n".join([*lines[:start], *group, *lines[stop:]]) + "\n"


def pytest_block(block: Block) -> list[str]:
    rows: list[str] = []
    for frame in block.frames:
        rows += [f"{frame.path}:{frame.line}: in {frame.function}", f"    {frame.source}"]
    last = block.frames[-1]
    kind = block.message[0].partition(":")[0]
    return [*rows, *(f"E   {line}" for line in block.message), "", f"{last.path}:{last.line}: {kind}"]


def pytest_report(paste: Paste, rng: Random) -> str:
    """A test's report; what is not in the traceback was captured, and the summary line is cut off."""
    found = whole_blocks(paste)
    lines = paste.lines
    test = rng.choice(["test_round_trip", "test_loads", "test_small_run"])
    report: list[str] = []
    for number, block in enumerate(found):
        between = lines[found[number - 1].stop : block.start] if number else []
        report += [*between, *pytest_block(block)]
    captured = [*lines[: found[0].start], *lines[found[-1].stop :]]
    summary = f"FAILED tests/{test}.py::{test} - {found[-1].message[0]}"
    rows = [
        f"{' FAILURES ':=^80}",
        f"{f' {test} ':_^80}",
        "",
        f"    def {test}(tmp_path):",
        f">       {found[0].frames[0].source or 'run(tmp_path)'}",
        "",
        f"tests/{test}.py:{rng.randrange(10, 90)}: ",
        "_ " * 40,
        *report,
        *([f"{' Captured stderr call ':-^80}", *captured] if any(captured) else []),
        f"{' short test summary info ':=^80}",
        summary if len(summary) <= 80 else f"{summary[:77]}...",
        f"{' 1 failed, 7 passed in 12.06s ':=^80}",
    ]
    return "\n".join(rows) + "\n"
