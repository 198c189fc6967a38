"""Single characters: those that look like others are exchanged, those that nobody sees are taken out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.diagnose.clean.origin import edit, part, rewrite, without
from kb.diagnose.clean.text import Line

# Exchanged one for one, so columns stay. Quotes are left: templates take all quotes for one.
_SAME = {
    # Web pages, chats and word processors put non-breaking blanks and hyphens into flags
    # ("--max-loras‑per‑batch") and into the indentation of frames.
    **dict.fromkeys("\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))), " "),
    **dict.fromkeys("\u2010\u2011\u2043\uff0d", "-"),
    # Python's splitlines ends a line at these; the paste's lines do not, and nothing later may disagree.
    **dict.fromkeys("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", " "),
    # Full-width forms come from Chinese and Japanese input methods: "ＣＵＤＡ", "错误："
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0D},
}
_SAME_ASCII = "\x0b\x0c\x1c\x1d\x1e"
_SAME_TABLE = str.maketrans(_SAME)
_SAME_WIDE = re.compile("[" + "".join(sorted(set(_SAME) - set(_SAME_ASCII))) + "]")

# NUL bytes come from files that several processes write at once, and from UTF-16 read byte by byte.
_CONTROLS = (*range(8), *range(0x0E, 0x1B), 0x1F, 0x7F)
# Zero-width blanks and joiners, directions, soft hyphens, byte order marks: inside words of copied pages.
_UNSEEN = (
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0xFEFF),
    *range(0x180B, 0x180F), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070),
    *range(0xFE00, 0xFE10), *range(0xFFF9, 0xFFFC), *range(0x80, 0x85), *range(0x86, 0xA0),
)  # fmt: skip
_NOISE_ASCII = [chr(code) for code in _CONTROLS]
_NOISE_OTHER = [chr(code) for code in (*_UNSEEN, 0xFFFD)]
# U+FFFD between two letters stands for a lost letter and stays; elsewhere it is noise.
_NOISE = re.compile(
    f"[{''.join(map(chr, (*_CONTROLS, 0x08, 0x1B, *_UNSEEN)))}]+"
    "|(?<!\ufffd)(?:(?<![^\\W_])\ufffd+|\ufffd+(?![^\\W_]|\ufffd))"
)

_FLAG = re.compile(r"[\u2013\u2014](?<![^\s`'\"(\[=\u2018\u2019\u201c\u201d][\u2013\u2014])(?=[a-z]{2})")
# A word processor's quotes around the path of a frame; elsewhere quotes are left.
_QUOTE = "\u201c\u201d\u201e\u201f\u2033\xab\xbb"
_FRAME = re.compile(f'File (?P<open>[{_QUOTE}"])[^{_QUOTE}"\n]{{1,500}}(?P<close>[{_QUOTE}"]), line \\d')
# Both byte order marks of UTF-16, read as Latin-1 or as two broken characters of UTF-8, then text with NULs.
_UTF16_HEAD = re.compile("^(?:\xff\xfe|\xfe\xff|\ufffd\ufffd|\ufeff)(?=.?\x00)")


def readable(text: str) -> str:
    """The paste with look-alikes exchanged, one character for one."""
    if text.isascii():
        wanted = any(character in text for character in _SAME_ASCII)
    else:
        wanted = bool(_SAME_WIDE.search(text)) or any(character in text for character in _SAME_ASCII)
    return text.translate(_SAME_TABLE) if wanted else text


def noisy(text: str) -> bool:
    """Whether there is anything to take out.

    Looking for one character after the other is many times faster than a pattern is. The escape character and
    the backspace are not asked for: the step for escapes takes them all.
    """
    if any(character in text for character in _NOISE_ASCII):
        return True
    return not text.isascii() and any(character in text for character in _NOISE_OTHER)


def tidy(line: Line) -> Line:
    """One line without look-alikes and unseen characters: what came out of escapes may have them."""
    text = readable(line.text)
    if text is not line.text:
        line = rewrite(line, text, line.pieces)
    return without(line, _NOISE) if noisy(text) else line


def has_dashes(text: str) -> bool:
    """Whether a word processor made one dash of the two before a flag: `Use \u2013enable-lora`."""
    return ("\u2013" in text or "\u2014" in text) and _FLAG.search(text) is not None


def write_dashes(lines: Sequence[Line]) -> list[Line]:
    """Lines with two hyphens where such a dash stands."""
    return [
        edit(line, [(match.start(), match.end(), "--") for match in _FLAG.finditer(line.text)])
        if _FLAG.search(line.text)
        else line
        for line in lines
    ]


def take_out_noise(lines: Sequence[Line]) -> list[Line]:
    """Lines without characters that nobody sees."""
    kept = []
    for line in lines:
        # UTF-16 has "\r\0\n\0": what stands between the two ends is no line of its own.
        if line.text == "\x00":
            continue
        if line.number == 1 and (head := _UTF16_HEAD.match(line.text)) is not None:
            line = part(line, head.end())
        kept.append(without(line, _NOISE))
    return kept


def has_quoted_frames(text: str) -> bool:
    """Whether a word processor put its quotes around the paths of frames."""
    return not text.isascii() and any(quote in text for quote in _QUOTE) and _FRAME.search(text) is not None


def write_quotes(lines: Sequence[Line]) -> list[Line]:
    """Lines with straight quotes around the paths of frames."""
    return [_straight(line) if "File " in line.text else line for line in lines]


def _straight(line: Line) -> Line:
    ends = [at for frame in _FRAME.finditer(line.text) for at in (frame.start("open"), frame.start("close"))]
    return edit(line, [(at, at + 1, '"') for at in ends]) if ends else line
