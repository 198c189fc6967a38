"""Tables of log lines as CSV or with tabs, as viewers (Grafana, CloudWatch, Azure) export or copy them.

The heading tells which column is the message: `"Time","Line"`, `@timestamp,@message`. A quoted message may go
on over several lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.diagnose.clean import json_keys as keys
from kb.diagnose.clean.origin import Said, edit, part, tell
from kb.diagnose.clean.prefixes import level_of
from kb.diagnose.clean.text import Line

_NAME = r"\"?@?[A-Za-z_][\w .@]{0,60}(?:\[UTC\])?\"?"
_HEADING = re.compile(rf"(?m)^{_NAME}(?P<comma>[,\t]){_NAME}(?:(?P=comma){_NAME}){{0,40}}[ \r]*$")
# A field, quoted or not; a quoted one may be cut by the line's end.
_FIELD = re.compile(r'"(?P<quoted>(?:[^"]|"")*+)(?P<close>"|$)(?=[,\t]|$)|(?P<plain>[^",]*+)(?=,|$)')
_END = re.compile(r'(?:[^"]|"")*+"(?=,|$)')
FEWEST_WORDS = 3  # columns of one word each, of which none needs to be a time or level: `job,state,log`
LONGEST_HEAD = 20_000  # characters in which the heading and a row stand
MOST_ROWS = 200  # lines over which one message may go
MOST_TRIES = 50  # messages that do not end: each costs a look at so many lines


@dataclass(frozen=True, slots=True)
class _Columns:
    """The fields that a heading names, in its order, and what stands between them."""

    fields: tuple[str, ...]
    comma: str


def is_table(text: str) -> bool:
    """Whether a paste may hold such a table."""
    head = text[:LONGEST_HEAD]
    return (',"' in head or "\t" in head) and any(map(_columns, _HEADING.finditer(head)))


def open_table(lines: Sequence[Line]) -> list[Line]:
    """Lines with the messages of such tables in the place of their rows."""
    opened: list[Line] = []
    columns: _Columns | None = None
    at = tries = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        heading = _HEADING.match(line.text)
        found = _columns(heading) if heading is not None else None
        if found is not None:
            columns = found
            continue
        row = _row(line, columns) if columns is not None else None
        if row is None:
            opened.append(line)
            continue
        message, said, whole = row
        opened.append(_plain(message, said))
        end = at if whole or tries == MOST_TRIES else _closing(lines, at)
        tries += not whole and end == at
        for below in lines[at:end]:
            match = _END.match(below.text)
            opened.append(_plain(part(below, 0, match.end() - 1) if match else below, said))
        at = end
    return opened


def _columns(heading: re.Match[str]) -> _Columns | None:
    """What a heading names; None when no column is a message, or it could be words of a sentence."""
    names = [name.strip().strip('"').lower() for name in heading[0].split(heading["comma"])]
    fields = [keys.COLUMNS.get(name) or keys.FIELDS.get(name, ("", 0))[0] for name in names]
    worded = len(names) < FEWEST_WORDS or any(" " in name for name in names)
    if "message" not in fields or (worded and not {"time", "level"} & set(fields)):
        return None
    return _Columns(tuple(fields), heading["comma"])


def _row(line: Line, columns: _Columns) -> tuple[Line, Said, bool] | None:
    """The message of a row, what its other fields say, and whether it ends on this line."""
    text = line.text
    message = None
    whole = True
    said: Said = {}
    for column, (start, end, closed) in zip(columns.fields, _fields(text, columns.comma), strict=False):
        if column == "message" and message is None:
            message, whole = part(line, start, end), closed
        elif column == "level":
            said["level"] = level_of(text[start:end]) or line.level
        elif column == "time":
            said["time"] = text[start:end] or line.time
        elif column == "host" and end > start:
            said["process"] = line.process._replace(host=text[start:end])
    return (message, said, whole) if message is not None else None


def _fields(text: str, comma: str) -> Iterator[tuple[int, int, bool]]:
    """From where to where each field of a row goes, and whether it is closed."""
    at = 0
    while at <= len(text):
        if comma == "\t":
            end = text.find("\t", at)
            end = len(text) if end < 0 else end
            yield at, end, True
            at = end + 1
            continue
        match = _FIELD.match(text, at)
        if match is None:
            return
        name = "plain" if match["quoted"] is None else "quoted"
        yield match.start(name), match.end(name), name == "plain" or bool(match["close"])
        at = match.end() + 1


def _closing(lines: Sequence[Line], at: int) -> int:
    """Behind the line on which a quoted message ends."""
    for end in range(at, min(at + MOST_ROWS, len(lines))):
        if _END.match(lines[end].text):
            return end + 1
    return at


def _plain(line: Line, said: Said) -> Line:
    """The text of a field: a doubled quote is one."""
    edits = [(match.start(), match.end(), '"') for match in re.finditer('""', line.text)]
    return tell(edit(line, edits) if edits else line, said)
