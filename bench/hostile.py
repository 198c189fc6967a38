"""Texts that are made to be slow, and healthy ones to hide a failure in. Sizes are in characters."""

from __future__ import annotations

from collections.abc import Callable


def healthy(count: int) -> list[str]:
    """Lines of a server that does its work, no two the same."""
    return [
        f"(EngineCore_DP0 pid=143) INFO 06-14 {8 + n // 3600 % 12:02}:{n // 60 % 60:02}:{n % 60:02}"
        f" [loggers.py:127] Engine 000: Avg prompt throughput: {n % 977 * 1.3:.1f} tokens/s,"
        f" Running: {n % 41} reqs"
        if n % 3
        else f"(APIServer pid=77) INFO:     10.20.{n % 7}.{n % 251}:{40000 + n % 9999} -"
        f' "POST /v1/chat/completions HTTP/1.1" 200 OK'
        for n in range(count)
    ]


def repeated(unit: str) -> Callable[[int], str]:
    """A text of nothing but one unit."""
    return lambda size: unit * (size // len(unit))


def numbered(unit: str) -> Callable[[int], str]:
    """A text of one unit with a number of its own in each; the unit's `#` is the number."""
    return lambda size: "".join(unit.replace("#", str(n)) for n in range(size // (len(unit) + 3)))


ONE_LINE: dict[str, Callable[[int], str]] = {
    "one character": repeated("a"),
    "blanks": repeated(" "),
    "brackets": repeated("["),
    "quotes": repeated('"'),
    "backslashes": repeated("\\"),
    "deep JSON": repeated('{"a":'),
    "keys without values": repeated('"message": "'),
    "colons": repeated("a: "),
    "dots": repeated("a."),
    "classes": repeated("(AError "),
    "quote marks": repeated("> "),
    "octets": repeated("%41"),
    "escapes": repeated("\x1b["),
}
MANY_LINES: dict[str, Callable[[int], str]] = {
    "one character in lines": repeated("a" * 999 + "\n"),
    "brackets in lines": repeated("[{(" * 300 + "\n"),
    "nested quotes": lambda size: "".join(f"{'> ' * (n % 500)}x\n" for n in range(size // 500)),
    "blank lines": repeated("\n"),
    "one error": repeated("ValueError: LoRA rank 64 is greater\n"),
    "a known error": repeated("ValueError: LoRA rank 64 is greater than max_lora_rank 16.\n"),
    "errors of their own": numbered("ValueError: no # is greater\n"),
    "errors in a chain": repeated(
        "ValueError: x\n\nDuring handling of the above exception, another exception occurred:\n\n"
    ),
    "frames": repeated('  File "a.py", line 1, in f\n    x\n'),
    "headers": repeated("Traceback (most recent call last):\n"),
    "terminate": repeated("terminate called after throwing an instance of 'a'\n"),
    "torn classes": repeated("RuntimeErrorx = f()\n"),
    "groups": repeated("ExceptionGroup: x (1 sub-exception)\n+-+---------------- 1 ----------------\n"),
    "bodies": repeated('{"error": {"message": "x", "code": 500}}\n'),
    "open bodies": repeated('{\n"message": "x",\n'),
    "ranks": numbered("[rank#]: ValueError: x\n"),
    "log lines": numbered("2026-01-02 03:04:05,# ERROR x failed\n"),
    "warnings": numbered("a.py:#: UserWarning: x failed\n"),
    "Xids": repeated("NVRM: Xid (PCI:0000:3b:00): 79, pid=1\n"),
    "pods": repeated("      Reason:       OOMKilled\n      Exit Code:    137\n"),
    "flags": numbered("--flag-# 1 \\\n"),
    "healthy log": lambda size: "\n".join(healthy(size // 100)),
}
HOSTILE = ONE_LINE | MANY_LINES
