"""Take a machine out of a log: its paths, user, host and times become invented ones, the same everywhere.

Times keep their distances: the first of a log becomes `START`, the others follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

START = datetime(2026, 2, 11, 2, 14, 7)  # noqa: DTZ001 - logs write local time without a zone
HOST = "gpu-node-07"
HOME = "/home/ml"

_STAMP = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d(?=[ _T])|(?<=[IWEF])\d{4}(?= ))(?P<between>[ _T])(?P<clock>\d\d:\d\d:\d\d)"
)


def scrub(log: str, places: dict[str, str], host: str) -> str:
    """`places` maps folders of this machine to invented ones; the longest are replaced first."""
    for real in sorted(places, key=len, reverse=True):
        log = log.replace(real, places[real])
    log = re.sub(r"(host +: )\S+", rf"\g<1>{HOST}", log)
    if host not in ("", "localhost"):
        log = re.sub(rf"\b{re.escape(host)}\b", HOST, log)
    return shift_times(log)


def shift_times(log: str) -> str:
    """All time stamps moved by the distance of the first one to `START`."""
    first = _STAMP.search(log)
    if first is None:
        return log
    delta = START - read_stamp(first)
    return _STAMP.sub(moved_by(delta), log)


def read_stamp(found: re.Match[str]) -> datetime:
    date = found["date"]
    year, month_day = (date[:4], date[5:].replace("-", "")) if "-" in date else (str(START.year), date)
    return datetime.strptime(f"{year}{month_day} {found['clock']}", "%Y%m%d %H:%M:%S")  # noqa: DTZ007


def moved_by(delta: timedelta) -> Callable[[re.Match[str]], str]:
    def move(found: re.Match[str]) -> str:
        moment = read_stamp(found) + delta
        date = f"{moment:%Y-%m-%d}" if "-" in found["date"] else f"{moment:%m%d}"
        return f"{date}{found['between']}{moment:%H:%M:%S}"

    return move


def machine_places(scripts: Path, venv: Path, python_home: Path) -> dict[str, str]:
    """What stands for the folders that a recorded log can name."""
    return {
        str(scripts): "/workspace/training",
        str(venv): "/opt/venv",
        str(python_home): "/usr/local",
        str(Path.home()): HOME,
    }
