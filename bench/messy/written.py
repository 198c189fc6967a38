"""Forms in which the characters or the lines of a text are changed: marks, cases, misreadings, orders."""

from __future__ import annotations

import re
from random import Random

from bench.messy.texts import DoesNotApply, Paste

MARKS = "\u200b\u200d\u00ad\u200e\u200f\u2060"  # of no width, of direction, of hyphens
_MISREAD = (("rn", "m"), ("l", "1"), ("I", "l"), ("O", "0"), ("0", "O"), ("_", " "), ("'", "`"), ("1", "l"))


def newest_first(paste: Paste, _: Random) -> str:
    """A log viewer that shows the newest line at the top, each with its time."""
    rows = [
        f"2025-11-02T07:11:{at // 1000 % 60:02}.{at % 1000:03}Z {line}" for at, line in enumerate(paste.lines)
    ]
    return "\n".join(reversed(rows)) + "\n"


def within_message(paste: Paste, rng: Random, count: int) -> list[int]:
    """Columns of the message's line that lie inside words of the message."""
    line = paste.lines[paste.line]
    start = max(0, line.rfind(paste.message))
    inside = [at for at in range(start + 1, len(line)) if line[at - 1].isalpha() and line[at].isalpha()]
    if not inside:
        raise DoesNotApply("the message has no word")
    return sorted(rng.sample(inside, min(count, len(inside))), reverse=True)


def nul_and_ufffd(paste: Paste, rng: Random) -> str:
    """NULs before lines and at a word's end in the message, a few characters that were not valid UTF-8."""
    lines = paste.lines
    for at, line in enumerate(lines):
        if at != paste.line and len(line) > 40 and rng.random() < 0.2:
            column = rng.randrange(len(line))
            lines[at] = f"{line[:column]}\ufffd{line[column + 1 :]}"
    said = lines[paste.line]
    spaces = [found.start() for found in re.finditer(" ", said)]
    if spaces:
        column = rng.choice(spaces)
        lines[paste.line] = f"{said[:column]}\x00{said[column:]}"
    return "\ufffd\ufffd\x00" + "\n".join(f"\x00\x00{line}" for line in lines) + "\x00\ufffd\n"


def invisible_marks(paste: Paste, rng: Random) -> str:
    """Invisible characters inside words of the message, and hyphens that do not break."""
    lines = paste.lines
    said = lines[paste.line]
    for column in within_message(paste, rng, 6):
        said = said[:column] + rng.choice(MARKS) + said[column:]
    lines[paste.line] = said.replace("-", "\u2011")
    return "\u200e" + "\n".join(lines) + "\n"


def ansi_colours(paste: Paste, _: Random) -> str:
    """Colours of a terminal: dim frames, red class, bold numbers."""
    red, dim, bold, off = "\x1b[1;31m", "\x1b[2m", "\x1b[1m", "\x1b[0m"
    rows = []
    for at, line in enumerate(paste.lines):
        if at == paste.line:
            first, colon, rest = line.partition(":")
            numbers = re.sub(r"(\d+)", rf"{bold}\1{off}", rest)
            rows.append(f"{red}{first}{off}{colon}{numbers}")
        else:
            rows.append(f"{dim}{line}{off}" if line.startswith("  ") else line)
    return "\n".join(rows) + "\n"


def hard_wrapped(paste: Paste, rng: Random) -> str:
    """A terminal of 80 columns, copied with its line ends."""
    width = rng.choice([72, 80, 100])
    rows = []
    for line in paste.lines:
        rows += [line[at : at + width] for at in range(0, len(line), width)] or [""]
    return "\n".join(rows) + "\n"


def lower_case(paste: Paste, _: Random) -> str:
    return paste.text.lower()


def upper_case(paste: Paste, _: Random) -> str:
    return paste.text.upper()


def read_from_picture(paste: Paste, rng: Random) -> str:
    """What reading a picture does: a few look-alike characters in every line, doubled or lost spaces."""
    rows = []
    for line in paste.lines:
        for good, read in _MISREAD:
            places = [found.start() for found in re.finditer(re.escape(good), line)]
            if places and rng.random() < 0.25:
                at = rng.choice(places)
                line = line[:at] + read + line[at + len(good) :]
        rows.append(line)
    return "\n".join(rows) + "\n"


def typographic_quotes(paste: Paste, _: Random) -> str:
    """A word processor's quotes and dashes."""
    text = re.sub(r"(^|[\s(\[{=])'", "\\1\u2018", paste.text).replace("'", "\u2019")
    text = re.sub(r'(^|[\s(\[{=])"', "\\1\u201c", text).replace('"', "\u201d")
    return text.replace("--", "\u2013").replace("...", "\u2026")


def hard_spaces(paste: Paste, _: Random) -> str:
    """A chat program's spaces that do not break."""
    return paste.text.replace("  ", "\u00a0 ").replace(" ", "\u00a0")


def mojibake(paste: Paste, rng: Random) -> str:
    """UTF-8 with typographic quotes, read as Windows' code page."""
    return typographic_quotes(paste, rng).encode("utf-8").decode("cp1252", errors="replace")


def margins_lost(paste: Paste, _: Random) -> str:
    """A chat program that drops what stands before a line's first word."""
    return "\n".join(line.strip() for line in paste.lines) + "\n"


def double_spaced(paste: Paste, _: Random) -> str:
    return "\n\n".join(paste.lines) + "\n"


def numbered(paste: Paste, rng: Random) -> str:
    """An editor's or pager's line numbers."""
    first = rng.randrange(1, 4000)
    return "".join(f"{number:>6}\t{line}\n" for number, line in enumerate(paste.lines, start=first))


def searched(paste: Paste, rng: Random) -> str:
    """`grep -n` over several files."""
    first = rng.randrange(1, 4000)
    return "".join(
        f"logs/run-7.log:{number}:{line}\n" for number, line in enumerate(paste.lines, start=first)
    )


def said_twice(paste: Paste, _: Random) -> str:
    """Two handlers of one logger: each line comes twice."""
    return "".join(f"{line}\n{line}\n" for line in paste.lines)


def build_server(paste: Paste, _: Random) -> str:
    """A build server's times and marks before each line."""
    rows = [f"2025-11-02T07:11:{at % 60:02}.1234567Z {line}" for at, line in enumerate(paste.lines)]
    rows.append("2025-11-02T07:12:00.7654321Z ##[error]Process completed with exit code 1.")
    return "\n".join(rows) + "\n"


def other_process(paste: Paste, rng: Random) -> str:
    """Another, healthy process writes between the lines."""
    rows = []
    for at, line in enumerate(paste.lines):
        rows.append(f"worker-a | {line}")
        if rng.random() < 0.4:
            rows.append(f'worker-b | INFO: 10.3.0.9:{40000 + at} - "GET /health HTTP/1.1" 200 OK')
    return "\n".join(rows) + "\n"


def progress_bars(paste: Paste, rng: Random) -> str:
    """A progress bar that is drawn anew before lines that come in between."""
    rows = []
    for at, line in enumerate(paste.lines):
        bar = f"Epoch 1: {at % 100:>3}%|{'█' * (at % 10):<10}| {at}/900 [00:{at % 60:02}<09:12,  1.6it/s]"
        rows.append(f"\r{bar}\n{line}" if rng.random() < 0.3 else line)
    return "\n".join(rows) + "\n"
