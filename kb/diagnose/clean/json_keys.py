"""Keys of log records, in lower case: what loggers and shippers call the message, its time, its level."""

from __future__ import annotations

# fmt: off

# For each field its keys, the best first.
_KEYS = {
    "message": ("message", "msg", "log", "textpayload", "event", "@message", "short_message"),
    "weak": ("text", "line", "body"),  # messages too, but servers answer with these
    "time": (
        "time", "timestamp", "@timestamp", "ts", "asctime", "receivetimestamp", "datetime", "t",
        "_source_realtime_timestamp",
    ),
    "level": (
        "level", "severity", "levelname", "log_level", "loglevel", "lvl", "log.level", "level_name",
        "level.name", "severitytext",
    ),
    "priority": ("priority",),
    "logger": ("logger", "logger_name", "log.logger", "loggername", "name", "module", "target"),
    "host": (
        "hostname", "host", "host.name", "node", "_hostname", "kubernetes.pod_name", "pod", "labels.pod_name",
        "pod.name", "labels.pod", "pod_name",
    ),
    "rank": ("rank", "global_rank"),
    "local_rank": ("local_rank",),
    "role": (
        "processname", "process_name", "container_name", "container", "kubernetes.container_name",
        "labels.container_name", "container.name", "labels.container",
    ),
    "pid": ("pid", "_pid", "process_id", "process", "process.pid", "process.id"),
    "file": ("filename", "file", "caller", "pathname", "source", "file.name"),
    "line": ("lineno", "line_number"),
}
FIELDS = {key: (field, place) for field, names in _KEYS.items() for place, key in enumerate(names)}

# Columns of viewers' tables that are named otherwise.
COLUMNS = {"line": "message", "text": "message", "body": "message", "timegenerated [utc]": "time"}

# What failed, beside the message.
DETAILS = frozenset((
    "error", "err", "exception", "exc_info", "exc_text", "exc", "exc_value", "stack", "stack_info",
    "stack_trace", "stacktrace", "traceback", "reason", "cause", "error_message", "error.message",
    "error.stack_trace", "error.stack", "exception.message", "exception.stacktrace", "exception.exc_value",
    "err.stack", "err.message",
))
# Objects that shippers put around the record.
WRAPS = frozenset((
    "jsonpayload", "protopayload", "fields", "data", "record", "attributes", "_source", "log", "logevent",
    "extra", "payload", "resource",
))
# Keys that only an envelope has.
SHIPPED = frozenset((
    "stream", "insertid", "logname", "kubernetes", "ingestiontime", "_transport", "priority", "_machine_id",
))
# Keys that only the answer of a server has.
ANSWERS = frozenset((
    "object", "success", "detail", "error_message", "error_type", "choices", "param", "code", "type",
))

# The numbers of syslog, as journald writes them.
PRIORITIES = {
    "0": "critical", "1": "critical", "2": "critical", "3": "error", "4": "warning", "5": "info", "6": "info",
    "7": "debug",
}
