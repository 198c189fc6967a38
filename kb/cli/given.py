"""What the person says beside the paste, held against what the index knows.

The matcher passes over what it does not know; a person who mistyped a check's name must hear of it.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterable

from kb.cli.paste import decode, read_bytes
from kb.cli.stop import StopError
from kb.diagnose import Given, Index
from kb.diagnose.index import Check
from kb.diagnose.versions import compare

SHOWN = 12  # ids in one sentence; the nearest are enough to find the right one


def read_given(arguments: argparse.Namespace, index: Index) -> Given:
    """The options of `kb match` as the matcher takes them. Stops at the first that means nothing."""
    known = {check.id: check for check in index.checks}
    versions = _pairs(arguments.package, "--package NAME=VERSION")
    outcomes = _pairs(arguments.outcome, "--outcome CHECK=OUTCOME")
    files = _pairs(arguments.output, "--output CHECK=FILE")
    for package, version in versions.items():
        if compare(version, version) is None:
            raise StopError(f"`{version}` is no version; write it like --package {package}=0.11.0")
    for check, outcome in outcomes.items():
        names = [each.id for each in _known(check, known, "--outcome").outcomes]
        if outcome not in names:
            raise StopError(f"{check} has no outcome `{outcome}`; it has {_nearest(outcome, names)}")
    outputs = {_known(check, known, "--output").id: _output(file) for check, file in files.items()}
    return Given(versions, tuple(arguments.component), outcomes, outputs)


def _pairs(items: Iterable[str], form: str) -> dict[str, str]:
    pairs = {}
    for item in items:
        name, sign, value = item.partition("=")
        if not (name and sign and value):
            raise StopError(f"`{item}` is not of the form {form}")
        pairs[name] = value.lstrip("=")  # vllm==0.11.0, as pip writes it
    return pairs


def _known(check: str, known: dict[str, Check], option: str) -> Check:
    if check not in known:
        raise StopError(f"there is no check `{check}` for {option}; there are {_nearest(check, known)}")
    return known[check]


def _output(file: str) -> str:
    text, note = decode(read_bytes(file), file)
    if note:
        print(f"kb: {note}", file=sys.stderr)
    return text


def _nearest(name: str, known: Iterable[str]) -> str:
    """The known ids, those that look most like the name first."""
    every = list(known)
    near = difflib.get_close_matches(name, every, n=SHOWN, cutoff=0.0)
    more = f" and {len(every) - len(near)} more" if len(every) > len(near) else ""
    return (", ".join(near) or "none") + more
