"""Colour and layout of text on a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from kb.render.plain import printable

WIDEST = 100  # columns; longer lines of prose are hard to read


@dataclass(frozen=True, slots=True)
class Ink:
    """How to write: with colour or without, and how many columns there are."""

    colour: bool = False
    width: int = 80

    def _paint(self, code: str, text: str) -> str:
        """Coloured text. It is made printable first, so that the only escapes are our own."""
        safe = printable(text)
        return f"\x1b[{code}m{safe}\x1b[0m" if self.colour and safe else safe

    def bold(self, text: str) -> str:
        return self._paint("1", text)

    def dim(self, text: str) -> str:
        return self._paint("2", text)

    def red(self, text: str) -> str:
        return self._paint("1;31", text)

    def green(self, text: str) -> str:
        return self._paint("1;32", text)

    def yellow(self, text: str) -> str:
        return self._paint("1;33", text)

    def prose(self, text: str, first: str = "", rest: str | None = None) -> list[str]:
        """Paragraphs wrapped to the width; `first` stands before the first line, `rest` before the others."""
        rest = " " * len(first) if rest is None else rest
        lines: list[str] = []
        for paragraph in printable(text).strip().split("\n\n"):
            lines += [rest.rstrip()] if lines else []
            for piece in _pieces(paragraph):
                lines += self._wrapped(piece, rest if lines else first, rest)
        return lines

    def _wrapped(self, text: str, first: str, rest: str) -> list[str]:
        columns = max(min(self.width, WIDEST), 40)
        deeper = rest + ("  " if text.startswith("- ") else "")
        wrapped = textwrap.wrap(
            text,
            columns,
            initial_indent=first,
            subsequent_indent=deeper,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return wrapped or [first.rstrip()]


def _pieces(paragraph: str) -> list[str]:
    """A paragraph is one piece, a list one for each of its items."""
    pieces: list[str] = []
    for line in paragraph.split("\n"):
        if pieces and not line.lstrip().startswith("- "):
            pieces[-1] += f" {line.strip()}"
        else:
            pieces.append(line.strip())
    return pieces


def verbatim(text: str) -> str:
    """Lines to be copied as they stand: at the left edge, nothing before or after them."""
    return printable(text).strip("\n")


def joined(parts: Iterable[str]) -> str:
    """Parts of a page as text: one line end after each, never two empty parts in a row or at the start."""
    kept: list[str] = []
    for part in parts:
        if part or (kept and kept[-1]):
            kept.append(part)
    return "\n".join(kept).rstrip("\n") + "\n"
