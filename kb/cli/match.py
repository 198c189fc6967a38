"""`kb match`: a paste in, the answer out. Loads the matcher and nothing else of the project."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kb.cli.given import read_given
from kb.cli.output import print_json, print_json_line
from kb.cli.paste import decode, read_bytes
from kb.cli.progress import progress
from kb.cli.ready import ready_index
from kb.cli.terminal import columns, use_colour
from kb.diagnose import Diagnosis, Given, Index, diagnose
from kb.diagnose.wire import to_wire
from kb.render.terminal import diagnosis_text

LINE = '{"id": ..., "text": "the paste"}'
STATUS = {"match": 0, "no_match": 1, "ambiguous": 3}


def run(arguments: argparse.Namespace) -> int:
    """Answer one paste, or many with --jsonl. The exit status tells the verdict."""
    if arguments.jsonl:
        return _many(arguments)
    text, note = decode(read_bytes(arguments.file), arguments.file)
    if note:
        print(f"kb: {note}", file=sys.stderr)
    index = ready_index(arguments.index)
    given = read_given(arguments, index)
    with progress(f"Reading {text.count(chr(10)) + 1:,} lines"):
        diagnosis = diagnose(text, index, given)
    for problem in diagnosis.given_problems:
        print(f"kb: {problem}", file=sys.stderr)
    if arguments.json:
        print_json(to_wire(diagnosis))
    else:
        sys.stdout.write(diagnosis_text(diagnosis, colour=use_colour(), width=columns()))
    return STATUS[diagnosis.verdict]


def _many(arguments: argparse.Namespace) -> int:
    """One answer line for each line, in order; a line that cannot be answered says so."""
    lines = read_bytes(arguments.file).splitlines()
    index = ready_index(arguments.index)
    given = read_given(arguments, index)
    with progress(f"Answering {len(lines):,} pastes"):
        for answer in answers(lines, index, given):
            print_json_line(answer)
    return 0


def answers(lines: Iterable[bytes], index: Index, given: Given) -> Iterator[dict[str, Any]]:
    """`{"id", "diagnosis"}` or `{"id", "error"}` for each line that is not blank."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _answer(line, number, lambda text: diagnose(text, index, given))


def _answer(line: bytes, number: int, ask: Callable[[str], Diagnosis]) -> dict[str, Any]:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"id": None, "error": f"line {number} is not JSON: {error}"}
    name = item.get("id") if isinstance(item, dict) else None
    text = item.get("text") if isinstance(item, dict) else None
    if not isinstance(text, str) or not text.strip():
        return {
            "id": name,
            "error": f"line {number} has no text; a line is {LINE}",
        }
    return {"id": name, "diagnosis": to_wire(ask(text))}
