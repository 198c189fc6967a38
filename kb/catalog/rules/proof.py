"""KB5xx: what an entry must hold, and what `reviewed` must have been earned with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.catalog.document import Document, key_of
from kb.catalog.loader import Catalog, CheckFile, EntryFile
from kb.catalog.rules.rule import Finding, check_rule, entry_rule
from kb.catalog.rules.walk import texts
from kb.catalog.unwritten import MARK

UNWRITTEN = re.compile(rf"{MARK}\b")


@entry_rule("KB501", needs=("examples",))
def too_few_matching_examples(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A reviewed entry is recognised in at least two real reports: one alone is memorised, not recognised."""
    found = sum(example.file.startswith("match-") for example in file.entry.examples)
    if _proven(file) and found < 2:
        hint = "re-create two real reports as match-*.txt and list them under `examples`"
        yield Finding(("status",), f"reviewed, with {found} match-*.txt", hint)


@entry_rule("KB502", needs=("examples",))
def no_look_alike(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A reviewed entry says no to at least one look-alike: what says yes to everything proves nothing."""
    if _proven(file) and not any(example.file.startswith("other-") for example in file.entry.examples):
        yield Finding(
            ("status",), "reviewed, without an other-*.txt", "add a look-alike that must not lead here"
        )


@entry_rule("KB503", needs=("role", "causes", "find_root"))
def secondary_has_no_root_to_find(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A secondary entry is a consequence: it says where the first error is and claims no cause of its own."""
    entry = file.entry
    if entry.role == "secondary" and entry.find_root is None:
        yield Finding(
            ("role",), "secondary, without `find_root`", "say where the first error is and what finds it"
        )
    if entry.role == "secondary" and entry.causes:
        yield Finding(
            ("causes",),
            "a secondary entry has no causes",
            "move them to the entry of the first error",
            key=True,
        )


@entry_rule("KB504", needs=("role", "causes", "find_root", "leads_from"))
def initiating_has_no_cause(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """An initiating entry names at least one cause; without one it is a message, not an explanation."""
    entry = file.entry
    if entry.role == "initiating" and not entry.causes:
        yield Finding(
            ("role",) if "role" in file.document.value else (),
            "an initiating entry without causes",
            "add a cause",
        )
    if entry.role == "initiating" and (entry.find_root or entry.leads_from):
        key = "find_root" if entry.find_root else "leads_from"
        yield Finding(
            (key,), f"`{key}` belongs to secondary entries", "remove it, or write `role: secondary`", key=True
        )


@entry_rule("KB505", needs=("detect", "signatures"))
def nothing_to_recognise(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """An entry detected by message has a signature; one known by its symptoms alone has none to match."""
    entry = file.entry
    if entry.detect == "message" and not entry.signatures:
        yield Finding(("signatures",), "no signature", "add the message, or write `detect: symptom`")
    if entry.detect == "symptom" and entry.signatures:
        yield Finding(("detect",), "a symptom with signatures", "write `detect: message`, or use `supports`")


@entry_rule("KB506", needs=("verified",))
def nothing_was_verified(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Reviewed means that someone looked at a named release on a named day."""
    if file.entry.status == "reviewed" and not file.entry.verified:
        yield Finding(
            ("status",), "reviewed, with nothing under `verified`", "name package, release and date"
        )


@entry_rule("KB507", needs=("status", "superseded_by"))
def superseded_without_successor(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A deprecated entry leads on; a living one is not superseded."""
    entry = file.entry
    if entry.status == "deprecated" and entry.superseded_by is None:
        yield Finding(
            ("status",), "deprecated, without `superseded_by`", "name the entry that took its place"
        )
    if entry.superseded_by and entry.status not in ("deprecated", "withdrawn"):
        yield Finding(("superseded_by",), f"superseded, yet {entry.status}", "write `status: deprecated`")


@entry_rule("KB508", stops=True)
def still_to_do(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Text that begins with the mark of `kb new` is not written yet: such an entry must answer nobody."""
    yield from _to_do(file.document)


@check_rule("KB509", stops=True)
def still_to_do_in_a_check(file: CheckFile, _catalog: Catalog) -> Iterator[Finding]:
    """The same for a check."""
    yield from _to_do(file.document)


def _to_do(document: Document) -> Iterator[Finding]:
    for path, text in texts(document.value):
        if UNWRITTEN.match(text):
            yield Finding(path, f"`{key_of(path)}` is still to do", "write it; a key that may lack can go")


def _proven(file: EntryFile) -> bool:
    return file.entry.status == "reviewed" and file.entry.detect == "message"
