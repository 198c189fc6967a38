"""What the lines of a traceback look like: header, frames, class, the words that join a chain."""

from __future__ import annotations

import builtins
import re
from typing import Literal

HEADER = "Traceback (most recent call last)"

FRAME = re.compile(
    r"""\s*(?:
        # Python
        File\s"(?P<path>[^"]*)",\ line\ (?P<line>\d+)(?:,\ in\ (?P<function>.+?))?\s*$
        # IPython 8, and the cells of a notebook
      | File\s(?P<ipath>(?:[A-Za-z]:\\)?[^\s":]+):(?P<iline>\d+)(?:,\ in\ (?P<ifunction>[^(]+).*)?$
      | (?:Cell|Input)\ (?P<cell>In\ ?\[\d+\]),\ line\ (?P<cline>\d+)(?:,\ in\ (?P<cfunction>[^(]+))?.*$
        # IPython up to 7, and Colab, which copies a link: the number stands at the arrow below
      | \[?(?P<opath>(?:[~/]|[A-Za-z]:\\)[^\s":]*\.py|<ipython-input-[\w-]+>)(?:\]\(https://[^()\s]{1,200}\))?(?P<oline>)
        \ in\ (?P<ofunction><[^<>]+>|[\w.]+)\(.*\)\s*$
        # rich
      | (?P<rpath>[^\s"]+\.py):(?P<rline>\d+)\ in\ (?P<rfunction>\S+)\s*$
    )""",
    re.VERBOSE,
)

# One of these stands in the line of each frame.
FRAME_SIGNS = ("File ", ".py:", ".py in ", ".py](", "Cell In", "Input In", "<ipython")
# One of these stands in each line with which a traceback can begin, or a report of C++ about an exception.
SIGNS = (HEADER, *FRAME_SIGNS, "what()", "terminate called")
# IPython names the class above the frames, too: `ValueError          Traceback (most recent call last)`.
HEADED = re.compile(r"(?P<type>[A-Za-z_][\w.]*) {2,}Traceback \(most recent call last\)")

# A name at the start of a line, alone or before a colon: `torch.OutOfMemoryError: CUDA ...`,
# `requests.exceptions.HTTPError (status 503): ...`, `ray.exceptions.RayTaskError(ValueError): ...`; Java and
# C# put words in front.
NAMED = re.compile(
    r"\s*(?:Caused by: |Exception in thread \"[^\"]{0,200}\" |Unhandled exception\. )?"
    r"(?P<type>[A-Za-z_][\w.]*+)(?: ?\((?![\'\"])[^()]{0,80}\))?(?::(?:\s+(?P<text>.*))?|\s*)$"
)
# Endings of names that are errors wherever they stand.
ENDINGS = ("Error", "Exception", "Interrupt", "Exit", "Timeout", "TimeoutExpired", "Failure", "NotFound",
           "Killed", "Abort", "ExceptionGroup")  # fmt: skip
# Too short to prove anything without a module, a message or frames.
WEAK = frozenset({"Error", "Exception", "Exit", "Timeout", "Failure", "NotFound", "Abort", "Killed"})
# Classes of the standard library whose names end otherwise: `socket.gaierror: [Errno -2] ...`.
SMALL = re.compile(r"(?:socket|select|struct|zlib|binascii|re|sqlite3|queue|asyncio|ssl|_queue)\.\w+")
# `triton.runtime.autotuner.OutOfResources: out of resource: ...`
DOTTED = re.compile(r"(?:[a-z_]\w*+\.){2,}[A-Z]\w+")
KNOWN = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
) | {"OutOfMemoryError", "DistBackendError", "NotFoundError", "BadRequestError"}
BY_LOWER = {name.lower(): name for name in KNOWN}
NO_CLASS = frozenset(
    {"Traceback", "else", "try", "finally", "pass", "return", "break", "continue", "raise", "yield"}
)
# A worker's traceback comes as the text of one of these; the error itself stands inside it.
ENVELOPES = ("RemoteTraceback",)

# The class in the middle of a line: `Worker exited: ValueError: ...`, behind prose in another script, and as
# Python writes one in a message: `Failed to import from vllm._C with ImportError('... undefined ...')`.
INNER = re.compile(
    r"(?<![\w.])(?P<type>(?:[A-Za-z_]\w*+\.)*+[A-Z]\w*(?:Error|Exception))(?::\s+(?=\S)|\((?=['\"]))"
)

# Two processes wrote at once: `RuntimeErrorpred = model(imgs)` or `    work()FileNotFoundError`, and the
# message on the next line behind `: `.
TORN_CLASS = re.compile(
    r"\s*(?P<type>[A-Z]\w*?(?:Error|Exception))(?=[a-z_]\w*[ (.=\[])"
    r"|.*[)\]}\"'^~](?P<end>[A-Z]\w*(?:Error|Exception))$"
)
TORN_TEXT = re.compile(r":(?:\s+(?P<text>.*))?$")

MARKERS = re.compile(
    r"\s*[\^~]+\s*$|\s*\[Previous line repeated \d+ more times?\]\s*$|\s*\.\.\.<\d+ lines>\.\.\.\s*$"
)
GROUP_LINE = re.compile(r"\s*\+?-?\+-{4,}(?: (?P<number>\d+|\.\.\.) -{4,})?")
CPP_FRAME = re.compile(r"\s*(?:frame #\d+: |#\d+ 0x|Exception raised from \S+ at )")

Chain = Literal["cause", "context"]
CHAIN: tuple[tuple[str, Chain], ...] = (
    ("The above exception was the direct cause of the following exception", "cause"),
    ("During handling of the above exception, another exception occurred", "context"),
    ("The above exception was the following", "cause"),
)

# C++: `terminate called after throwing an instance of 'c10::DistBackendError'` and `what():  [Rank 1] ...`.
TERMINATE = re.compile(r"terminate called after throwing an instance of '(?P<type>[^']+)'")


def named(text: str) -> re.Match[str] | None:
    """The class and message in a line that begins with a name which says by itself that it is an error."""
    match = NAMED.match(text)
    return match if match is not None and is_error(match["type"], bare=match["text"] is None) else None


def named_any(text: str) -> re.Match[str] | None:
    """The class and message in a line behind frames, where any name can be one: `StopIteration`."""
    match = NAMED.match(text)
    if match is None or match["type"] in NO_CLASS:
        return None
    name = match["type"]
    # A line of healthy output between two frames: `evaluation: exact_match 0.71`.
    return match if "." in name or not name.islower() or name in BY_LOWER else None


def is_error(name: str, *, bare: bool = False) -> bool:
    """Whether a name is that of an error; a `bare` one has no message behind it."""
    if name.endswith(ENDINGS):
        return name not in WEAK or (not bare and name == "Exception")
    if "." not in name:
        return name in BY_LOWER  # pastes in lower case
    return DOTTED.fullmatch(name) is not None or SMALL.fullmatch(name) is not None


def mended(name: str) -> str:
    """The class as it was meant: `untimeError` lost a letter, `RuntimeErrorRuntimeError` came twice."""
    if name in KNOWN or "." in name:
        return name
    half = name[: len(name) // 2]
    if half + half == name:
        return half
    if name in BY_LOWER:
        return BY_LOWER[name]
    if name[0].islower() and len(name) > 6:
        whole = [known for known in KNOWN if known.endswith(name) and len(known) - len(name) <= 3]
        return whole[0] if len(whole) == 1 else name
    return name


def is_frame(text: str) -> re.Match[str] | None:
    """The frame that a line names."""
    return FRAME.match(text) if any(sign in text for sign in FRAME_SIGNS) else None


def chain_word(text: str) -> Chain | None:
    """`cause` or `context` when the line joins two exceptions of a chain."""
    if "exception" not in text:
        return None
    return next((word for phrase, word in CHAIN if phrase in text), None)


def indentation(text: str) -> int:
    return len(text) - len(text.lstrip())
