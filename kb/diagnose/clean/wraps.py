"""Lines that a terminal, a chat or a mail program broke at its width, inside words and numbers.

Only breaks at a fixed column are mended. Lines broken between words are left: templates take a line end for
a blank. Multi-line messages are left too, the reader joins them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.diagnose.clean.origin import join, part
from kb.diagnose.clean.prefixes import Processes, strip_prefix
from kb.diagnose.clean.signs import is_exception, is_sign
from kb.diagnose.clean.text import Line

NARROWEST, WIDEST = 60, 400
USUAL = frozenset((72, 76, 78, 79, 80, 100, 120, 132, 160))
RAGGED = 12  # a line that ends up to so many columns before the width was broken between words
MOST_JOINED = 200
FEWEST = 3  # lines of a stretch that prove a width of their own
_NUMBER = re.compile(r"\d+")
# A frame that goes on on the next line: `  File "/srv/ap`, `  File "/srv/app.py", line 12, in`
_CUT = r'File(?: *$| "[^"\n]*+(?:$|",?(?: line)? *$|", line \d{1,7},(?: in)? *$))'
_CUT_FRAME = re.compile(rf" *{_CUT}")
_CUT_FRAMES = re.compile(_CUT, re.MULTILINE)
_WHOLE_FRAME = re.compile(r' *File "[^"]+", line \d+, in [\w<>.]+$')
# Columns, a value at the right edge, rules, titles between rules, boxes and progress bars fill the width and
# were not broken.
_FILLED = re.compile(
    r"(?:\S++(?: \S++)*+ {2,}+){3}|.*\S {8,}\S{1,16}$"
    r"|\s*([=_*#~+.-])(?: ?\1){2}|[\s=_*#~^+|\u2500-\u257f-]*$|.*[|\u2500-\u257f]$|.*(?:it/s|s/it).{0,80}\]$"
)


def mend_wraps(lines: Sequence[Line], paste: Sequence[str]) -> list[Line] | None:
    """Lines put together again, or None when nothing tells that they were broken.

    The whole paste first; else each stretch between blank lines alone: people write above and below what they
    copied from a terminal, in lines of any length.
    """
    mended = _mended(lines, paste)
    if mended is not None:
        return mended
    whole: list[Line] = []
    done = 0
    for start in _begun(lines):
        end = next((at for at in range(start, len(lines)) if not lines[at].text.strip()), len(lines))
        stretch = lines[start:end]
        again = _mended(stretch, paste, stretch=True) if len(stretch) >= FEWEST else None
        if again is not None:
            whole += [*lines[done:start], *again]
            done = end
    return [*whole, *lines[done:]] if done else None


def _begun(lines: Sequence[Line]) -> Iterator[int]:
    """Where a stretch between blank lines begins with an exception."""
    blank = True
    for at, line in enumerate(lines):
        if blank and is_exception(line.text):
            yield at
        blank = not line.text or line.text.isspace()


def _mended(lines: Sequence[Line], paste: Sequence[str], *, stretch: bool = False) -> list[Line] | None:
    grid = _stretch_grid(lines, paste) if stretch else _grid(lines, paste)
    if grid is None:
        return None
    processes: Processes = {}
    mended: list[Line] = []
    group: list[Line] = []
    for at, line in enumerate(lines):
        group.append(grid.trimmed(line, "  "))
        following = lines[at + 1] if at + 1 < len(lines) else None
        if following is not None and len(group) < MOST_JOINED and grid.goes_on(group, line, following):
            continue
        whole = grid.trimmed(join(group) if len(group) > 1 else group[0], " ")
        # The break may have gone through a prefix.
        mended.append(strip_prefix(whole, processes) if len(group) > 1 else whole)
        group = []
    return mended if grid.padded or len(mended) < len(lines) else None


@dataclass(frozen=True, slots=True)
class _Grid:
    """The column at which lines were broken. Padded copies fill all other lines up to it with blanks."""

    paste: Sequence[str]
    width: int
    padded: bool

    def raw(self, line: Line) -> str:
        """The line of the paste on which a line ends."""
        return self.paste[line.pieces[-1].line - 1]

    def trimmed(self, line: Line, filling: str) -> Line:
        filled = self.padded and line.text.endswith(filling)
        return part(line, 0, len(line.text.rstrip())) if filled else line

    def goes_on(self, group: list[Line], line: Line, following: Line) -> bool:
        """Whether the line was broken and the next one is its rest."""
        raw = self.raw(line)
        last = line.pieces[-1]
        if last.column + len(line.text) - last.offset < len(raw):
            return False  # a record or a string was opened: its lines do not end where the paste's line ends
        if self.padded:
            broken = not raw.endswith("  ")
        else:
            broken = len(raw) == self.width
            # A blank at the break is lost when the copy drops blanks at the ends of lines.
            if len(raw) == self.width - 1 and (len(group) > 1 or is_exception(line.text)):
                broken = not following.text.startswith(" ") and _continues(line, following)
                if broken:
                    group[-1] = join([group[-1], part(following, 0, 0)], [" "])
        return broken and not _FILLED.match(raw) and _continues(line, following)


def _grid(lines: Sequence[Line], paste: Sequence[str]) -> _Grid | None:
    """The grid of a paste whose longest lines are equally long, or the one longest has a usual length."""
    width = max(map(len, paste), default=0)
    if not NARROWEST <= width <= WIDEST:
        return None
    numbers = {number for number, raw in enumerate(paste, 1) if len(raw) == width}
    if len(numbers) == 1 and width not in USUAL:
        return None
    raws = [paste[line.pieces[-1].line - 1] for line in lines]
    # A line of the paste can be several: a progress bar that was drawn over ends one.
    ends = {line.pieces[-1].line: line.text for line in lines}
    longest = [text for number, text in ends.items() if number in numbers]
    # Log lines of one kind ("Rank 0: Completed ...", "Rank 1: Completed ...") are equally long by themselves.
    alike = len({_start(text) for text in longest[:50]}) < 2
    if not longest or (alike and (len(longest) > 1 or width not in USUAL)):
        return None
    padded = sum(len(raw) == width and raw.endswith("  ") for raw in raws) > 1
    if not padded:
        broken = ragged = 0
        for raw, line, following in zip(raws, lines, lines[1:], strict=False):
            if len(raw) >= width - RAGGED and not _FILLED.match(raw) and _continues(line, following):
                broken += len(raw) == width
                ragged += len(raw) < width - 1 and not following.text.startswith(" ")
        if ragged >= max(broken, 1):
            return None
    # One line alone proves little: it must have been broken inside a word or number.
    if len(longest) == 1 and not _is_inside(lines, [len(raw) for raw in raws].index(width)):
        return None
    return _Grid(paste, width, padded)


def _stretch_grid(lines: Sequence[Line], paste: Sequence[str]) -> _Grid | None:
    """The grid of an exception's lines: all but the last are equally long, one broken inside a word."""
    raws = [paste[line.pieces[-1].line - 1] for line in lines]
    width = max(map(len, raws))
    if not NARROWEST <= width <= WIDEST:
        return None
    # A blank at the break is lost in many copies.
    if any(not width - 1 <= len(raw) <= width for raw in raws[:-1]):
        return None
    inside = any(_is_inside(lines, at) for at, raw in enumerate(raws[:-1]) if len(raw) == width)
    return _Grid(paste, width, padded=False) if inside else None


def _is_inside(lines: Sequence[Line], at: int) -> bool:
    """Whether a line ends, and the next begins, as the halves of a word or number do.

    A next line that starts as others of the paste do (`rank 0: reading`) is one of its own.
    """
    if at + 1 == len(lines):
        return False
    following = lines[at + 1].text
    if sum(_start(line.text) == _start(following) for line in lines) > 1:
        return False
    return lines[at].text[-1:].isalnum() and (following[:1].islower() or following[:1].isdigit())


def is_framed(text: str) -> bool:
    """Whether a paste has a frame that goes on on the next line."""
    first = text.find("File")
    return first >= 0 and _CUT_FRAMES.search(text, first) is not None


def mend_frames(lines: Sequence[Line]) -> list[Line]:
    """Lines with frames put together that were broken at a word: `File "x.py", line` and `12, in f`."""
    mended: list[Line] = []
    for line in lines:
        before = mended[-1].text if mended else ""
        rest = line.text
        if (
            _CUT_FRAME.match(before)
            and rest.strip()
            and not rest.startswith("    ")
            and not is_sign(rest.lstrip())
        ):
            inside = before.count('"') == 1 or before.endswith(" ") or rest.startswith(" ")
            mended[-1] = join([mended[-1], line], ["" if inside else " "])
        else:
            mended.append(line)
    return mended


def _together(time: str | None, later: str) -> bool:
    """Whether two stamps agree up to the minute, as those that an outer layer puts on both halves do."""
    return time is not None and time.rpartition(":")[0] == later.rpartition(":")[0]


def _start(text: str) -> str:
    """How a line starts, numbers aside."""
    return _NUMBER.sub("0", text[:24])[:12]


def _continues(line: Line, following: Line) -> bool:
    """Whether the next line can be the rest of this one: it starts nothing of its own."""
    text = following.text
    if not text.strip() or is_sign(text) or is_sign(text.lstrip()):
        return False
    if (following.level, following.place, following.logger) != (None, None, None):
        return False
    if following.time is not None and not _together(line.time, following.time):
        return False
    if not following.process.within(line.process):
        return False
    if _start(text) == _start(line.text):
        return False
    if text.startswith("    ") or (text.startswith("  ") and _WHOLE_FRAME.match(line.text)):
        return False
    return _FILLED.match(text) is None
