"""The kind of a failure that no entry knows, from its exception class, signal or exit code."""

from __future__ import annotations

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
BY_SIGNAL = {"SIGSEGV": "defect", "SIGBUS": "capacity", "SIGILL": "environment", "SIGABRT": "defect"}


def kind_of(event: Event, facts: Facts) -> str | None:
    """configuration, capacity, ...; None when nothing tells. A bare SIGKILL proves no out-of-memory kill."""
    if event.type is not None:
        return BY_CLASS.get(event.type.rpartition(".")[2])
    if "xid" in event.fields:
        return "hardware"
    if event.fields.get("k8s_reason") == "OOMKilled":
        return "capacity"
    return BY_SIGNAL.get(facts.signal or "")
