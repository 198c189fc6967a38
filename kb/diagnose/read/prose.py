"""Tell prose about errors from errors: documentation, and sentences that quote a message.

Only for lines that no process wrote (no level, no time, no process), and only for what stands in their
middle: a line that begins with an error is one.
"""

from __future__ import annotations

import re

from kb.diagnose.clean.text import Line

FEWEST_WORDS = 4  # of a sentence before what it quotes
# Words by which a sentence speaks of what can happen, and not of what did (`an error when fetching` did).
GENERAL = re.compile(
    r"\b(?:if|(?<![Ee]rror )(?<!ailed )when|whenever|means|mean|usually|typically|often|sometimes|e\.g\."
    r"|for example|such as|would|might|may|can(?! not)|could(?! not)|should|see also|the form|looks like"
    r"|is raised|are raised|is returned)\b",
    re.IGNORECASE,
)
# A person speaks of what did happen: `I keep getting ... when I start the server`.
PERSON = re.compile(r"\b(?:I|we|We|my|My|our|Our|me|us)\b")
# What a compiler says of a line: `crt/host_config.h(153): fatal error C1189: ...`, `a.cu:12: error: ...`.
COMPILED = re.compile(r"(?:\(\d+(?:,\d+)?\)|:\d+): (?:fatal )?error\b[^:]{0,10}:")
# A point of a list in a document: a whole sentence behind a dash or number.
POINT = re.compile(r"\s*(?:[-*]|\d{1,3}\.) [A-Z]\w*(?: \S+){5,}\.\s*$")
# A program that prints release notes: `  * "ValueError: LoRA rank 64 is ..." now names the flag`.
BULLET = re.compile(r"\s*[-*\u2022] ")
# The quote that begins it, behind a blank: in `"msg":"LoRA rank 64 ..."` there is none, that is JSON. A class
# or who says it may stand between: `"CUDA error: invalid device ordinal"`.
OPENING = re.compile(r"(?:^|(?<=[\s(]))[\"'`“«]+(?:[\w. ()]{1,60}: )?$")
SENTENCE = re.compile(r"[.,;:)]*\s+\w+\s+\w")
CLOSING = re.compile(r"[^\"'`”»]*[\"'`”»]")
# `... starvation for unpinned adapters and base models.` is raised when you try to pin ...
# OOMKilled (exit code 137) means that a container used more memory than its limit.
EXPLAINED = re.compile(
    r"[\"'`”».,:]*(?:</\w+>)*\s*(?:\([^()]{0,80}\)\s*)?"
    r"(?:means|indicates|is raised|are raised|is thrown|is returned|is a|happens|occurs|appears)\b"
)
# with pytest.raises(ValueError, match="LoRA rank 64 ..."), where msg like '%Watchdog caught ...'
ARGUMENT = re.compile(r"(?:[=(\[{,]|\blike)\s*[rbfu]{0,2}[\"'`]+%?(?:[\w. ()]{1,60}: )?$", re.IGNORECASE)
# A rule that looks for it: `pattern: "Watchdog caught ..."`, `{"contains":"No free lora slots"}`
RULE = re.compile(
    r"(?:^|[\s{,])[\"']?(?:pattern|reg(?:ex|exp)|contains|matche?s?|expr|query)[\"']?\s*:"
    r"\s*[\"'`]+(?:[\w. ()]{1,60}: )?$"
)
# tests/test_gpu.py::test_kernel SKIPPED (No CUDA GPUs are available)
RESULT = re.compile(r"(?:^\s*|::\S{1,300} )(?:PASSED|SKIPPED|XFAIL)\b")
# AssertionError: "LoRA is disabled" does not match "LoRA is not enabled. ...": what a test wanted, and got
COMPARED = re.compile(
    r"[\"'] (?:does not match|not found in|[!=]=) [\"']|\bassert (?:not )?[\"']"
    r"|pattern did not match|Actual message:|Expected regex:"
)
# level=error msg="LoRA rank 64 ...": logfmt is a log and no code.
LOGFMT = re.compile(r"(?:^|\s)\w*(?:msg|message|err|error|detail|exception|log|stderr|reason)=[\"'`]+$")
# grep -rn 'Watchdog caught collective operation timeout' logs/
SHELL = re.compile(r"\b(?:grep|rg|awk|sed|echo|printf|journalctl)\b[^|;]*[\"'`](?:[\w. ()]{1,60}: )?$")
# | OOMKilled | container over its limit |
TABLE = re.compile(r"\s*\|.*\|\s*$")
# Somebody tells what happened: Hi, when I load my adapter I get "LoRA rank 64 is ...". What should I do?
HAPPENED = re.compile(
    r"\b(?:I|I'm|we|my|our|us|printed|got|died|crashed|hangs|hung|failed with|error occur(?:s|red)"
    r"|(?:fails|dies|stops|crashes|ends|exits|aborts) with)\b"
)
# What PyTorch adds to every error of CUDA says nothing of the sentence before it.
ADDED = re.compile(r"\bCUDA kernel errors might be |\bFor debugging consider passing CUDA_")
# I got "CUDA error: invalid device ordinal" last week and fixed it by lowering nproc.
SOLVED = re.compile(
    r"\b(?:fixed|solved|resolved) (?:it|this|that|by)\b|\b(?:works|trains|runs) (?:fine|well|now)\b"
)
# // The error is extracted as follows: Xid 79 means ..., and indented items of release notes.
COMMENT = re.compile(r"(?<!:)//|/\*\s|^\s+\*\s")
ITEM = re.compile(r"\s+\* ")
STATEMENT = re.compile(
    r"\s*(?:except|if|elif|while|return|def|class|import|assert|raise|print\(|try:)(?:\b|$)"
)


def is_written(line: Line) -> bool:
    """Whether a process wrote the line, as far as its prefix says."""
    return line.level is not None or line.time is not None or line.process.known()


def speaks_generally(line: Line, start: int, end: int | None = None) -> bool:
    """Whether what stands between `start` and `end` of a line is part of a sentence about what can happen."""
    if is_written(line) or PERSON.search(line.text) or COMPILED.search(line.text, 0, start):
        return False
    if POINT.match(line.text):
        return True
    if len(line.text[:start].split()) < FEWEST_WORDS:
        return False
    behind = ADDED.split(line.text[start if end is None else end :], maxsplit=1)[0]
    return GENERAL.search(line.text[:start]) is not None or GENERAL.search(behind) is not None


def is_quoted(line: Line, start: int) -> bool:
    """Whether what stands at `start`, with its class before it or not, is quoted inside a sentence."""
    opening = OPENING.search(line.text, 0, start)
    if opening is not None and line.level is None and BULLET.fullmatch(line.text, 0, opening.start()):
        return True
    if is_written(line) or opening is None:
        return False
    if SOLVED.search(line.text, start):
        return True
    if HAPPENED.search(line.text[: opening.start()]):
        return False
    prior = line.text[: opening.start()].rstrip()
    if prior.endswith((":", "=", ",", "{", "[")):
        return False  # a value of JSON, YAML or a setting
    before = len(prior.split())
    closing = CLOSING.match(line.text, start)
    goes_on = closing is not None and SENTENCE.match(line.text, closing.end()) is not None
    return before >= FEWEST_WORDS or (before >= 1 and goes_on)


def is_explained(line: Line, end: int) -> bool:
    """Whether the sentence goes on behind `end` to say what it means."""
    return not is_written(line) and EXPLAINED.match(line.text, end) is not None


def is_code(line: Line, start: int) -> bool:
    """Whether what stands at `start` is part of a statement, a comment or a string argument."""
    before = line.text[:start]
    if line.level is None and ITEM.match(before):
        return True
    if is_written(line):
        return False
    if STATEMENT.match(line.text) or COMMENT.search(before) or SHELL.search(before):
        return True
    if RESULT.search(before) or RULE.search(before):
        return True
    return ARGUMENT.search(before) is not None and LOGFMT.search(before) is None


def is_compared(type_: str | None, text: str) -> bool:
    """Whether an assertion compares messages: none of those in its text was raised."""
    return type_ is not None and type_.endswith("AssertionError") and COMPARED.search(text[:2000]) is not None


def is_prose(line: Line, start: int, end: int | None = None) -> bool:
    """Whether what stands at `start` of the line, up to `end`, is spoken of, and did not happen there."""
    return is_quoted(line, start) or speaks_generally(line, start, end)


def is_spoken_of(line: Line, start: int, end: int) -> bool:
    """Whether a sentence or a table speaks of what stands between `start` and `end`."""
    in_table = not is_written(line) and TABLE.match(line.text) is not None
    return in_table or is_prose(line, start, end) or is_explained(line, end)


def is_mention(line: Line, start: int, end: int) -> bool:
    """Whether a message found between `start` and `end` of a line is only mentioned there."""
    return is_spoken_of(line, start, end) or is_code(line, start)
