"""The forms by name: those of the `messy` cases, and others that pastes come in."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bench.messy import cuts, drawn, wrapped, written
from bench.messy.texts import Paste

Form = Callable[[Paste, Random], str]

OF_CASES: dict[str, Form] = {
    "json-lines": wrapped.json_lines,
    "windows-crlf-paths": wrapped.windows,
    "rich-traceback-80": drawn.rich_traceback,
    "exception-group": drawn.exception_group,
    "pytest-E-lines": drawn.pytest_report,
    "html-escaped": wrapped.html_page,
    "email-quoted-printable": wrapped.quoted_printable,
    "newest-first": written.newest_first,
    "truncated-head": cuts.truncated_head,
    "truncated-tail": cuts.truncated_tail,
    "message-only": cuts.message_only,
    "two-causes-root-first": cuts.two_causes,
    "repeated-500": cuts.repeated,
    "nul-and-ufffd": written.nul_and_ufffd,
    "utf16-bom-as-latin1": wrapped.utf16_as_latin1,
    "zero-width-and-rtl-marks": written.invisible_marks,
    "chinese-prose": wrapped.chinese_prose,
    "url-encoded": wrapped.url_query,
}

FURTHER: dict[str, Form] = {
    "ansi-colours": written.ansi_colours,
    "hard-wrapped": written.hard_wrapped,
    "cut-columns": cuts.cut_columns,
    "middle-left-out": cuts.middle_left_out,
    "last-frame-and-message": cuts.head_and_tail,
    "lower-case": written.lower_case,
    "upper-case": written.upper_case,
    "read-from-picture": written.read_from_picture,
    "typographic-quotes": written.typographic_quotes,
    "hard-spaces": written.hard_spaces,
    "mojibake": written.mojibake,
    "margins-lost": written.margins_lost,
    "double-spaced": written.double_spaced,
    "numbered-lines": written.numbered,
    "grep-output": written.searched,
    "said-twice": written.said_twice,
    "build-server": written.build_server,
    "other-process-between": written.other_process,
    "progress-bars-between": written.progress_bars,
    "docker-json": wrapped.docker_json,
    "python-repr": wrapped.python_repr,
    "csv-field": wrapped.csv_field,
    "yaml-block": wrapped.yaml_block,
    "one-line": wrapped.one_line,
    "fenced-report": wrapped.fenced,
    "mail-quote-wrapped": wrapped.mail_quote,
}

ALL = {**OF_CASES, **FURTHER}

# Forms that may cut what tells the causes of one entry apart: the entry is enough then.
CUTTING = frozenset(
    {
        "truncated-head",
        "truncated-tail",
        "message-only",
        "repeated-500",
        "url-encoded",
        "cut-columns",
        "middle-left-out",
        "last-frame-and-message",
    }
)
