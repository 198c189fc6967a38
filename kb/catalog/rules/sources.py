"""KB2xx: what an entry states can be looked up: links, releases, places in source code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from kb.catalog.document import Path
from kb.catalog.entry import AllowedValues, Entry, Source
from kb.catalog.loader import Catalog, EntryFile
from kb.catalog.rules.rule import Finding, entry_rule
from kb.catalog.rules.walk import texts

CODE_LINK = re.compile(
    r"https?://(?:github\.com/[\w.-]+/[\w.-]+/(?:blob|tree|raw|blame)|raw\.githubusercontent\.com/[\w.-]+/[\w.-]+)"
    r"/(?:refs/(?:heads|tags)/)?([^/\s)#?]+)"
)
PINNED = re.compile(r"[0-9a-f]{40}|v?\d+(?:\.\d+)+[\w.+-]*")


@entry_rule("KB201")
def link_is_not_https(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A link that people follow goes over https and is a link."""
    for path, url in links(file.entry):
        if not re.fullmatch(r"https://[^\s/]+\S*", url):
            yield Finding(path, f"`{url[:60]}` is not an https link", "write the whole address, https://...")


@entry_rule("KB202", stops=True)
def version_does_not_parse(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Versions are compared by machine, so specifiers and releases are valid PEP 440."""
    for path, specifier in specifiers(file.entry):
        try:
            SpecifierSet(specifier)
        except InvalidSpecifier:
            yield Finding(path, f"`{specifier}` is not a version specifier", "write it like >=0.8.0,<0.11.1")
    for path, release in releases(file.entry):
        try:
            Version(release)
        except InvalidVersion:
            yield Finding(path, f"`{release}` is not a release", "write it like 0.11.0")


@entry_rule("KB203")
def link_is_not_a_permalink(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A link to code on a branch moves under the reader's feet."""
    for path, text in texts(file.document.value):
        for link in CODE_LINK.finditer(text):
            if not PINNED.fullmatch(link[1]):
                hint = "pin it to a commit of 40 digits or to a release's tag"
                yield Finding(path, "link is not a permalink", hint, offset=link.start())


@entry_rule("KB204")
def source_is_not_pinned(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Where a message or flag stands is named so that anyone finds it, or is said to be unconfirmed."""
    for path, source in sources(file.entry):
        if source.confirmed and (lacking := _lacking(source)):
            hint = f"add {', '.join(lacking)}; or write `confirmed: no`"
            yield Finding(path, "the source is not pinned", hint)


def _lacking(source: Source) -> list[str]:
    if source.type != "source":
        return [] if source.url else ["url"]
    pinned = "release or commit" if not (source.release or source.commit) else ""
    names = [name for name in ("repository", "path", "line") if getattr(source, name) is None]
    return [*names, *([pinned] if pinned else [])]


def links(entry: Entry) -> Iterator[tuple[Path, str]]:
    """Every field that is a link as a whole."""
    for number, reference in enumerate(entry.references):
        yield ("references", number, "url"), reference.url
    for number, cause in enumerate(entry.causes):
        for position, url in enumerate(cause.references):
            yield ("causes", number, "references", position), url
    for path, source in sources(entry):
        if source.url:
            yield (*path, "url"), source.url


def sources(entry: Entry) -> Iterator[tuple[Path, Source]]:
    """The source of every signature and flag."""
    for number, signature in enumerate(entry.signatures):
        yield ("signatures", number, "source"), signature.source
    for number, flag in enumerate(entry.flags):
        yield ("flags", number, "source"), flag.source


def specifiers(entry: Entry) -> Iterator[tuple[Path, str]]:
    """Every PEP 440 specifier of an entry."""
    for number, signature in enumerate(entry.signatures):
        for package, specifier in signature.versions.items():
            yield ("signatures", number, "versions", package), specifier
    for number, cause in enumerate(entry.causes):
        for package, specifier in cause.versions.items():
            yield ("causes", number, "versions", package), specifier
    for number, affected in enumerate(entry.affected):
        yield ("affected", number, "versions"), affected.versions
        for position, behaviour in enumerate(affected.behaviour):
            yield ("affected", number, "behaviour", position, "versions"), behaviour.versions
    for path, allowed in allowed_values(entry):
        for package, specifier in allowed.versions.items():
            yield (*path, "versions", package), specifier


def allowed_values(entry: Entry) -> Iterator[tuple[Path, AllowedValues]]:
    """The allowed values of flags and of parameters that a fix sets."""
    for number, flag in enumerate(entry.flags):
        for position, allowed in enumerate(flag.allowed):
            yield ("flags", number, "allowed", position), allowed
    for number, cause in enumerate(entry.causes):
        for position, allowed in enumerate(cause.fix.set.allowed if cause.fix.set else ()):
            yield ("causes", number, "fix", "set", "allowed", position), allowed


def releases(entry: Entry) -> Iterator[tuple[Path, str]]:
    """Every single release of an entry."""
    for number, verified in enumerate(entry.verified):
        yield ("verified", number, "release"), verified.release
    for number, affected in enumerate(entry.affected):
        if affected.fixed_in:
            yield ("affected", number, "fixed_in"), affected.fixed_in
