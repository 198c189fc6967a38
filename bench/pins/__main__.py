"""Do the messages and flags of the entries still stand at the lines of the releases that they name?

    python -m bench.pins --report bench/pins/report.md

Downloads the named releases into a cache (build/sources) and looks at each pinned line. The words of a
template must stand in the source around it: a message is often put together from several strings.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import fsum
from pathlib import Path

from bench.pins.releases import PACKAGES, NotThere, release_folder
from kb.catalog.entry import Entry, Source
from kb.catalog.loader import load_catalog
from kb.diagnose import template
from kb.diagnose.template.weigh import weight

ROOT = Path(__file__).resolve().parents[2]
BEFORE, AFTER = 6, 25  # lines around the pinned one over which a message may be spread
ENOUGH = 0.7  # of what the words say, in nats; releases write some words as values
PART = 0.3  # where a message is put together from a wrapper and its cause
WORD = re.compile(r"[a-z0-9_]+")


@dataclass(frozen=True)
class Pin:
    """What should stand where."""

    entry: str
    name: str  # signature or flag
    words: tuple[str, ...]
    source: Source

    @property
    def place(self) -> str:
        source = self.source
        return f"{source.repository} {source.release or source.commit} {source.path}:{source.line}"


@dataclass(frozen=True)
class Finding:
    pin: Pin
    result: str  # stands, in part, passes on, moved, not seen, missing, no file, ...
    note: str = ""


def pins(entry: Entry) -> Iterator[Pin]:
    """Everything of an entry that names a line.

    A wrapper or an HTTP body passes on a message that another signature has: only its own words are looked
    for at its line.
    """
    words = {
        signature.id: tuple(template.literal_words(template.parse(signature.template)))
        for signature in entry.signatures
        if signature.on != "fact"
    }
    for signature in entry.signatures:
        if signature.source.line and signature.id in words:
            own = words[signature.id]
            others = [set(other) for name, other in words.items() if name != signature.id]
            inner = [other for other in others if other < set(own)] or [o for o in others if o == set(own)]
            passed_on = inner[0] if inner and signature.id != first_of(words, own) else set()
            yield Pin(entry.id, signature.id, tuple(w for w in own if w not in passed_on), signature.source)
    for flag in entry.flags:
        if flag.source.line:
            name = flag.name.partition("=")[0].lstrip("-").lower().replace("-", "_")
            yield Pin(entry.id, flag.name, (name,), flag.source)


def first_of(words: dict[str, tuple[str, ...]], own: tuple[str, ...]) -> str:
    """The first signature with these words: it is the one that says them itself."""
    return next(name for name, other in words.items() if set(other) == set(own))


def look_up(pin: Pin, cache: Path) -> Finding:
    """Whether the words stand around the line; where else in the file, if they do not."""
    source = pin.source
    package = PACKAGES.get(source.repository or "")
    if package is None or source.release is None:
        return Finding(pin, "not looked up", "no release on the package index")
    try:
        folder = release_folder(package, source.release, cache)
    except (NotThere, OSError) as error:
        return Finding(pin, "no release", str(error))
    assert source.path is not None
    assert source.line is not None
    names = (source.path, source.path.removeprefix(package.prefix), source.path.removeprefix("src/"))
    file = next((folder / name for name in names if (folder / name).is_file()), None)
    if file is None:
        return Finding(pin, "no file", source.path)
    return judge(pin, file.read_text("utf-8", "replace").lower().split("\n"))


def judge(pin: Pin, lines: Sequence[str]) -> Finding:
    """Whether the words stand around the pinned line of a file; where else, if they do not."""
    at_line = pin.source.line or 1
    if at_line > len(lines):
        return Finding(pin, "missing", f"the file has {len(lines)} lines")
    if not pin.words:
        return Finding(pin, "passes on")
    here = told(pin.words, lines[max(0, at_line - 1 - BEFORE) : at_line + AFTER])
    if here >= ENOUGH:
        return Finding(pin, "stands")
    window = BEFORE + AFTER
    others = range(0, len(lines), window // 2)
    best = max(others, key=lambda at: told(pin.words, lines[at : at + window]), default=0)
    if told(pin.words, lines[best : best + window]) >= ENOUGH:
        return Finding(pin, "moved", f"the words stand near line {best + window // 2}")
    if here >= PART:
        return Finding(pin, "in part", f"{here:.0%} of what the words say")
    return Finding(pin, "not seen", "the words stand nowhere in the file: put together at run time, or wrong")


def told(words: Sequence[str], lines: Sequence[str]) -> float:
    """What part of a message's words, by what they say, stands in these lines."""
    text = "\n".join(lines).replace("-", "_")
    there = set(WORD.findall(text))
    total = fsum(weight(word) for word in words)
    return fsum(weight(word) for word in words if word in there or word in text) / total if total else 0.0


def report(findings: Sequence[Finding]) -> str:
    """The result as Markdown: counts, then all that do not stand."""
    counts = Counter(finding.result for finding in findings)
    lines = [
        "# Pinned sources",
        "",
        f"Looked up {datetime.now(UTC):%Y-%m-%d} with `python -m bench.pins`: {len(findings)} pinned lines.",
        "",
        "| result | lines |",
        "| --- | --- |",
        *(f"| {result} | {count} |" for result, count in counts.most_common()),
    ]
    for result in ("missing", "no file", "moved", "not seen", "no release"):
        chosen = [finding for finding in findings if finding.result == result]
        if chosen:
            lines += ["", f"## {result[0].upper()}{result[1:]}", ""]
            lines += [f"- {f.pin.entry}, {f.pin.name}: {f.pin.place} ({f.note})" for f in chosen]
    elsewhere = Counter(f.pin.source.repository for f in findings if f.result == "not looked up")
    if elsewhere:
        lines += ["", "## Not looked up by this script", ""]
        lines += [f"- {repository}: {count}" for repository, count in elsewhere.most_common()]
    return "\n".join(lines) + "\n"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.pins", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ids", nargs="*", help="entries to look at (all)")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "sources", help="folder of releases")
    parser.add_argument("--report", type=Path, help="file to write the report to (else it is printed)")
    options = parser.parse_args(argv)
    entries = [file.entry for file in load_catalog(ROOT / "entries").entries]
    chosen = [entry for entry in entries if not options.ids or entry.id in options.ids]
    findings = []
    for number, entry in enumerate(chosen, start=1):
        if sys.stderr.isatty():
            print(f"\r{number}/{len(chosen)} {entry.id[:60]:<60}", end="", file=sys.stderr, flush=True)
        findings += [look_up(pin, options.cache) for pin in pins(entry)]
    text = report(findings)
    if options.report:
        options.report.write_text(text, "utf-8")
    else:
        print(text, end="")
    return 1 if any(finding.result in ("missing", "no file") for finding in findings) else 0


if __name__ == "__main__":
    sys.exit(main())
