"""An entry for a person at a terminal (`kb explain`): everything it holds, commands ready to copy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kb.catalog.entry import (
    AllowedValues,
    Cause,
    Check,
    Entry,
    Fix,
    Flag,
    Look,
    Signature,
    Source,
    Table,
    Tell,
)
from kb.diagnose.forms import forms_of_setting
from kb.render.ink import Ink, joined, verbatim
from kb.render.plain import printable
from kb.render.words import FORMS, KINDS, LIKELIHOOD, STATUS


def entry_text(entry: Entry, checks: Iterable[Check], *, colour: bool = False, width: int = 80) -> str:
    """The entry as text that ends with a line end. `checks` are those that it uses."""
    ink = Ink(colour, width)
    parts = (
        _head(entry, ink),
        _recognition(entry, ink),
        _story(entry, ink),
        *(_cause(cause, len(entry.causes) > 1, ink) for cause in entry.causes),
        _root(entry, ink),
        _procedure(entry, ink),
        _relations(entry, checks, ink),
        _after(entry, ink),
        _proof(entry, ink),
    )
    return joined(line for part in parts for line in part)


def _head(entry: Entry, ink: Ink) -> Iterator[str]:
    yield from (ink.bold(line) for line in ink.prose(entry.title))
    status = STATUS.get(entry.status, entry.status)
    yield ink.dim(f"{entry.id}  ({status}; {', '.join(entry.components)}; changed {entry.modified})")
    if entry.superseded_by:
        yield f"In its place: kb explain {entry.superseded_by}"
    yield from ["", *ink.prose(entry.summary)]
    for affected in entry.affected:
        name = affected.purl.rsplit("/", maxsplit=1)[-1]
        fixed = f", fixed in {affected.fixed_in}" if affected.fixed_in else ""
        yield f"Affected: {name} {affected.versions}{fixed}"
        for behaviour in affected.behaviour:
            yield from ink.prose(behaviour.text, f"  {behaviour.versions}: ")


def _recognition(entry: Entry, ink: Ink) -> Iterator[str]:
    if entry.signatures:
        yield from _title("How it shows", ink)
    for signature in entry.signatures:
        yield from _signature(signature, ink)
    yield from _items("People also call it", entry.aliases, ink)
    for title, patterns in (
        ("What speaks for it", entry.supports),
        ("What speaks against it", entry.refutes),
    ):
        if patterns:
            yield from _title(title, ink)
            for pattern in patterns:
                yield from ink.prose(f"{pattern.note} ({pattern.template})", "- ")


def _signature(signature: Signature, ink: Ink) -> Iterator[str]:
    raised = f"{signature.exception}: " if signature.exception else ""
    yield from ["", raised + verbatim(signature.template), ""]
    yield from ink.prose(signature.condition)
    places = [f"in {signature.where}" if signature.where else "", signature.function or ""]
    versions = _versions(signature.versions)
    facts = [*filter(None, places), f"on {signature.on}", versions, _source(signature.source)]
    yield ink.dim(f"({'; '.join(filter(None, facts))})")


def _source(source: Source) -> str:
    pin = source.release or source.commit or ""
    line = f":{source.line}" if source.line else ""
    at = " ".join(filter(None, (source.repository, pin, source.path and source.path + line)))
    return (at or source.url or source.type) + ("" if source.confirmed else ", unconfirmed")


def _story(entry: Entry, ink: Ink) -> Iterator[str]:
    yield from _items("Symptoms", entry.symptoms, ink)
    yield from _items("When people meet it", entry.situations, ink)
    yield from _items("Take care", entry.warnings, ink)
    if entry.flags:
        yield from _title("Settings", ink)
        for flag in entry.flags:
            yield from _flag(flag, ink)
    for table in entry.tables:
        yield from _table(table, ink)


def _flag(flag: Flag, ink: Ink) -> Iterator[str]:
    yield from ink.prose(f"{flag.name} (default {flag.default}; {_source(flag.source)})", "- ")
    yield from (f"  {line}" for line in _allowed(flag.allowed))
    if flag.note:
        yield from ink.prose(flag.note, "  ")


def _allowed(rows: Iterable[AllowedValues]) -> Iterator[str]:
    for row in rows:
        yield f"{_versions(row.versions)}: {', '.join(str(value) for value in row.values)}"


def _versions(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{package} {specifier}" for package, specifier in versions.items())


def _table(table: Table, ink: Ink) -> Iterator[str]:
    yield from _title(table.title, ink)
    rows = [[" ".join(printable(cell).split()) for cell in row] for row in (table.columns, *table.rows)]
    columns = max(len(row) for row in rows)
    filled = [row + [""] * (columns - len(row)) for row in rows]
    widths = [max(len(row[column]) for row in filled) for column in range(columns)]
    for number, row in enumerate(filled):
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        yield ink.bold(line) if number == 0 else line


def _cause(cause: Cause, several: bool, ink: Ink) -> Iterator[str]:
    yield from _title(f"Cause: {cause.title}" if several else f"Why: {cause.title}", ink)
    facts = [cause.id, KINDS[cause.kind], LIKELIHOOD[cause.likelihood]]
    if cause.versions:
        facts.append(f"only in {_versions(cause.versions)}")
    yield ink.dim(f"({'; '.join(facts)})")
    yield from ink.prose(cause.explanation)
    if cause.tells:
        yield ""
    for tell in cause.tells:
        yield from ink.prose(tell.note, _sign(tell))
    yield from ["", ink.bold("Be sure")]
    yield from _look(cause.confirm, ink)
    yield from _fix(cause.fix, ink)
    yield from cause.references


def _sign(tell: Tell) -> str:
    return "+ " if tell.says == "for" else "- "


def _fix(fix: Fix, ink: Ink) -> Iterator[str]:
    yield from ["", ink.green("Fix")]
    yield from ink.prose(fix.summary)
    for number, step in enumerate(fix.steps, start=1):
        yield from ink.prose(step, f"{number}. ")
    if fix.set:
        smallest = "the smallest allowed value at or above " if fix.set.allowed else ""
        yield from ["", f"{fix.set.parameter}: {smallest}{fix.set.at_least}"]
        yield from (f"  {line}" for line in _allowed(fix.set.allowed))
        yield from ink.prose(fix.set.above_largest or "")
    for command in fix.commands:
        yield from ["", verbatim(command), ""]
    for name, text in _forms(fix).items():
        yield from ["", ink.dim(f"{FORMS.get(name, name)}:"), verbatim(text)]
    if fix.example:
        yield from ["", ink.dim("before:"), verbatim(fix.example.before)]
        yield from ["", ink.dim("after:"), verbatim(fix.example.after)]
    yield from ["", ink.bold("Then check")]
    yield from _look(fix.verify, ink)
    if fix.resume:
        yield from ["", *ink.prose(fix.resume, "Go on from: ", "")]
    yield from _items("Do not", (f"{avoid.what}: {avoid.why}" for avoid in fix.avoid), ink)
    if fix.risk:
        yield from ["", *ink.prose(fix.risk, "Risk: ", "")]


def _forms(fix: Fix) -> dict[str, str]:
    """The forms as written, and behind them those that the parameter has beside."""
    made = forms_of_setting(fix.set.parameter, "@value@") if fix.set else {}
    written: dict[str, str] = {str(name): text for name, text in fix.forms.items()}
    return written | {name: text for name, text in made.items() if name not in written}


def _look(look: Look, ink: Ink) -> Iterator[str]:
    yield from _do(look.look, look.run, look.see, ink)


def _do(text: str | None, run: str | None, see: str, ink: Ink, first: str = "") -> Iterator[str]:
    if text:
        yield from ink.prose(text, first)
    if run:
        yield from ["", verbatim(run), ""]
    yield from ink.prose(see, "-> ")


def _root(entry: Entry, ink: Ink) -> Iterator[str]:
    if entry.find_root:
        yield from _title("This is only a consequence. Find the first error", ink)
        yield from ink.prose(entry.find_root.look)
        yield from ["", verbatim(entry.find_root.run), ""]
    yield from _items("It follows from", entry.leads_from, ink)


def _procedure(entry: Entry, ink: Ink) -> Iterator[str]:
    yield from _items("Keep before a restart", entry.preserve, ink)
    if entry.checklist:
        yield from _title("Checklist", ink)
    for number, step in enumerate(entry.checklist, start=1):
        yield from _do(step.do, step.run, step.see, ink, f"{number}. ")
    for diagnostic in entry.diagnostics:
        yield from _title(diagnostic.purpose, ink)
        yield from _do(None, diagnostic.run, diagnostic.see, ink)
        yield from ink.prose(diagnostic.means)


def _relations(entry: Entry, checks: Iterable[Check], ink: Ink) -> Iterator[str]:
    looks_like = (f"{sibling.id}: {sibling.why} (check {sibling.check})" for sibling in entry.siblings)
    yield from _items("Looks like it", looks_like, ink)
    for check in checks:
        yield from _title(f"Check {check.id}", ink)
        yield from ink.prose(check.question)
        yield from _do(check.look, check.run, "", ink) if check.look or check.run else ()
        for outcome in check.outcomes:
            speaks = f" -> {', '.join(outcome.supports)}" if outcome.supports else ""
            yield from ink.prose(f"{outcome.see}{speaks}", "- ")
    related = (f"{relation.id} ({relation.relation.replace('_', ' ')})" for relation in entry.related)
    yield from _items("Related", related, ink)
    yield from _items("Guides", entry.guides, ink)


def _after(entry: Entry, ink: Ink) -> Iterator[str]:
    if entry.prevention:
        yield from _title("So that it does not come back", ink)
    for prevention in entry.prevention:
        yield from ink.prose(prevention.text, "- ")
        if prevention.code:
            yield from ["", verbatim(prevention.code), ""]
    if entry.escalation:
        yield from _title("When it is more than this", ink)
        yield from ink.prose(entry.escalation)
    for question in entry.faq:
        yield from _title(question.question, ink)
        yield from ink.prose(question.answer)


def _proof(entry: Entry, ink: Ink) -> Iterator[str]:
    yield from _items("References", (f"{r.title}: {r.url}" for r in entry.references), ink)
    verified = (f"{v.package} {v.release} on {v.date}" for v in entry.verified)
    yield from _items("Looked at", verified, ink)


def _items(title: str, items: Iterable[str], ink: Ink) -> Iterator[str]:
    """A list under a title; nothing at all when the list is empty."""
    for number, item in enumerate(items):
        if number == 0:
            yield from _title(title, ink)
        yield from ink.prose(item, "- ")


def _title(text: str, ink: Ink) -> list[str]:
    return ["", *(ink.bold(line) for line in ink.prose(text))]
