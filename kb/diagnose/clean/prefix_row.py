"""The shape of one prefix, and the parts that the rows of the tables are made of.

A row's pattern starts where the line (or what other rows left of it) starts and ends where the message
starts. Its named groups say who wrote the line: host, rank, local_rank, role, pid, level, time, place,
logger; a digit behind a name tells two groups of one field apart. Exactly one blank behind a prefix belongs
to it: the indentation of traceback lines comes after that blank and must survive.

`starts` are the characters a row can start with. They choose the rows that are tried, so a line that starts
otherwise costs nothing. Rows are tried in the order of the table. `example` is what forced the row; the tests
read every one.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_letters

STAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z(?=: )| ?(?:Z|UTC|[+-]\d\d:?\d\d)(?![\w:]))?"
WORD = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|SEVERE|CRITICAL|FATAL)"
WORDS = "TDINWESCF"  # the first letters of these
FILE = r"[\w.+/\\-]{1,200}\.(?:py|pyx|cpp|cc|cu|cuh|c|h|hpp|rs|go)"
CLOCK = r"\d\d:\d\d:\d\d"
MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
NAMES = ascii_letters + "_"

# The quantifiers with a plus sign never give back: no other part of a row could take what they took.
HOST = r"(?P<host>[A-Za-z0-9][\w.-]{0,62}+)"
RANK = r"(?P<rank>\d{1,6})"
LOCAL = r"(?P<local_rank>\d{1,3})"
PID = r"(?P<pid>\d{1,10})"
LEVEL = rf"(?P<level>{WORD})"
PADDED = r"(?:(?P<level>INFO) {5}|(?P<level2>DEBUG|ERROR) {4}|(?P<level3>WARNING) {2}|(?P<level4>CRITICAL) )"
TIME = rf"(?P<time>{STAMP})"
PLACE = r"(?P<place>[^\]\s|]{1,200}:\d{1,6})"
SOURCE = rf"(?P<place>{FILE}:\d{{1,6}})"
# torchrun's tee and Open MPI write no blank behind their tags, but some copies have one. It is taken for the
# tag's unless a frame's own two or four blanks are all there is.
BLANK = r"(?: (?! File \"| {3}[^ ]))?"
LOGGER = r"(?P<logger>[A-Za-z_][\w.-]{0,120}+)"


@dataclass(frozen=True, slots=True)
class Row:
    """One shape of prefix."""

    name: str
    starts: str
    pattern: str
    example: str
    timed: bool = False  # only behind a time stamp: alone it would be too weak
    keep: bool = False  # tells something of the line, but belongs to its message
    last: bool = False  # the message follows, or a tag in brackets; no other row is tried
