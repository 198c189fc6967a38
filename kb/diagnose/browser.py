"""The matcher for JavaScript: strings in, a string out. All that the browser build may call.

`load` once with the index, then `match` as often as wanted. This module keeps the one index of the page, the
only state in the matcher, because JavaScript should hold no Python objects. Failures never carry text of the
paste: what leaves here may be shown, logged or reported.
"""

from __future__ import annotations

import json

from kb.diagnose import diagnose
from kb.diagnose.index import Index
from kb.diagnose.wire import given_from_wire, to_wire

_loaded: list[Index] = []


class MatcherFailed(RuntimeError):
    """A bug in the matcher. The text names its kind and its place in the code, nothing of the paste."""


def load(index_json: str) -> None:
    """Take the compiled index. Raises `BrokenIndex` with what to do when it is not one."""
    _loaded[:] = [Index.from_json(index_json)]


def match(text: str, given_json: str = "{}") -> str:
    """The diagnosis of a paste in the wire form, as JSON.

    `given_json` is what the person knows beside the paste, in the wire form's `given`. Raises ValueError when
    that is malformed, and `MatcherFailed` for any bug.
    """
    if not _loaded:
        raise MatcherFailed("match was called before load")
    given = given_from_wire(json.loads(given_json))
    try:
        return json.dumps(to_wire(diagnose(text, _loaded[0], given)))
    except Exception as error:  # noqa: BLE001 - its text may quote the paste; only kind and place go on
        raise MatcherFailed(f"{type(error).__name__} at {_place(error)}") from None


def _place(error: BaseException) -> str:
    """File and line of the innermost frame."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return "an unknown place"
    return f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
