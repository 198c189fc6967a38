"""Calls in Python, in one line or several, in a script or a frame: `llm = LLM("m", max_lora_rank=16)`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from kb.diagnose.change.edit import LONGEST, Edit, Setting
from kb.diagnose.clean.text import Line
from kb.diagnose.words import WordMap

CALL = re.compile(
    r"\s*(?P<start>(?:return |await |(?:self\.)?[A-Za-z_]\w* *= *(?:await )?)?(?P<callee>[A-Za-z_][\w.]*)\()"
)
CLASSES = {"vllm": ("LLM", "EngineArgs", "AsyncEngineArgs"), "sglang": ("Engine",)}
PRINTED = ("Namespace", "ServerArgs")  # what programs print of their arguments looks like a call
CONSTANT = re.compile(r"[0-9][0-9_.]*|None|True|False")  # a name is computed elsewhere
PLAIN = re.compile(r"[\w\s.,:=\[\]{}+*/@-]")  # outside of texts: names and literals, no call in a call
MOST_LINES = 40


def call_edits(lines: Sequence[Line], words: WordMap, setting: Setting) -> Iterator[Edit]:
    """A call that has the argument with another value, or that makes an object which takes it."""
    for at in call_lines(lines, words, setting):
        begun = CALL.match(lines[at].text)
        if begun is None or begun["callee"] in PRINTED:
            continue
        text = whole_call(lines, at, begun.start("start"))
        edit = None if text is None else edited(at, text, begun["callee"], setting)
        if edit is not None:
            yield edit


def call_lines(lines: Sequence[Line], words: WordMap, setting: Setting) -> Iterator[int]:
    """The lines in which such a call can begin. What a logger prints is no call of the person's."""
    name = setting.name
    named = list(words.holding((name,)))
    opened = [f"{name}(" for package in setting.components for name in CLASSES.get(package, ())]
    if not named and next(words.holding(opened), None) is None:
        return
    for at in words.holding(("(",)):
        line = lines[at]
        if line.level is not None or line.time is not None:
            continue
        near = bisect_left(named, at) < bisect_left(named, at + MOST_LINES)
        if near or any(call in line.text for call in opened):
            yield at


def makes(callee: str, setting: Setting) -> bool:
    """Whether it makes an object that takes the argument."""
    classes = (name for package in setting.components for name in CLASSES.get(package, ()))
    return setting.is_flag and callee.rpartition(".")[2] in classes


def whole_call(lines: Sequence[Line], at: int, indent: int) -> str | None:
    """The call that begins in a line, without that line's indentation; None when its end is not there."""
    parts: list[str] = []
    opened = size = 0
    for line in lines[at : at + MOST_LINES]:
        part = (line.text if line.text[:indent].strip() else line.text[indent:]).rstrip()
        parts.append(part)
        opened, size = opened + part.count("("), size + len(part)
        if opened != 1 or size > LONGEST:
            return None
        if part.endswith(")"):
            return "\n".join(parts)
    return None


def edited(at: int, text: str, callee: str, setting: Setting) -> Edit | None:
    """The call with the argument set; None when it is no plain call, or not one for this argument."""
    arguments = split_arguments(text, text.index("(") + 1, len(text) - 1)
    if not arguments:
        return None
    after, found = text, False
    for start, end in reversed(arguments):
        name, _, value = text[start:end].partition("=")
        if name.strip() != setting.name:
            continue
        if CONSTANT.fullmatch(value.strip()) is None:
            return None
        begin = end - len(value.lstrip())
        after, found = after[:begin] + setting.value + after[begin + len(value.strip()) :], True
    if found:
        return Edit("python", at, text, after)
    unpacked = any(text[start:end].lstrip().startswith("*") for start, end in arguments)  # it may be in these
    if unpacked or not makes(callee, setting):
        return None
    return Edit("python", at, text, with_argument(text, arguments, setting), added=True)


def split_arguments(text: str, start: int, end: int) -> list[tuple[int, int]] | None:
    """Where each argument stands; None when one is more than names, literals and lists of them."""
    spans: list[tuple[int, int]] = []
    at = begin = start
    depth = 0
    while at < end:
        character = text[at]
        if character in "'\"":
            closed = text.find(character, at + 1, end)
            if closed < 0 or "\\" in text[at:closed] or "\n" in text[at:closed]:
                return None
            at = closed
        elif PLAIN.match(character) is None:
            return None
        elif character in "[]{}":
            depth += 1 if character in "[{" else -1
        elif character == "," and not depth:
            spans.append((begin, at))
            begin = at + 1
        at += 1
    if text[begin:end].strip():
        spans.append((begin, end))
    return spans


def with_argument(text: str, arguments: list[tuple[int, int]], setting: Setting) -> str:
    """The call with one more argument at its end, on a line of its own where each has one."""
    start, end = arguments[-1]
    last = text[start:end]
    head = last[: len(last) - len(last.lstrip())] if "\n" in last else " "
    end = start + len(last.rstrip())
    comma = "," if text[end] == "," else ""
    return f"{text[:end]},{head}{setting.name}={setting.value}{comma}{text[end + len(comma) :]}"
