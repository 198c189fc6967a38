"""Keys in a file of settings: `max-lora-rank: 16` in YAML, `"max_lora_rank": 16` in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.diagnose.change.edit import LITERAL, Edit, Setting
from kb.diagnose.clean.text import Line
from kb.diagnose.words import WordMap

KEY = re.compile(
    r"\s*(?P<quote>[\"']?)(?P<name>[A-Za-z][A-Za-z0-9_-]*)(?P=quote)\s*:\s*"
    r"(?P<value>\"[^\"]*\"|'[^']*'|[^\s,#\"']+)(?P<rest>,?\s*(?:#.*)?)"
)


def key_edits(lines: Sequence[Line], words: WordMap, setting: Setting) -> Iterator[Edit]:
    """A line that gives the parameter another value. What a logger prints is no file of the person's."""
    spellings = setting.name, setting.name.replace("_", "-")
    for at in words.holding(spellings):
        line = lines[at]
        if line.level is not None or line.time is not None:
            continue
        match = KEY.fullmatch(line.text)
        if match is None or not setting.is_named(match["name"]):
            continue
        if LITERAL.fullmatch(match["value"].strip("\"'")) is not None:
            start = len(line.text) - len(line.text.lstrip())
            before = line.text[start : match.end("value")]
            after = line.text[start : match.start("value")] + setting.value
            yield Edit("yaml", at, before, after)
