"""Keys of log records, in lower case: what loggers and shippers call the message, its time, its level."""

# fmt: off

MESSAGES = ("message", "msg", "log", "textpayload", "event", "@message", "short_message")
WEAK_MESSAGES = ("text", "line", "body")  # servers answer with these too

TIMES = (
    "time", "timestamp", "@timestamp", "ts", "asctime", "receivetimestamp", "datetime", "t",
    "_source_realtime_timestamp",
)
LEVELS = ("level", "severity", "levelname", "log_level", "loglevel", "lvl", "log.level", "level_name")
LOGGERS = ("logger", "logger_name", "log.logger", "loggername", "name", "module", "target")
HOSTS = ("hostname", "host", "node", "_hostname", "kubernetes.pod_name", "pod")
ROLES = ("processname", "process_name", "container_name", "container", "kubernetes.container_name")
PIDS = ("pid", "_pid", "process_id", "process")
FILES = ("filename", "file", "caller", "pathname", "source")
LINES = ("lineno", "line_number")

# What failed, beside the message.
DETAILS = frozenset((
    "error", "err", "exception", "exc_info", "exc_text", "exc", "exc_value", "stack", "stack_info",
    "stack_trace", "stacktrace", "traceback", "reason", "cause", "error_message", "error.message",
    "error.stack_trace", "error.stack", "exception.message", "exception.stacktrace", "err.stack",
    "err.message",
))
# Objects that shippers put around the record.
WRAPS = frozenset((
    "jsonpayload", "protopayload", "fields", "data", "record", "attributes", "_source", "log", "logevent",
    "extra", "payload",
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
