"""Put events into the order in which they happened: by time stamps where all have them, else by lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.text import CleanText

# 2025-11-21T09:13:44.123Z, 2025-11-21 09:13:44,123, 11-21 09:13:44, Nov 21 09:13:44, 1121 09:13:44.123456
CLOCK = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d{2}):(?P<second>\d{2}(?:[.,]\d+)?)")
DAY = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})|(?P<m2>\d{1,2})-(?P<d2>\d{1,2})\b|^(?P<m3>\d{1,2})(?P<d3>\d{2})\s"
)


def seconds(time: str) -> float | None:
    """A time stamp as seconds within its year, good for comparing stamps of one paste; None when unreadable."""
    clock = CLOCK.search(time)
    if clock is None:
        return None
    value = int(clock["hour"]) * 3600 + int(clock["minute"]) * 60 + float(clock["second"].replace(",", "."))
    day = DAY.search(time)
    if day is not None:
        month = int(day["month"] or day["m2"] or day["m3"])
        value += (month * 31 + int(day["day"] or day["d2"] or day["d3"])) * 86400
    return value


def newest_first(clean: CleanText) -> bool:
    """Whether the paste runs backwards: its time stamps fall nearly always (log viewers sort like that)."""
    stamps = [s for line in clean.lines[:2000] if line.time and (s := seconds(line.time)) is not None]
    steps = [b - a for a, b in zip(stamps, stamps[1:], strict=False) if b != a]
    falling = sum(step < 0 for step in steps)
    return len(steps) >= 3 and falling >= 0.9 * len(steps)


def ranks_of_lines(clean: CleanText, at: Sequence[int]) -> dict[int, float]:
    """For each clean line index a number that grows with time.

    Time stamps order lines only when every line asked for has one; otherwise the order of the lines counts,
    turned round when the paste runs backwards.
    """
    stamps = {index: seconds(time) if (time := clean.lines[index].time) else None for index in at}
    if len(stamps) > 1 and all(value is not None for value in stamps.values()):
        return {index: value + index * 1e-9 for index, value in stamps.items() if value is not None}
    sign = -1.0 if newest_first(clean) else 1.0
    return {index: sign * index for index in at}
