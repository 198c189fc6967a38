"""Tables of log lines as CSV, as viewers (Grafana, Kibana, CloudWatch Insights) export them.

The heading tells which column is the message: `"Time","Line"`, `@timestamp,@message`. A quoted message may go
on over several lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean import json_keys as keys
from kb.diagnose.clean.origin import Said, edit, part, tell
from kb.diagnose.clean.prefixes import level_of
from kb.diagnose.clean.text import Line

_NAME = r"\"?@?[A-Za-z_][\w .@]{0,60}\"?"
_HEADING = re.compile(rf"{_NAME}(?:,{_NAME}){{1,40}}\s*$")
_HEADINGS = re.compile(rf"(?m)^{_NAME}(?:,{_NAME}){{1,40}}\s*$")
# A field, and a quoted one that the line's end cuts.
_FIELD = re.compile(r'"(?P<quoted>(?:[^"]|"")*+)(?P<close>"|$)(?=,|$)|(?P<plain>[^",]*+)(?=,|$)')
_END = re.compile(r'(?:[^"]|"")*+"(?=,|$)')
LONGEST_HEAD = 20_000  # characters in which the heading and a quoted field stand
MOST_ROWS = 200  # lines over which one message may go


def is_csv(text: str) -> bool:
    """Whether a paste may hold such a table."""
    head = text[:LONGEST_HEAD]
    return ',"' in head and any(_columns(match[0]) for match in _HEADINGS.finditer(head))


def open_csv(lines: Sequence[Line]) -> list[Line]:
    """Lines with the messages of such tables in the place of their rows."""
    opened: list[Line] = []
    columns: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        found = _columns(line.text) if _HEADING.match(line.text) else []
        if found:
            columns = found
            continue
        row = _row(line, columns) if columns else None
        if row is None:
            opened.append(line)
            continue
        message, said, whole = row
        opened.append(_plain(message, said))
        end = at if whole else _closing(lines, at)
        for below in lines[at:end]:
            match = _END.match(below.text)
            below = part(below, 0, match.end() - 1) if match else below
            opened.append(_plain(below, said))
        at = end
    return opened


def _columns(heading: str) -> list[str]:
    """The fields that a heading names, in its order; none when no column is a message."""
    names = [name.strip().strip('"').lower() for name in heading.split(",")]
    fields = ["message" if name == "line" else keys.FIELDS.get(name, ("", 0))[0] for name in names]
    fields = ["message" if field == "weak" else field for field in fields]
    return fields if "message" in fields and ("time" in fields or "level" in fields) else []


def _row(line: Line, columns: list[str]) -> tuple[Line, Said, bool] | None:
    """The message of a row, what its other fields say, and whether it ends on this line."""
    at = 0
    message = None
    whole = True
    said: Said = {}
    for column in columns:
        match = _FIELD.match(line.text, at)
        if match is None:
            return None
        name = "plain" if match["quoted"] is None else "quoted"
        at = match.end() + 1
        if column == "message" and message is None:
            message = part(line, match.start(name), match.end(name))
            whole = name == "plain" or bool(match["close"])
        elif column == "level":
            said["level"] = level_of(match[name]) or line.level
        elif column == "time":
            said["time"] = match[name] or line.time
        elif column == "host" and match[name]:
            said["process"] = line.process._replace(host=match[name])
        if at > len(line.text):
            break
    return (message, said, whole) if message is not None else None


def _closing(lines: Sequence[Line], at: int) -> int:
    """Behind the line on which a quoted message ends."""
    for end in range(at, min(at + MOST_ROWS, len(lines))):
        if _END.match(lines[end].text):
            return end + 1
    return at


def _plain(line: Line, said: Said) -> Line:
    """The text of a field: a doubled quote is one."""
    text = line.text
    edits = [(match.start(), match.end(), '"') for match in re.finditer('""', text)]
    return tell(edit(line, edits) if edits else line, said)
