"""Records of pairs in any order, as programs in Go write: `ts=... level=error rank=4 msg="..." err="..."`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.diagnose.clean import json_keys as keys
from kb.diagnose.clean.backslashes import unescaped
from kb.diagnose.clean.origin import Said, tell
from kb.diagnose.clean.prefixes import level_of
from kb.diagnose.clean.text import Line

_PAIR = re.compile(
    r'\s*(?P<key>[A-Za-z_@][\w.@-]{0,60})=(?:"(?P<quoted>[^"\\]*+(?:\\.[^"\\]*+)*+)"|(?P<plain>[^\s"]*+))(?=\s|$)'
)
FEWEST = 3  # pairs of a record
Span = tuple[int, int]
_WHO = ("host", "rank", "local_rank", "role", "pid")


def open_pairs(line: Line) -> list[Line] | None:
    """The message of a record and what failed beside it, or None when the line is no such record."""
    spans = dict(_pairs(line.text))
    fields = {field: span for name, span in spans.items() if (field := keys.FIELDS.get(name, ("", 0))[0])}
    if len(spans) < FEWEST or "message" not in fields or not {"time", "level"} & fields.keys():
        return None
    texts = {field: line.text[start:end] for field, (start, end) in fields.items()}
    said = Said(
        process=line.process._replace(**{name: texts[name] for name in _WHO if texts.get(name)}),
        level=level_of(texts.get("level")) or line.level,
        time=texts.get("time") or line.time,
    )
    told = [fields["message"], *(span for name, span in spans.items() if name in keys.DETAILS)]
    return [tell(inner, said) for start, end in told if end > start for inner in unescaped(line, start, end)]


def _pairs(text: str) -> Iterator[tuple[str, Span]]:
    """Each key in lower case, and where its value stands; nothing behind what is no pair."""
    at = 0
    while (match := _PAIR.match(text, at)) is not None:
        yield match["key"].lower(), match.span("plain" if match["quoted"] is None else "quoted")
        at = match.end()
