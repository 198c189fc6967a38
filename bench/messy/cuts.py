"""Forms that leave only a part of a text, or only its message, or the same line many times."""

from __future__ import annotations

from random import Random

from bench.messy.blocks import blocks
from bench.messy.texts import DoesNotApply, Paste, Undecided

REPEATS = 500
MAY_BE_CORRUPT = (
    "Due to the asynchronous nature of CUDA kernels, subsequent GPU operations might run on "
    "corrupted/incomplete data."
)
ENDED = "Process group watchdog thread terminated with exception"


def alone(paste: Paste) -> None:
    """Refuse a message that says nothing without what stood around it: a line of code, `exit code 1`."""
    if paste.code or not paste.decides(" ".join([paste.head, *paste.more])):
        raise Undecided("the message alone does not say which failure it is")


def truncated_head(paste: Paste, rng: Random) -> str:
    """The paste begins in the middle of a path or word, somewhere before the message."""
    lines = paste.lines
    if paste.line == 0:
        raise DoesNotApply("nothing stands before the message")
    frames = [at for at in range(1, paste.line) if '  File "' in lines[at]]
    at = rng.choice(frames or range(paste.line))
    middle = len(lines[at]) // 2 if lines[at] else 0
    return "\n".join([lines[at][middle:], *lines[at + 1 :]]) + "\n"


def truncated_tail(paste: Paste, rng: Random) -> str:
    """The paste ends in the middle of the message, after half of it at the earliest."""
    size = len(paste.message)
    places = [at for at in range(size // 2, size - 2) if paste.decides(paste.message[:at])]
    if not places:
        raise Undecided("what is left of the message does not say which failure it is")
    kept = rng.choice(places)
    line = paste.lines[paste.line]
    stop = line.rindex(paste.message) + kept if paste.message in line else len(line) * 3 // 4
    return "\n".join([*paste.lines[: paste.line], line[:stop]])


def message_only(paste: Paste, _: Random) -> str:
    """The message without the exception's class and without what stood around it."""
    alone(paste)
    return "\n".join([paste.message, *paste.more])


def repeated(paste: Paste, _: Random) -> str:
    """The message's line some hundred times, and nothing else."""
    alone(paste)
    return "\n".join([paste.lines[paste.line], *paste.more] * REPEATS) + "\n"


def cut_columns(paste: Paste, rng: Random) -> str:
    """A terminal or pager that shows a certain width and drops the rest of each line."""
    width = rng.choice([80, 100, 120, 160])
    if all(len(line) <= width for line in paste.lines):
        raise DoesNotApply("no line is longer")
    if not paste.decides(paste.lines[paste.line][:width]):
        raise Undecided("too much of the message lies beyond the width")
    return "\n".join(line[:width] for line in paste.lines) + "\n"


def middle_left_out(paste: Paste, _: Random) -> str:
    """A log viewer that leaves out the middle of a long text, not the message."""
    lines = paste.lines
    if len(lines) < 8:
        raise DoesNotApply("too short to leave anything out")
    start, stop = (2, paste.line - 1) if paste.line > len(lines) // 2 else (paste.line + 2, len(lines) - 1)
    if stop - start < 2:
        raise DoesNotApply("nothing to leave out around the message")
    return "\n".join([*lines[:start], f"... {stop - start} lines omitted ...", *lines[stop:]]) + "\n"


def head_and_tail(paste: Paste, _: Random) -> str:
    """Only the last frame and the message, as people quote it."""
    found = [block for block in blocks(paste.lines) if block.start <= paste.line < block.stop]
    if not found:
        raise DoesNotApply("the message stands in no whole traceback")
    lines = paste.lines[found[0].start : found[0].stop]
    last = max(at for at, line in enumerate(lines) if '  File "' in line)
    return "\n".join(["[...]", *lines[last:]]) + "\n"


def two_causes(paste: Paste, rng: Random) -> str:
    """One rank fails so, and another then waits for it until the watchdog ends it."""
    if paste.wrapper:
        raise DoesNotApply("it is a consequence itself")
    said = paste.text.replace("lora_rank", "").replace("LoRA rank", "").casefold()
    if "rank" in said or "nccl" in said or "watchdog" in said or not blocks(paste.lines):
        raise DoesNotApply("no traceback of one process, or it speaks of ranks itself")
    numbers = f"SeqNum={rng.randrange(20, 9000)}, OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576"
    tag = "[rank0]:[E213 05:41:17.630118442 ProcessGroupNCCL.cpp:{place}] [Rank 0]"
    caught = (
        f"Watchdog caught collective operation timeout: WorkNCCL({numbers}, Timeout(ms)=600000) "
        "ran for 600017 milliseconds before timing out."
    )
    after = [
        f"{tag.format(place=632)} {caught}",
        f"{tag.format(place=684)} Some NCCL operations have failed or timed out. {MAY_BE_CORRUPT}",
        f"{tag.format(place=698)} To avoid data inconsistency, we are taking the entire process down.",
        "terminate called after throwing an instance of 'c10::DistBackendError'",
        f"  what():  [PG ID 0 PG GUID 0(default_pg) Rank 0] {ENDED}: [Rank 0] {caught}",
    ]
    return "\n".join([*(f"[rank1]: {line}" for line in paste.lines), *after]) + "\n"
