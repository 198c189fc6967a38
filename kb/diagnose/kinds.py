"""The kind of a failure that no entry knows, from its exception class, signal or exit code."""

from __future__ import annotations

import re

from kb.diagnose.report import Event, Facts

CLASSES = {
    "capacity": (
        "MemoryError", "OutOfMemoryError", "OutOfMemory", "ResourceExhaustedError", "RecursionError",
    ),
    "environment": (
        "ImportError", "ModuleNotFoundError", "FileNotFoundError", "PermissionError", "NotADirectoryError",
        "IsADirectoryError", "CalledProcessError", "VersionConflict", "OSError",
    ),
    "transport": (
        "ConnectionError", "ConnectionRefusedError", "ConnectionResetError", "BrokenPipeError",
        "TimeoutError",
        "ReadTimeout", "ConnectTimeout", "HTTPError", "SSLError", "URLError", "gaierror", "DistBackendError",
        "DistNetworkError", "DistStoreError", "ServerSelectionTimeoutError",
    ),
    "data": (
        "UnicodeDecodeError", "JSONDecodeError", "SafetensorError", "UnpicklingError", "ParserError",
        "EOFError",
        "BadZipFile",
    ),
    "configuration": ("ValidationError", "ArgumentError", "ConfigError", "NotFoundError", "BadRequestError"),
    "defect": (
        "AttributeError", "NameError", "TypeError", "AssertionError", "NotImplementedError", "IndexError",
        "KeyError",
        "UnboundLocalError", "ZeroDivisionError", "SyntaxError", "IndentationError",
    ),
}  # fmt: skip
BY_CLASS = {name: kind for kind, names in CLASSES.items() for name in names}
# What messages say, for classes that say nothing and lines without one; the first row that fits counts.
PHRASES = {
    "hardware": ("fallen off the bus", "uncorrectable ECC", r"\bnode fail", "determine the device handle"),
    "capacity": (
        "out of memory", r"\boom[_ -]kill", "no space left on device", "quota exceeded",
        "too many open files", "cannot allocate memory", "insufficient shared memory", "due to time ?limit",
    ),
    "transport": (
        "connection (?:refused|timed out|reset|closed)", "broken pipe", "timed out", "no route to host",
        "network is unreachable", "name or service not known", "temporary failure in name resolution",
    ),
    "environment": (
        "command not found", ": not found$", "no module named", "cannot open shared object",
        "undefined symbol", "permission denied", "no such file or directory",
        "is not compatible with", "compiled using numpy",
        "library version not found", "could not find a version", "insufficient for CUDA runtime",
    ),
    "configuration": ("unrecognized arguments", "invalid choice", r'HTTP/[\d.]+" 404'),
}  # fmt: skip
WORDS = tuple((kind, re.compile("|".join(rows), re.IGNORECASE)) for kind, rows in PHRASES.items())
SAYS_LITTLE = frozenset({
    "OSError", "IOError", "RuntimeError", "Exception", "CalledProcessError", "DistBackendError", "Error",
})  # fmt: skip
BY_SIGNAL = {"SIGSEGV": "defect", "SIGBUS": "capacity", "SIGILL": "environment", "SIGABRT": "defect"}


def kind_of(event: Event, facts: Facts) -> str | None:
    """configuration, capacity, ...; None when nothing tells. A bare SIGKILL proves no out-of-memory kill."""
    name = (event.type or "").rpartition(".")[2]
    if name in BY_CLASS and name not in SAYS_LITTLE:
        return BY_CLASS[name]
    if event.on != "fact" and (said := kind_of_words(event.passage.text[:2000])) is not None:
        return said
    if event.type is not None:
        return BY_CLASS.get(name)
    if "xid" in event.fields:
        return "hardware"
    if event.fields.get("k8s_reason") == "OOMKilled":
        return "capacity"
    return BY_SIGNAL.get(facts.signal or "")


def kind_of_words(text: str) -> str | None:
    """The kind that a message's own words tell."""
    return next((kind for kind, pattern in WORDS if pattern.search(text)), None)
