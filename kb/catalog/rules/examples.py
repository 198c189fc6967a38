"""KB6xx: the pastes beside an entry are there, are listed, and say something that can be checked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.catalog.loader import Catalog, EntryFile
from kb.catalog.rules.rule import Finding, entry_rule
from kb.catalog.rules.walk import unknown_reference

LARGEST = 512 * 1024  # characters; a 3,000-line log has some 300,000


@entry_rule("KB601")
def example_is_missing(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A listed example exists and is UTF-8 text: every one is run by the tests."""
    for number, example in enumerate(file.entry.examples):
        if file.example(example.file) is None:
            hint = "add the file, saved as UTF-8"
            yield Finding(("examples", number, "file"), f"{example.file} is not there or not UTF-8", hint)


@entry_rule("KB602", needs=("examples",))
def file_is_not_listed(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A file that no example names is run by no test and read by nobody."""
    listed = {example.file for example in file.entry.examples}
    for name in file.files:
        if name not in listed:
            yield Finding(
                (), f"{name} is not listed", "list it under `examples`, or remove it", beside=(name, 1, 1)
            )


@entry_rule("KB603")
def example_is_empty(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """An empty paste proves nothing, and one of half a million characters is a log nobody cut down."""
    for example in file.entry.examples:
        text = file.example(example.file)
        if text is not None and not text.strip():
            yield Finding((), "the example is empty", "paste a report", beside=(example.file, 1, 1))
        if text is not None and len(text) > LARGEST:
            yield Finding(
                (), f"{len(text):,} characters", f"cut it to {LARGEST:,}", beside=(example.file, 1, 1)
            )


@entry_rule("KB604")
def expected_entry_is_unknown(file: EntryFile, catalog: Catalog) -> Iterator[Finding]:
    """What an example expects exists, else the test of it could never pass."""
    for number, example in enumerate(file.entry.examples):
        what = example.expect != "none" and unknown_reference(example.expect, catalog)
        if what:
            yield Finding(("examples", number, "expect"), what, "name an entry or `entry/cause` that exists")


@entry_rule("KB605")
def line_is_not_in_the_example(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """The initiating line that an example expects stands in it, on one line."""
    for number, example in enumerate(file.entry.examples):
        text = file.example(example.file)
        if text and example.line and not any(example.line in line for line in re.split(r"\r\n|\r|\n", text)):
            hint = "copy a part of one line of the file"
            yield Finding(("examples", number, "line"), f"no line of {example.file} has this", hint)


@entry_rule("KB606")
def example_expects_the_wrong_side(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """match-* leads to its own entry and other-* does not: the name is a promise to the reader."""
    for number, example in enumerate(file.entry.examples):
        own = example.expect.split("/")[0] == file.entry.id
        if own != example.file.startswith("match-"):
            hint = "match-* expects this entry; other-* expects another one, or none"
            yield Finding(("examples", number, "expect"), f"{example.file} expects {example.expect}", hint)


@entry_rule("KB607")
def verdict_contradicts(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """`none` and the verdict no_match are the same statement, and a match has a line to show."""
    for number, example in enumerate(file.entry.examples):
        if (example.expect == "none") != (example.verdict == "no_match"):
            hint = "`expect: none` goes with `verdict: no_match`"
            yield Finding(
                ("examples", number, "verdict"), f"{example.verdict} with expect {example.expect}", hint
            )
        if example.file.startswith("match-") and example.line is None:
            hint = "add `line`: a part of the line that started it"
            yield Finding(("examples", number), f"{example.file} names no initiating line", hint)


@entry_rule("KB608")
def example_is_listed_twice(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A file is listed once, so that it has one expected answer."""
    names = [example.file for example in file.entry.examples]
    for number, name in enumerate(names):
        if name in names[:number]:
            yield Finding(("examples", number, "file"), f"{name} is listed twice", "keep one")
