"""Read the frames of one traceback: the `File` line, and the source line under it."""

from __future__ import annotations

from collections.abc import Sequence

from kb.diagnose.read import shapes
from kb.diagnose.report import Frame

GROUPS = (
    ("path", "line", "function"),
    ("ipath", "iline", "ifunction"),
    ("cell", "cline", "cfunction"),
    ("opath", "oline", "ofunction"),
    ("rpath", "rline", "rfunction"),
)
SOURCE_WITHIN = 3  # lines below the `File` line; blank ones and margins may stand between


def read_frame(texts: Sequence[str], position: int, at: Sequence[int]) -> tuple[Frame, int] | None:
    """The frame named at a position, and the position behind its source; None when the line names none.

    `texts` are the lines of a stream, `at` their indexes among the clean lines.
    """
    match = shapes.is_frame(texts[position])
    if match is None:
        return None
    path, number, function = next(
        groups for names in GROUPS if (groups := match.group(*names))[0] is not None
    )
    line = int(number) if 0 < len(number) < 9 else None
    source = source_position(texts, position)
    if source is None:
        return Frame(path, line, function, None, at[position]), position + 1
    return Frame(path, line, function, texts[source].strip(), at[position], at[source]), source + 1


def source_position(texts: Sequence[str], position: int) -> int | None:
    """Where the source line of the frame at `position` stands, if the next lines have it."""
    indent = shapes.indentation(texts[position])
    for ahead in range(position + 1, min(position + SOURCE_WITHIN, len(texts))):
        text = texts[ahead]
        if not text.strip():
            continue
        if no_source(text):
            return None
        deeper = shapes.indentation(text) > indent
        if not deeper and (indent > 0 or shapes.named(text)):
            return None
        return ahead
    return None


def no_source(text: str) -> bool:
    """Whether a line is something else of a traceback than source."""
    return bool(
        shapes.HEADER in text
        or shapes.is_frame(text)
        or shapes.MARKERS.match(text)
        or shapes.chain_word(text)
    )
