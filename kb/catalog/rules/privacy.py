"""KB90x: examples are re-created; nothing in them leads to a real person, machine or account."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from kb.catalog.loader import Catalog, EntryFile
from kb.catalog.rules.rule import Finding, entry_rule

SECRETS = {
    "a Hugging Face token": r"\bhf_[A-Za-z0-9]{30,}",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,})",
    "an API key": r"\bsk-[A-Za-z0-9_-]{24,}",
    "an AWS key": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a Google key": r"\bAIza[\w-]{35}",
    "a Slack token": r"\bxox[abprs]-[\w-]{10,}",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "a signed token": r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}",
    "a bearer token": r"(?i:\bbearer\s+[a-z0-9._~+/-]{24,})",
    "a password in a link": r"\w://[^\s/:@]+:[^\s/:@]{3,}@",
    "an API key of 40 digits": r"(?i:api[_ -]?key\W{1,4}[0-9a-f]{40}\b)",
}
SECRET = re.compile("|".join(f"(?P<k{number}>{pattern})" for number, pattern in enumerate(SECRETS.values())))
MADE_UP = re.compile(r"x{6,}|X{6,}|0{8,}|\*{4,}|(?i:example|redacted|placeholder)")
"""What shows that a secret was never real."""

MAIL = re.compile(r"\b[\w.+-]{1,64}@((?:[a-z0-9-]{1,63}\.){1,8}([a-z]{2,18}))\b", re.IGNORECASE)
RESERVED_DOMAIN = re.compile(
    r"(?:^|\.)(?:example\.(?:com|org|net)|(?:example|invalid|test|localhost))$", re.IGNORECASE
)
NO_DOMAIN = frozenset(
    {"service", "socket", "timer", "slice", "scope", "local", "internal", "svc", "cluster", "py", "so"}
)
"""Last parts of systemd units, cluster names and files, which look like a mail address and are none."""

IPV4 = re.compile(r"(?<![\w.+-])(\d{1,3}(?:\.\d{1,3}){3})(?![\w.+-]*\d)")
IPV6 = re.compile(r"(?<![\w:.])([23][0-9a-f]{3}:[0-9a-f:]{4,34})(?![\w.])", re.IGNORECASE)
VERSION_BEFORE = re.compile(
    r"(?:==|[~<>]=|\bversion[:= ]*|\brelease |\w-[\w-]* +|[a-z]\d+ +|[^/]/)$", re.IGNORECASE
)
"""What stands before four numbers that are a version (`cublas-cu12 12.4.5.8`) and not an address."""


@entry_rule("KB901")
def example_holds_a_secret(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A token in a public file is spent, and scanners of those who copy the file will stop on it."""
    kinds = list(SECRETS)
    for name, number, line in _lines(file):
        for found in SECRET.finditer(line):
            if not MADE_UP.search(found[0]) and found.lastgroup:
                kind = kinds[int(found.lastgroup[1:])]
                yield _at(name, number, found.start(), f"what looks like {kind}", "put xxxxxxxx in its place")


@entry_rule("KB902")
def example_holds_a_mail_address(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """An address belongs to a person who did not agree to stand here."""
    for name, number, line in _lines(file):
        for found in MAIL.finditer(line):
            if not RESERVED_DOMAIN.search(found[1]) and found[2].lower() not in NO_DOMAIN:
                yield _at(name, number, found.start(), f"a mail address {found[0]}", "use one at example.com")


@entry_rule("KB903")
def example_holds_a_public_address(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A routable address is somebody's machine."""
    for name, number, line in _lines(file):
        for found in (*IPV4.finditer(line), *IPV6.finditer(line)):
            version = ":" not in found[1] and VERSION_BEFORE.search(line[: found.start()])
            if not version and _is_global(found[1]):
                hint = "use 10.0.0.0/8, 192.0.2.0/24 or 2001:db8::/32"
                yield _at(name, number, found.start(), f"a public address {found[1]}", hint)


def _lines(file: EntryFile) -> Iterator[tuple[str, int, str]]:
    for example in file.entry.examples:
        for number, line in enumerate((file.example(example.file) or "").splitlines(), start=1):
            yield example.file, number, line


def _at(name: str, line: int, column: int, message: str, hint: str) -> Finding:
    return Finding((), message, hint, beside=(name, line, column + 1))


def _is_global(text: str) -> bool:
    try:
        return ipaddress.ip_address(text).is_global
    except ValueError:
        return False
