"""Known vulnerabilities of the packages that the lock files pin: `make audit`, and in `make check`.

All packages are asked for in one request to OSV, whose answer is kept for a day. Offline there are two ways:
a folder with OSV's own export (`PyPI/all.zip`, `npm/all.zip`, as osv-scanner keeps it), which
FAULTBOOK_ADVISORIES names, or the answer kept from last time. Where nobody can be asked and nothing is kept,
that is said, and is no failure: not knowing must not stop work, nor look like a clean bill.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
import time
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "audit.json"
SERVICE = "https://api.osv.dev/v1/querybatch"
DAY = 24 * 3600
PATIENCE = 5  # seconds
# Advisory -> why it does not touch us. Each is looked at again when its package changes.
ACCEPTED: dict[str, str] = {}

Found = dict[str, list[str]]
"""`name version` -> ids of advisories."""


class Unanswered(Exception):
    """Nobody could be asked; the text says why."""


@dataclass(frozen=True, order=True)
class Package:
    ecosystem: str
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def main(arguments: list[str] | None = None) -> int:
    """0: nothing known, or nothing to be learned (which is said); 1: something is known."""
    parser = argparse.ArgumentParser(prog="python -m bench.audit", description="audit the lock files")
    parser.add_argument("--quiet", action="store_true", help="say nothing when all is well")
    parser.add_argument("--service", default=SERVICE, help=argparse.SUPPRESS)
    parser.add_argument("--kept", type=Path, default=KEPT, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    packages = [*locked(ROOT / "requirements.lock"), *locked_npm(ROOT / "package-lock.json")]
    database = os.environ.get("FAULTBOOK_ADVISORIES", "")
    try:
        if database:
            found, source = in_export(packages, Path(database)), f"the export in {database}"
        else:
            found, source = asked_or_kept(packages, given.service, given.kept)
    except Unanswered as reason:
        print(
            f"audit: {len(packages)} pinned packages were not audited: {reason}. Offline, put OSV's export "
            "into a folder and name it in FAULTBOOK_ADVISORIES.",
            file=sys.stderr,
        )
        return 0
    known = {name: [each for each in ids if each not in ACCEPTED] for name, ids in found.items()}
    for name, ids in sorted(known.items()):
        if ids:
            print(f"audit: {name} has known vulnerabilities: {', '.join(ids)} ({source})", file=sys.stderr)
    if any(known.values()):
        return 1
    if not given.quiet:
        print(f"audit: nothing is known of {len(packages)} pinned packages ({source})")
    return 0


def locked(path: Path) -> Iterator[Package]:
    """The packages of a requirements file with exact releases."""
    for name, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", path.read_text("utf-8"), re.MULTILINE):
        yield Package("PyPI", name, version)


def locked_npm(path: Path) -> Iterator[Package]:
    """The packages of npm's lock file."""
    for place, package in json.loads(path.read_text("utf-8"))["packages"].items():
        if place:  # the first one is the project itself
            yield Package("npm", place.rpartition("node_modules/")[2], package["version"])


def asked_or_kept(packages: list[Package], service: str, kept: Path) -> tuple[Found, str]:
    """The answer kept today, else a new one, else the one kept before. Raises Unanswered."""
    now, of = time.time(), hashlib.sha256(repr(sorted(packages)).encode()).hexdigest()
    before = json.loads(kept.read_text("utf-8")) if kept.is_file() else {}
    if before.get("of") != of:
        before = {}
    if not before or now - before["at"] > DAY:
        try:
            before = {"of": of, "at": now, "found": ask(packages, service)}
        except Unanswered:
            if not before:
                raise
        else:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(before), encoding="utf-8")
    return before["found"], f"OSV on {time.strftime('%Y-%m-%d', time.gmtime(before['at']))}"


def ask(packages: list[Package], service: str) -> Found:
    """Ask OSV for all of them at once. Raises Unanswered."""
    queries = [
        {"package": {"name": each.name, "ecosystem": each.ecosystem}, "version": each.version}
        for each in packages
    ]
    body = json.dumps({"queries": queries}).encode()
    try:
        request = Request(service, body, {"Content-Type": "application/json"})
        with urlopen(request, timeout=PATIENCE) as answer:
            results = json.load(answer)["results"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unanswered(f"the advisories could not be asked for ({error})") from error
    if len(results) != len(packages):
        raise Unanswered(f"{len(results)} answers came for {len(packages)} packages")
    return {
        str(package): [each["id"] for each in result.get("vulns", ())]
        for package, result in zip(packages, results, strict=True)
    }


def in_export(packages: list[Package], folder: Path) -> Found:
    """Look all of them up in OSV's export. Raises Unanswered."""
    found: Found = {str(each): [] for each in packages}
    for ecosystem in sorted({each.ecosystem for each in packages}):
        pinned = {normal(each.name): each for each in packages if each.ecosystem == ecosystem}
        for advisory in advisories(folder / ecosystem / "all.zip"):
            if advisory.get("withdrawn"):
                continue
            for affected in advisory.get("affected", ()):
                package = pinned.get(normal(affected.get("package", {}).get("name", "")))
                if package and hit(package.version, affected):
                    found[str(package)].append(advisory["id"])
    return found


def advisories(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with zipfile.ZipFile(path) as export:
            for name in export.namelist():
                yield json.loads(export.read(name))
    except (OSError, zipfile.BadZipFile) as error:
        raise Unanswered(f"{path} cannot be read ({error})") from error


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def hit(version: str, affected: dict[str, Any]) -> bool:
    """Whether a release is among those that an advisory is about; one that cannot be compared counts."""
    if version in affected.get("versions", ()):
        return True
    spans = (each for each in affected.get("ranges", ()) if each["type"] in {"ECOSYSTEM", "SEMVER"})
    try:
        return any(within(Version(version), span["events"]) for span in spans)
    except InvalidVersion:
        return True


def within(version: Version, events: Iterable[dict[str, str]]) -> bool:
    """Whether a release lies behind an `introduced` that no `fixed` or `last_affected` has ended."""
    inside = False
    for event in sorted(events, key=lambda event: Version(next(iter(event.values())))):
        ((what, bound),) = event.items()
        if what == "introduced" and version >= Version(bound):
            inside = True
        elif (what == "fixed" and version >= Version(bound)) or (
            what == "last_affected" and version > Version(bound)
        ):
            inside = False
    return inside


if __name__ == "__main__":
    sys.exit(main())
