"""Beginnings of lines that no prose has: tracebacks, frames, exceptions, prefixes of known tools.

A prefix that no row knows, a margin or an escape is taken for one only when what it hides starts like this.
"""

from __future__ import annotations

import re

_SIGN = re.compile(
    r"""Traceback\ \(most\ recent\ call\ last\) | \ {2}File\ "
    | (?:Cell|Input)\ In\ ?\[\d | \ *\+\ Exception\ Group | [|]\ {3}File\ "
    | During\ handling\ of\ the\ above | The\ above\ exception\ was
    | (?:[A-Za-z_]\w*\.){0,8}[A-Za-z_]\w*(?:Error|Exception|Interrupt|Exit)(?::\ |\(|$)
    | terminate\ called\ after | \ {2}what\(\): | frame\ \#\d+:\ | Exception\ raised\ from
    | \[rank\d+\] | \[[IWEF]\d{3,4}\ | \[[EW]\ [\w/]+\.cpp: | [IWEF]\d{4}\ \d\d: | \([\w.:-]+\ pid=\d
    | (?:DEBUG|INFO|WARNING|ERROR|CRITICAL)(?::\ {2,}|\ \d\d-\d\d\ |:\w[\w.]*:|\ -\ )
    | \d{4}-\d\d-\d\d[T\ ]\d\d:\d\d | \{"\w | \u256d\u2500 | E\ {3}\S | NCCL\ (?:WARN|INFO)
    | (?:NVRM:\ )?Xid\ \( | \[Rank\ \d+\] | [=-]{40} | \$\ [a-z] | Killed$
    | (?:docker:\ )?Error\ response\ from\ daemon | make(?:\[\d+\])?:\ \*\*\*
    # kubectl's events, as a table or in a description
    | (?:(?:\d{1,4}[smhd]){1,3}\ +(?:\(x\d+\ over\ \w+\)\ +)? | \ {2})(?:Warning|Normal)\ +[A-Z][A-Za-z]+\ {2}
    | (?:srun|slurmstepd|salloc|mpirun)\b
    """,
    re.VERBOSE,
)
# What stands in front of a line, for patterns with `re.VERBOSE`: its writer, a logger's level or time.
WRITER = r"\((?:[\w.:-]{1,60}\ )?pid=\d{1,9}[^()]{0,60}\)|\[rank\d{1,5}\]:?"
STAMP = r"""
    (?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\ \d\d-\d\d\ \d\d:\d\d:\d\d
  | \[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d:\d\d
  | [IWEF]\d{4}\ \d\d:\d\d:\d\d\.\d
"""
RECORD = f"{WRITER}|{STAMP}"
_EXCEPTION = re.compile(
    r"(?:[A-Za-z_]\w*\.){0,8}[A-Za-z_]\w*(?:Error|Exception|Interrupt|Exit|Warning)(?::| *$)"
)
_FRAME = re.compile(r' *File ".{1,500}", line \d+')


def is_sign(text: str) -> bool:
    """Whether a text starts like a traceback, an exception or a known log line."""
    return _SIGN.match(text) is not None


def is_exception(text: str) -> bool:
    """Whether a text starts with the name of an exception and a colon, or is one."""
    return _EXCEPTION.match(text) is not None


def is_frame(text: str) -> bool:
    """Whether a text is a `File "...", line 12` line."""
    return _FRAME.match(text) is not None
