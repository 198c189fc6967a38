"""Take the noise off a paste: `clean(text) -> CleanText`.

The steps run in a fixed order, each on the lines that the one before left. A step whose signs are not in the
paste does not run, so an ordinary log pays for little more than its prefixes. No step raises on odd text, and
each keeps the way back: `Line.locate` gives line and column of the paste as handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kb.diagnose.clean.bars import has_glued, unglue
from kb.diagnose.clean.blocks import dedent_blocks, has_blocks
from kb.diagnose.clean.boxes import is_boxed, open_boxes
from kb.diagnose.clean.characters import (
    has_dashes,
    has_quoted_frames,
    noisy,
    readable,
    take_out_noise,
    write_dashes,
    write_quotes,
)
from kb.diagnose.clean.csv_rows import is_table, open_table
from kb.diagnose.clean.envelopes import has_envelopes, open_envelopes
from kb.diagnose.clean.escapes import escaped, take_out_escapes
from kb.diagnose.clean.flattened import has_flattened, unflatten
from kb.diagnose.clean.headings import has_headings, read_headings
from kb.diagnose.clean.labels import strip_unknown
from kb.diagnose.clean.mail import is_printable, join_printable
from kb.diagnose.clean.margins import (
    has_groups,
    has_values,
    is_notebook,
    is_pytest,
    strip_arrows,
    strip_group_margins,
    strip_pytest_margins,
    strip_values,
)
from kb.diagnose.clean.markup import is_markup, take_out_markup
from kb.diagnose.clean.misread import mend_misread, put_right
from kb.diagnose.clean.numbers import has_numbers, strip_numbers
from kb.diagnose.clean.one_line import cut_records, is_one_line
from kb.diagnose.clean.parts import has_parts, join_parts
from kb.diagnose.clean.prefixes import strip_prefixes, strip_whole
from kb.diagnose.clean.quotes import (
    dedent,
    has_fences,
    has_quotes,
    is_indented,
    is_patch,
    strip_fences,
    strip_patch,
    strip_quotes,
)
from kb.diagnose.clean.rich_logs import has_columns, read_columns
from kb.diagnose.clean.scans import is_scanned, mend_scans
from kb.diagnose.clean.split import split_paste
from kb.diagnose.clean.string_lists import has_string_lists, open_string_lists
from kb.diagnose.clean.tables import has_tables, open_tables
from kb.diagnose.clean.text import CleanText, Line
from kb.diagnose.clean.urls import has_encoded, open_addresses
from kb.diagnose.clean.utf16 import read_utf16, utf16_lines
from kb.diagnose.clean.wraps import is_framed, mend_frames, mend_wraps

__all__ = ["clean"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step: whether the paste (look-alikes exchanged) has its signs, and what it does to the lines."""

    name: str
    wanted: Callable[[str], bool]
    work: Callable[[Sequence[Line]], list[Line]]


def _always(_: str) -> bool:
    return True


def _open(lines: Sequence[Line]) -> list[Line]:
    """Lines without envelopes, and without the unknown prefixes of what was inside."""
    opened = open_envelopes(lines)
    return opened if opened == lines else strip_unknown(opened)


# Encodings and quotes come first: they hide the signs of everything else. Prefixes come before envelopes,
# boxes and margins, because each of those can stand behind one.
WRITING = (
    Step("mail", is_printable, join_printable),
    Step("escapes", escaped, take_out_escapes),
    Step("unseen characters", noisy, take_out_noise),
    Step("dashes", has_dashes, write_dashes),
    Step("quoted frames", has_quoted_frames, write_quotes),
    Step("line numbers", has_numbers, strip_numbers),
    Step("markup", is_markup, take_out_markup),
    Step("addresses", has_encoded, open_addresses),
    Step("quotes", has_quotes, strip_quotes),
    Step("patch", is_patch, strip_patch),
    Step("fences", has_fences, strip_fences),
    Step("indentation", is_indented, dedent),
    Step("lists of strings", has_string_lists, open_string_lists),
    Step("blocks", has_blocks, dedent_blocks),
    Step("headings", has_headings, read_headings),
    Step("tables of lines", is_table, open_table),
    Step("parts", has_parts, join_parts),
    Step("one line", is_one_line, cut_records),
)
PREFIXES = Step("prefixes", _always, strip_prefixes)
LAYERS = (
    Step("rich's columns", has_columns, read_columns),
    Step("unknown prefixes", _always, strip_unknown),
    Step("indentation", _always, dedent),
    Step("envelopes", has_envelopes, _open),
    Step("flattened", has_flattened, unflatten),
    Step("glued", has_glued, unglue),
    Step("boxes", is_boxed, open_boxes),
    Step("tables", has_tables, open_tables),
)
# Broken lines are mended in between: this step alone looks at the paste's own lines.
MARGINS = (
    Step("cut frames", is_framed, mend_frames),
    Step("scans", is_scanned, mend_scans),
    Step("exception groups", has_groups, strip_group_margins),
    Step("pytest", is_pytest, strip_pytest_margins),
    Step("notebook", is_notebook, strip_arrows),
    Step("values", has_values, strip_values),
)


def clean(text: str) -> CleanText:
    """The lines of a paste without escapes, envelopes and prefixes, each knowing its place and its writer."""
    wide = read_utf16(text)
    meant = put_right(text) if wide is None else wide
    shown = readable(text if meant is None else meant)
    parts = split_paste(text, shown if meant is None else text)
    notes = [] if shown is text else ["look-alikes" if meant is None else "misread characters"]
    if meant is not None or parts.long or any(step.wanted(shown) for step in WRITING):
        lines = parts.lines()
        if meant is not None:
            lines = mend_misread(lines) if wide is None else utf16_lines(text, wide)
        lines = _run((*WRITING, PREFIXES), shown, lines, notes)
    else:
        lines = strip_whole(parts.shown)
        notes += [PREFIXES.name] if any(line.pieces[0].column for line in lines) else []
    lines = _run(LAYERS, shown, lines, notes)
    mended = mend_wraps(lines, parts.paste)
    if mended is not None:
        lines = mended
        notes.append("wraps")
    lines = _run(MARGINS, shown, lines, notes)
    return CleanText(tuple(lines), parts.paste, len(text), parts.truncated, tuple(notes))


def _run(steps: Sequence[Step], shown: str, lines: list[Line], notes: list[str]) -> list[Line]:
    """The lines after all steps that are wanted; those that changed something are noted."""
    for step in steps:
        if not step.wanted(shown):
            continue
        after = step.work(lines)
        if after != lines:
            notes.append(step.name)
        lines = after
    return lines
