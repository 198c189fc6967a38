"""Put events into the order in which they happened: by time stamps where they compare, else by lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from kb.diagnose.clean.text import CleanText

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# 09:13:44.123, 09:13:44,123
CLOCK = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d{2}):(?P<second>\d{2}(?:[.,]\d+)?)")
DAYS = (
    re.compile(r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})"),  # 2025-11-21T09:13:44.123Z
    re.compile(r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})"),  # NeMo: 11/21/2025-09:13:44
    re.compile(r"(?P<year>\d{2})/(?P<month>\d{1,2})/(?P<day>\d{1,2})\b"),  # Spark: 25/11/21 09:13:44
    re.compile(r"(?P<name>[A-Z][a-z]{2}) +(?P<day>\d{1,2})\b(?:.* (?P<year>\d{4})$)?"),  # Nov 21 09:13:44
    re.compile(r"(?P<month>\d{1,2})-(?P<day>\d{1,2})\b"),  # vLLM: 11-21 09:13:44
    re.compile(r"^(?P<month>\d{1,2})(?P<day>\d{2})\s"),  # glog: 1121 09:13:44.123456
)
UPTIME = re.compile(r"\+?\d{1,10}\.\d{6}")  # the kernel's seconds since it started
# A stamp as it stands among other prefixes.
STAMP = re.compile(
    r"(?:\d{4}[-/]\d\d[-/]\d\d[T -]|\d\d[-/]\d\d(?:[-/]\d\d(?:\d\d)?)?[ -]|[A-Z][a-z]{2} +\d{1,2} |\d{3,4} )?"
    r"\d{1,2}:\d\d:\d\d(?:[.,]\d+)?"
)
FARTHEST = 200  # lines above that may have the stamp of a line
APART = 3600.0  # seconds between the clocks of two processes from which their stamps do not compare
LATEST = 600.0  # seconds by which lines of one paste may arrive later than others
NEARBY = 20  # lines above and below whose stamps show what the time was
FALLING = 0.8  # of the stamps must fall as texts, before they are read
MAX_STAMPS = 2000  # lines that are looked at to see which way the paste runs


@dataclass(frozen=True, slots=True)
class Moment:
    """A time stamp: seconds, counted from the start of what `since` names."""

    seconds: float
    since: str  # year, month, midnight or boot; only stamps of one kind can be compared


def read_moment(time: str) -> Moment | None:
    """A time stamp as it stands in a paste; None when unreadable."""
    clock = CLOCK.search(time)
    if clock is None:
        return Moment(float(time.lstrip("+")), "boot") if UPTIME.fullmatch(time) else None
    value = int(clock["hour"]) * 3600 + int(clock["minute"]) * 60 + float(clock["second"].replace(",", "."))
    for pattern in DAYS:
        day = pattern.search(time)
        if day is None:
            continue
        found = day.groupdict()
        name = (found.get("name") or "").lower()
        if name and name not in MONTHS:
            continue
        month = MONTHS.index(name) + 1 if name else int(found["month"])
        days = month * 31 + int(found["day"])
        year = found.get("year")
        if year is None:
            return Moment(value + days * 86400, "month")
        return Moment(value + (int(year) % 100 * 372 + days) * 86400, "year")
    return Moment(value, "midnight")


def newest_first(clean: CleanText) -> bool:
    """Whether the paste runs backwards: its time stamps fall nearly always (log viewers sort like that)."""
    stamped = [time for time, _ in groupby(line.time for line in clean.lines[:MAX_STAMPS]) if time]
    # Stamps of one length fall as their texts fall, but where a month or year ends: most need not be read.
    down = sum(after < before or len(after) != len(before) for before, after in pairwise(stamped))
    if down < FALLING * (len(stamped) - 1):
        return False
    stamps = [moment.seconds for time in stamped if (moment := read_moment(time)) is not None]
    steps = [after - before for before, after in pairwise(stamps) if after != before]
    falling = sum(step < 0 for step in steps)
    return len(steps) >= 3 and falling >= 0.9 * len(steps)


def ranks_of_lines(clean: CleanText, at: Sequence[int]) -> dict[int, float]:
    """For each clean line index a number that grows with time.

    Time stamps order lines when all can be compared; a line without one (a traceback's) has that of the line
    above it. Otherwise the order of the lines counts, turned round when the paste runs backwards.
    """
    indexes = sorted(set(at))
    backwards = newest_first(clean)
    if backwards:
        indexes.reverse()  # lines of one moment run backwards too
    for moments in (emitted(clean, indexes), own_or_above(clean, indexes, own=backwards)):
        comparable = len({moment.since for moment in moments.values()}) == 1
        if len(moments) == len(indexes) and comparable:
            indexes.sort(key=lambda index: moments[index].seconds)
            return {index: float(place) for place, index in enumerate(indexes)}
    return {index: float(place) for place, index in enumerate(indexes)}


def own_or_above(clean: CleanText, at: Sequence[int], *, own: bool) -> dict[int, Moment]:
    """The moment of each line that has one: by its `own` stamp alone, or by that of the line above."""
    stamped = [index for index, line in enumerate(clean.lines) if line.time]
    found: dict[int, Moment] = {}
    for index in at:
        place = bisect_right(stamped, index) - 1
        if place < 0 or (own and stamped[place] != index):
            continue
        moment = read_moment(clean.lines[stamped[place]].time or "")
        if moment is not None and is_foreign(clean, stamped, place, moment):
            return {}
        if moment is not None:
            found[index] = moment
    return found


def is_foreign(clean: CleanText, stamped: Sequence[int], place: int, moment: Moment) -> bool:
    """Whether a stamp is of a clock that tells another time than the processes right above and below do."""
    own = clean.lines[stamped[place]].process
    around = []
    for step in (-1, 1):
        other = place + step
        while 0 <= other < len(stamped) and abs(stamped[other] - stamped[place]) <= NEARBY:
            line = clean.lines[stamped[other]]
            if line.process != own:
                around.append(read_moment(line.time or ""))
                break
            other += step
    if len(around) < 2 or any(each is None or each.since != moment.since for each in around):
        return False
    seconds = [each.seconds for each in around if each is not None]
    return max(seconds) - min(seconds) < APART and min(abs(each - moment.seconds) for each in seconds) > APART


def emitted(clean: CleanText, at: Sequence[int]) -> dict[int, Moment]:
    """The moment at which the program itself says that it wrote each line; empty where it does not say.

    Docker, Kubernetes and the journal put the time of arrival before every line. What stands behind it is
    nearer to the truth: output of several processes arrives late and out of order.
    """
    found: dict[int, Moment] = {}
    if all(second_stamp(clean, index) is None for index in at):
        return found
    late: list[float] = []
    for index in at:
        stamp = nearest_second_stamp(clean, index)
        moment = read_moment(stamp) if stamp is not None else None
        arrival = read_moment(clean.lines[index].time or "")
        if moment is None or arrival is None:
            return {}
        late.append((arrival.seconds - moment.seconds) % DAY)
        found[index] = moment
    # Programs whose clocks tell different times: only the time of arrival compares.
    return found if all(min((each - late[0]) % DAY, (late[0] - each) % DAY) < LATEST for each in late) else {}


DAY = 86_400.0


def nearest_second_stamp(clean: CleanText, index: int) -> str | None:
    """The second stamp of a line, or of the nearest line above that has one."""
    above = range(index, max(index - FARTHEST, -1), -1)
    return next((stamp for line in above if (stamp := second_stamp(clean, line)) is not None), None)


def second_stamp(clean: CleanText, index: int) -> str | None:
    """The time stamp behind another one before the text of a line."""
    line = clean.lines[index]
    if line.time is None:
        return None
    first = line.pieces[0]
    prefix = clean.paste[first.line - 1][: first.column]
    stamps = STAMP.findall(prefix)
    return stamps[-1] if len(stamps) > 1 else None
