"""Commands: at a prompt, over several lines, in the output of `ps`, in a script, between quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.diagnose.change.edit import LITERAL, LONGEST, Edit, Setting
from kb.diagnose.clean.text import Line
from kb.diagnose.words import WordMap

# A program that takes flags for a model, with what may stand before it in the same command.
START = re.compile(
    r"(?<![\w./~:,@+=-])(?:(?:[A-Za-z_][A-Za-z0-9_]*=[\w./:,@+-]*|sudo|nohup|exec|env|time) +){0,8}"
    r"(?:[~\w./-]*/)?(?:vllm serve|sglang serve|torchrun|accelerate launch|deepspeed|python[\d.]*"
    r"|(?:docker|podman|nerdctl) run|uv run|srun|mpirun)(?= )"
)
# What may stand before a command in its line: a prompt, the columns of `ps`, a label, a quote.
BEFORE = re.compile(
    r"\s*!?|.{0,120}[$#%>❯➜»+]\s+|\s*(?:- )?[\"'`]?|.*[\"'`]"
    r"|\s*(?:[\w.+-]+\s+)?\d+\s+(?:.{0,160}\s\d+:\d\d(?:[:.]\d\d)?\s+)?"
    r"|.{0,80}\b(?:[Cc]ommand|COMMAND|CMD|cmd|[Ee]ntrypoint|[Rr]un(?:ning)?|[Ee]xec|[Aa]rgs|[Cc]md[Ll]ine)\s*[:=]\s*[\"'`]?"
)
QUOTES = "\"'`"
SPECIAL = frozenset("$`;|&<>()!#\\\n")  # what makes a shell do more than call one program with words
IN_DOUBLE_QUOTES = frozenset("$`\\!")
SENTENCE = (",", ".", ":", "?")
MOST_BARE = 4  # words of letters in a row that a command begins with; more are a sentence
MOST_BEHIND = 2  # such words in a row behind a flag
MOST_LINES = 60  # lines of one command


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command: what a shell makes of it, and where it stands with its quotes."""

    text: str
    start: int
    end: int


def command_edits(lines: Sequence[Line], words: WordMap, setting: Setting) -> Iterator[Edit]:
    """A command that has the flag with another value, or that starts a program which takes it."""
    behind = 0
    for at in words.holding(("--", "\\")):
        line = lines[at]
        if at < behind or ("--" not in line.text and not line.text.endswith("\\")):
            continue
        begun = START.search(line.text)
        if begun is None or not may_begin(line, begun.start()):
            continue
        behind, text = whole_command(lines, at, begun.start())
        edit = None if text is None else edited(at, text, setting)
        if edit is not None:
            yield edit


def may_begin(line: Line, start: int) -> bool:
    """Whether what stands before a command is such that it is one. A logger that quotes one gives advice."""
    quoted = line.text[start - 1 : start] in tuple(QUOTES)
    return BEFORE.fullmatch(line.text[:start]) is not None and not (quoted and line.level is not None)


def whole_command(lines: Sequence[Line], at: int, start: int) -> tuple[int, str | None]:
    """The line behind a command, and its text; None when its end is missing."""
    first = lines[at].text
    opened = first[start - 1 : start]
    if opened and opened in QUOTES:
        end = first.find(opened, start)
        return at + 1, first[start:end] if start < end <= start + LONGEST else None
    parts = [first[start:].rstrip()]
    while parts[-1].endswith("\\"):
        at += 1
        if at == len(lines) or len(parts) == MOST_LINES:
            return at, None
        parts.append(lines[at].text.rstrip())
    text = "\n".join(parts)
    return at + 1, text if len(text) <= LONGEST else None


def edited(at: int, text: str, setting: Setting) -> Edit | None:
    """The command with the value set; None when it is no plain command, or not one for this flag."""
    words = split_words(text)
    if words is None or is_sentence(words):
        return None
    flags = [number for number, word in enumerate(words) if is_flag(word.text, setting)]
    if not flags:
        return added(at, text, words, setting) if setting.is_taken_by(text) else None
    after = text
    for number in reversed(flags):
        span = value_span(text, words, number)
        if span is None:
            return None
        after = after[: span[0]] + setting.value + after[span[1] :]
    return Edit("cli", at, text, after)


def is_flag(text: str, setting: Setting) -> bool:
    return text.startswith("--") and setting.is_named(text.partition("=")[0])


def value_span(text: str, words: list[Word], number: int) -> tuple[int, int] | None:
    """Where the value of a flag stands: behind its equals sign or as the next word; None if not plain."""
    flag = words[number]
    sign = text.find("=", flag.start, flag.end)
    if sign >= 0:
        plain = LITERAL.fullmatch(text[sign + 1 : flag.end].strip("\"'")) is not None
        return (sign + 1, flag.end) if plain else None
    following = words[number + 1] if number + 1 < len(words) else None
    if following is None or LITERAL.fullmatch(following.text) is None:
        return None
    return following.start, following.end


def added(at: int, text: str, words: list[Word], setting: Setting) -> Edit:
    """The command with the flag at its end, on a line of its own where it has several."""
    last = text.rpartition("\n")[2]
    indent = last[: len(last) - len(last.lstrip())]
    between = f" \\\n{indent}" if "\n" in text else " "
    end = words[-1].end
    return Edit("cli", at, text, f"{text[:end]}{between}{setting.parameter} {setting.value}", added=True)


def is_sentence(words: list[Word]) -> bool:
    """Whether the words read like prose about a command, or like a command with prose behind it."""
    bare, most = 0, MOST_BARE
    for word in words:
        bare = bare + 1 if word.text.isalpha() else 0
        if word.text.startswith("--"):
            most = MOST_BEHIND
        if bare > most or (word.text.endswith(SENTENCE) and word.text.strip(".") != ""):
            return True
    return False


def split_words(text: str) -> list[Word] | None:
    """The words of a command as a shell reads them; None when a shell would do more with it.

    A backslash at the end of a line only continues the command.
    """
    words: list[Word] = []
    at = 0
    while at < len(text):
        if text[at] in " \t" or text.startswith("\\\n", at):
            at += 1 if text[at] != "\\" else 2
            continue
        word = read_word(text, at)
        if word is None:
            return None
        words.append(word)
        at = word.end
    return words


def read_word(text: str, start: int) -> Word | None:
    """The word that begins here, its quotes taken off; None when it holds what a shell would act on."""
    parts: list[str] = []
    at = start
    while at < len(text) and text[at] not in " \t" and not text.startswith("\\\n", at):
        character = text[at]
        if character in "'\"":
            end = text.find(character, at + 1)
            inside = text[at + 1 : end]
            special = IN_DOUBLE_QUOTES if character == '"' else frozenset("\n")
            if end < 0 or not special.isdisjoint(inside):
                return None
            parts.append(inside)
            at = end + 1
            continue
        if character in SPECIAL:
            return None
        parts.append(character)
        at += 1
    return Word("".join(parts), start, at)
