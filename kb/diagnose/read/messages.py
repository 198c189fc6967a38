"""How far the message of an exception or a log line reaches, and which of its lines says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.text import CleanText, Line
from kb.diagnose.read import shapes, starts

MAX_LINES = 40
# The line of a long message that tells what happened, below advice: torch.load's `WeightsUnpickler error:
# Unsupported global: ...`, Ray's `The actor is dead because its worker process has died. ...`.
INNER = re.compile(r"\s*(?:[A-Z]\w+ error: \S|The actor is dead because )")
UNFINISHED = re.compile(r"[\w,] ?$")
INSIDE = re.compile(r"[a-z0-9][\w'.,()/-]*(?: [\w'.,()/-]+)*$")
# `Missing key(s) in state_dict: "proj.weight", ...`, then `Unexpected key(s) ...: "module.proj.weight", ...`
KEYS = re.compile(r"\s*(?P<which>Missing|Unexpected) key\(s\) in state_dict: \"(?P<first>[^\"]+)\"")
# The message is what a compiler printed: `Ninja build failed. Ninja output:`, then hundreds of characters of
# commands, and among them `nvcc fatal   : Unsupported gpu architecture 'compute_120a'`.
BUILD = re.compile(r"\b[Nn]inja (?:build failed|output)|\bError building extension\b")
# Triton says what failed before it quotes ptxas: that line is the telling one.
QUOTES_COMPILER = re.compile(rf"{BUILD.pattern}|\bPTX codegen error\b")
MAX_HOLE = 50  # lines of other processes between two lines of one message

# A first line that only announces what follows: `1 validation error for ModelConfig`, nothing at all,
# `Error(s) in loading state_dict for PeftModelForCausalLM:`, `Please correct the following ...:`.
HEADING = re.compile(r"\s*(?:.{0,500}:|\d+ validation errors? for .{1,200})?\s*")
# Triton shows the kernel below `at 8:11:`, and below that, for an error of Python's, `ValueError("...")`.
IN_KERNEL = re.compile(r"\s*at \d+:\d+:\s*")
AS_WRITTEN = re.compile(r"\s*\w+(?:Error|Exception)\([\"']")
# Where pydantic found the error, on a line of its own: `max_lora_rank`, `lora_modules.0.path`.
LOCATION = re.compile(r"\s*[\w.\[\]]+\s*")


def message_end(clean: CleanText, at: Sequence[int], position: int) -> int:
    """Position behind the last line of the message of the exception named at `position` of a stream.

    A message may begin with blank lines only where the class line has no text of its own.
    """
    first = clean.lines[at[position]]
    end = position + 1
    empty = first.text.rstrip().endswith(":")
    build = QUOTES_COMPILER.search(first.text) is not None
    while end < len(at) and end - position < MAX_LINES:
        line = clean.lines[at[end]]
        told_apart = (line.level, line.time is None) != (first.level, first.time is None)
        if told_apart and not goes_on(clean.lines[at[end - 1]], line):
            break
        if at[end] - at[end - 1] > MAX_HOLE:
            break
        if not line.text.strip():
            if not empty:
                break
        elif ends_message(line.text) and not (build and starts.is_failure(line.text)):
            break
        else:
            empty = False
        end += 1
    return without_blank_end(clean, at, position, end)


def goes_on(above: Line, line: Line) -> bool:
    """Whether a terminal broke the line above between two words: this one has no prefix, and begins in a
    sentence.

    `ERROR 03-03 10:00:00 [core.py:710] ValueError: LoRA rank 64 is`, `greater than max_lora_rank`, `16.`
    """
    if line.level is not None or line.time is not None or not above.text:
        return False
    return UNFINISHED.search(above.text) is not None and INSIDE.match(line.text) is not None


def without_blank_end(clean: CleanText, at: Sequence[int], position: int, end: int) -> int:
    """`end` without the blank lines before it."""
    while end - 1 > position and not clean.lines[at[end - 1]].text.strip():
        end -= 1
    return end


def ends_message(text: str) -> bool:
    """Whether a line cannot belong to the message above it."""
    return bool(
        shapes.HEADER in text
        or text.strip() == '"""'  # a worker's traceback comes between these
        or shapes.is_frame(text)
        or shapes.named(text)
        or shapes.GROUP_LINE.match(text)
        or shapes.CPP_FRAME.match(text)
        or starts.is_failure(text)
        or shapes.chain_word(text)
    )


def telling_line(clean: CleanText, at: Sequence[int], column: int) -> int:
    """Which of a message's lines (clean indexes) names the failure; its text begins at `column` of the first.

    It is the first line, but for a heading: then the first line below it that says something.
    """
    if len(at) == 1:
        return at[0]
    inner = next((index for index in at[1:] if INNER.match(clean.lines[index].text)), None)
    if inner is not None:
        return inner
    if BUILD.search(clean.lines[at[0]].text):
        return next((index for index in at[1:] if starts.is_failure(clean.lines[index].text)), at[0])
    first = clean.lines[at[0]].text[column:]
    if IN_KERNEL.fullmatch(first):
        return next((index for index in at[1:] if AS_WRITTEN.match(clean.lines[index].text)), at[0])
    if not HEADING.fullmatch(first):
        return at[0]
    below = [index for index in at[1:] if any(map(str.isalnum, clean.lines[index].text))]
    if not below or (first.strip() and not clean.lines[at[1]].text.strip()):
        return at[0]  # a paragraph of its own, and what follows is another
    if (renamed := renamed_keys(clean, below)) is not None:
        return renamed
    if len(below) > 1 and LOCATION.fullmatch(clean.lines[below[0]].text):
        indents = [shapes.indentation(clean.lines[index].text) for index in below[:2]]
        if indents[1] > indents[0]:
            return below[1]
    return below[0]


def renamed_keys(clean: CleanText, at: Sequence[int]) -> int | None:
    """The line of unexpected keys, when they are the missing ones behind a prefix: it shows the prefix."""
    found = {
        match["which"]: (index, match["first"])
        for index in at
        if (match := KEYS.match(clean.lines[index].text)) is not None
    }
    if len(found) < 2:
        return None
    index, key = found["Unexpected"]
    return index if key.endswith("." + found["Missing"][1]) else None
