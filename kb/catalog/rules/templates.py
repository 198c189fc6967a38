"""KB40x: templates parse, identify something, and can be looked up."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator

from kb.catalog.document import Path
from kb.catalog.entry import Entry, Signature
from kb.catalog.loader import Catalog, CheckFile, EntryFile
from kb.catalog.rules.names import COMPUTED, template_names
from kb.catalog.rules.rule import Finding, check_rule, entry_rule
from kb.diagnose import template

# What stands with a signature adds to what its text says; same scale (nats) as the floor.
WHERE, FUNCTION, OWN_EXCEPTION, BUILTIN_EXCEPTION, PARAM, STATUS = 4.0, 1.5, 2.5, 1.0, 1.5, 0.5
CUT_OFF = re.compile(r"\bNCCL (?:WARN|INFO)\b")
BUILTIN = frozenset(name for name in vars(builtins) if name.endswith(("Error", "Exception")))


@entry_rule("KB401", stops=True)
def template_does_not_parse(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A template that does not parse finds nothing."""
    for path, source in templates(file.entry):
        yield from _parsed(path, source)


@check_rule("KB402", stops=True)
def outcome_template_does_not_parse(file: CheckFile, _catalog: Catalog) -> Iterator[Finding]:
    """The same for the templates that recognise a check's outcome."""
    for number, outcome in enumerate(file.check.outcomes):
        for position, source in enumerate(outcome.templates):
            yield from _parsed(("outcomes", number, "templates", position), source)


@entry_rule("KB403", needs=("signatures",))
def template_is_too_common(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Text such as `{_} not found in {_}` stands in every second log; it would answer to all of them."""
    for path, source, more in _recognising(file.entry):
        parsed = _tried(source)
        says = template.specificity(parsed) + more if parsed else template.SPECIFICITY_FLOOR
        if says < template.SPECIFICITY_FLOOR:
            hint = "take more of the message, or name `where` it is raised or its own exception class"
            message = f"too common to identify anything ({says:.1f} of {template.SPECIFICITY_FLOOR})"
            yield Finding(path, message, hint)


@entry_rule("KB404", needs=("signatures",))
def template_has_no_whole_word(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Signatures are looked up by a word that must be in the text; without one, this is never found."""
    for path, source, _ in _recognising(file.entry):
        parsed = _tried(source)
        if parsed and not template.anchors(parsed):
            hint = "keep one word outside [[...]] that no placeholder touches"
            yield Finding(path, "no whole word that is always there", hint)


@entry_rule("KB405")
def source_has_no_place(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A source line such as `assert x > 0` stands in many programs; the frame's file says which one it is."""
    for number, signature in enumerate(file.entry.signatures):
        if signature.on == "source" and signature.where is None:
            hint = "add `where`: the end of the raising frame's path"
            yield Finding(("signatures", number), "a source line without `where`", hint)


@entry_rule("KB411", needs=("signatures",))
def frame_is_needed_and_not_named(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """`needs_frame` asks for a frame of `where`; without one the signature would never count."""
    for number, signature in enumerate(file.entry.signatures):
        if signature.needs_frame and signature.where is None:
            hint = "add `where`: the end of the raising frame's path"
            yield Finding(("signatures", number), "`needs_frame` without `where`", hint)


@entry_rule("KB412", needs=("signatures",))
def place_is_neither_file_nor_folder(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A frame's path ends in a file. `sglang/srt` is the end of none; `sglang/srt/` is a folder in many."""
    for number, signature in enumerate(file.entry.signatures):
        where = signature.where or "/"
        if not where.endswith("/") and "." not in where.rpartition("/")[2]:
            hint = "name the file, or end the folder with a slash"
            yield Finding(("signatures", number, "where"), "no frame's path can end like this", hint)


@entry_rule("KB406", needs=("signatures",))
def body_field_elsewhere(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """`status` and `param` belong to HTTP bodies; on anything else they would never hold."""
    for number, signature in enumerate(file.entry.signatures):
        for name in ("status", "param"):
            if signature.on != "body" and getattr(signature, name) is not None:
                hint = "write `on: body`, or remove it"
                yield Finding(("signatures", number, name), f"`{name}` on {signature.on}", hint, key=True)


@entry_rule("KB407")
def capture_is_called_value(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """`@value@` in a command is what the fix computes; a capture of that name could never be shown."""
    names = [
        (("signatures", n, "template"), template_names(s.template))
        for n, s in enumerate(file.entry.signatures)
    ]
    asked = [(("values", number, "name"), (value.name,)) for number, value in enumerate(file.entry.values)]
    derived = [(("derive", name), (name,)) for name in file.entry.derive]
    for path, found in (*names, *asked, *derived):
        if COMPUTED in found:
            yield Finding(path, f"`{COMPUTED}` is the name of the computed value", "give it another name")


@entry_rule("KB408", needs=("signatures",))
def template_holds_what_is_cut_off(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Prefixes of loggers are cut off before matching: a template that holds one is never found."""
    for path, source in templates(file.entry):
        prefix = CUT_OFF.search(source)
        if prefix:
            hint = "begin with what the message itself says"
            yield Finding(path, f"`{prefix[0]}` is cut off before a text is matched", hint)


@entry_rule("KB409", needs=("signatures",))
def backslash_before_a_closing_bracket(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Only `{`, `}` and `[` are escaped; before `]` a backslash is text, which no software writes."""
    for path, source in templates(file.entry):
        if "\\]" in source:
            yield Finding(path, "a backslash before `]`", "write `]` alone")


@entry_rule("KB410", needs=("signatures",))
def same_signature_in_no_sibling(file: EntryFile, catalog: Catalog) -> Iterator[Finding]:
    """A message that two entries share word for word decides nothing between them; a check must."""
    own = {sibling.id for sibling in file.entry.siblings} | {related.id for related in file.entry.related}
    for number, signature in enumerate(file.entry.signatures):
        for other in catalog.entries:
            same = other is not file and any(
                identity(s) == identity(signature) for s in other.entry.signatures
            )
            if same and other.entry.id not in own and other.entry.id < file.entry.id:
                hint = "make them siblings with a check, or say what differs: where, exception, versions"
                message = f"{other.entry.id} has the very same signature"
                yield Finding(("signatures", number, "template"), message, hint)


def identity(signature: Signature) -> tuple[object, ...]:
    """What tells one signature from another."""
    versions = tuple(sorted(signature.versions.items()))
    named = (signature.on, signature.exception, signature.where, signature.function, signature.status)
    return signature.template.strip(), *named, versions


def templates(entry: Entry) -> Iterator[tuple[Path, str]]:
    """Every template of an entry."""
    for path, source, _ in _recognising(entry):
        yield path, source
    for name, patterns in (("supports", entry.supports), ("refutes", entry.refutes)):
        for number, pattern in enumerate(patterns):
            yield (name, number, "template"), pattern.template
    for number, cause in enumerate(entry.causes):
        for position, tell in enumerate(cause.tells):
            if tell.template is not None:
                yield ("causes", number, "tells", position, "template"), tell.template


def _recognising(entry: Entry) -> Iterator[tuple[Path, str, float]]:
    """Templates that may lead to the entry by themselves, with what stands beside each, in nats."""
    for number, signature in enumerate(entry.signatures):
        if signature.on != "fact":
            yield ("signatures", number, "template"), signature.template, _beside(signature)
    for number, alias in enumerate(entry.aliases):
        yield ("aliases", number), alias, 0.0


def _beside(signature: Signature) -> float:
    exception = (signature.exception or "").rsplit(".", maxsplit=1)[-1]
    named = BUILTIN_EXCEPTION if exception in BUILTIN else OWN_EXCEPTION
    parts = (
        (signature.where, WHERE),
        (signature.function, FUNCTION),
        (exception, named),
        (signature.param, PARAM),
        (signature.status, STATUS),
    )
    return sum(nats for given, nats in parts if given)


def _parsed(path: Path, source: str) -> Iterator[Finding]:
    try:
        template.parse(source)
    except template.TemplateError as error:
        what, _, hint = str(error).partition("; ")
        yield Finding(
            path, what, hint or "see the signature language in kb/diagnose/template", offset=error.offset
        )


def _tried(source: str) -> template.Template | None:
    try:
        return template.parse(source)
    except template.TemplateError:
        return None
