"""Who a text names that stands before lines: `logs/rank_3.err:88:`, `node=a3 local_rank=1 |`."""

from __future__ import annotations

import re

from kb.diagnose.clean.text import Process

_JOINT = r"[ =:_#-]{0,2}"
_FIELDS = {
    "rank": re.compile(rf"(?i)(?<![a-z])(?<!local[ _-])(?:global[ _-]?)?rank{_JOINT}(\d{{1,6}})(?!\d)"),
    "local_rank": re.compile(rf"(?i)(?<![a-z])local[ _-]?rank{_JOINT}(\d{{1,3}})(?!\d)"),
    "pid": re.compile(r"(?i)(?<![a-z])pid[ =:_-]{0,2}(\d{2,10})(?!\d)"),
    "host": re.compile(r"(?i)(?<![a-z])(?:host|hostname|node|pod)[=:] ?([a-z][\w.-]{0,62})"),
}


def who_in(text: str, known: Process) -> Process:
    """What is known of a process, completed by what a text names."""
    found = {
        name: match[1]
        for name, pattern in _FIELDS.items()
        if getattr(known, name) is None and (match := pattern.search(text)) is not None
    }
    return known._replace(**found) if found else known
