"""Versions and specifiers of PEP 440, as far as affected ranges need them; no library in the browser.

Epochs, pre, post, dev and local parts are read as the PEP says (https://peps.python.org/pep-0440/). What
cannot be read gives None: unknown, neither inside nor outside a range.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

_LONGEST = 100
_VERSION = re.compile(
    r"""v?(?:(?P<epoch>[0-9]+)!)?(?P<release>[0-9]+(?:\.[0-9]+)*)
    (?:[._-]?(?P<pre>alpha|beta|preview|pre|rc|a|b|c)[._-]?(?P<pre_number>[0-9]*))?
    (?:-(?P<post_implicit>[0-9]+)|[._-]?(?P<post>post|rev|r)[._-]?(?P<post_number>[0-9]*))?
    (?:[._-]?(?P<dev>dev)[._-]?(?P<dev_number>[0-9]*))?
    (?:\+(?P<local>[a-z0-9]+(?:[._-][a-z0-9]+)*))?""",
    re.VERBOSE | re.ASCII,
)
_CLAUSE = re.compile(r"\s*(~=|==|!=|<=|>=|<|>)\s*(\S+?)\s*")
_PRE = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}
_FINAL: dict[str, Any] = {"pre": None, "post": None, "dev": None, "local": ()}
_BEFORE_ALL, _AFTER_ALL = -1, 1 << 62


@dataclass(frozen=True, slots=True)
class _Version:
    epoch: int
    release: tuple[int, ...]
    pre: tuple[str, int] | None
    post: int | None
    dev: int | None
    local: tuple[tuple[int, str], ...]

    def public(self) -> tuple[object, ...]:
        """What orders versions whose local part does not count."""
        release = self.release
        while len(release) > 1 and release[-1] == 0:
            release = release[:-1]
        if self.pre is not None:
            pre = self.pre
        elif self.post is None and self.dev is not None:
            pre = ("", _BEFORE_ALL)  # 1.0.dev1 is before 1.0a1
        else:
            pre = ("~", _AFTER_ALL)
        post = -1 if self.post is None else self.post
        dev = _AFTER_ALL if self.dev is None else self.dev
        return self.epoch, release, pre, post, dev

    def whole(self) -> tuple[object, ...]:
        """What orders versions with their local part; none is before any."""
        return (*self.public(), self.local)


def compare(left: str, right: str) -> int | None:
    """-1, 0 or 1 as `left` is before, the same as or after `right`; None when one cannot be read."""
    a, b = _read(left), _read(right)
    if a is None or b is None:
        return None
    return (a.whole() > b.whole()) - (a.whole() < b.whole())


def matches(version: str, specifier: str) -> bool | None:
    """Whether a version is in a range such as `>=0.6.1,<0.11`; None when one of the two cannot be read.

    Pre-releases count as what they are (0.11.0rc1 is in `<0.12`); an empty specifier takes every version.
    """
    candidate = _read(version)
    if candidate is None:
        return None
    results = [_clause(candidate, clause) for clause in specifier.split(",") if clause.strip()]
    return None if None in results else all(results)


@lru_cache(maxsize=2048)
def _read(text: str) -> _Version | None:
    """A version from its text; None when it is none."""
    text = text.strip().lower()
    match = _VERSION.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        return None
    part = match.groupdict()
    pre = part["pre"] and (_PRE.get(part["pre"], part["pre"]), int(part["pre_number"] or 0))
    post = part["post_implicit"] or (part["post"] and (part["post_number"] or "0"))
    dev = part["dev"] and (part["dev_number"] or "0")
    local = tuple(
        (int(piece), "") if piece.isdigit() else (-1, piece)
        for piece in re.split(r"[._-]", part["local"] or "")
        if piece
    )
    return _Version(
        epoch=int(part["epoch"] or 0),
        release=tuple(int(number) for number in part["release"].split(".")),
        pre=pre or None,
        post=int(post) if post else None,
        dev=int(dev) if dev else None,
        local=local,
    )


def _clause(candidate: _Version, clause: str) -> bool | None:
    """Whether a version satisfies one clause, `>=0.6.1`; None when the clause cannot be read."""
    match = _CLAUSE.fullmatch(clause)
    if match is None:
        return None
    sign, text = match.groups()
    if text.endswith(".*"):
        return _prefix_clause(candidate, sign, text.removesuffix(".*"))
    wanted = _read(text)
    if wanted is None or (wanted.local and sign not in ("==", "!=")):
        return None
    if sign in ("==", "!="):
        same = candidate.whole() == wanted.whole() if wanted.local else candidate.public() == wanted.public()
        return same == (sign == "==")
    if sign == "~=":
        return _compatible(candidate, wanted)
    return _ordered(candidate, sign, wanted)


def _prefix_clause(candidate: _Version, sign: str, text: str) -> bool | None:
    """`==1.2.*` and `!=1.2.*`."""
    wanted = _read(text)
    if wanted is None or sign not in ("==", "!=") or wanted != replace(wanted, **_FINAL):
        return None
    return _in_series(candidate, wanted.epoch, wanted.release) == (sign == "==")


def _in_series(candidate: _Version, epoch: int, series: tuple[int, ...]) -> bool:
    """Whether a version begins with these numbers: 1.2rc1 and 1.2.3 are in the series 1.2."""
    release = candidate.release + (0,) * (len(series) - len(candidate.release))
    return candidate.epoch == epoch and release[: len(series)] == series


def _compatible(candidate: _Version, wanted: _Version) -> bool | None:
    """`~=1.4.2`: at least 1.4.2 and in 1.4.*"""
    if len(wanted.release) < 2:
        return None
    series = _in_series(candidate, wanted.epoch, wanted.release[:-1])
    return series and candidate.public() >= wanted.public()


def _ordered(candidate: _Version, sign: str, wanted: _Version) -> bool:
    """`<`, `<=`, `>` and `>=`. As the PEP has it, `<1.7` has no 1.7rc1 in it and `>1.7` no 1.7.post1."""
    here, there = candidate.public(), wanted.public()
    if sign == "<=":
        return here <= there
    if sign == ">=":
        return here >= there
    if sign == "<":
        early = wanted.pre is not None or wanted.dev is not None
        return here < (wanted if early else replace(wanted, dev=0)).public()
    plain = wanted.post is None and wanted.dev is None
    is_its_post = replace(candidate, post=None, dev=None).public() == there
    return here > there and not (plain and is_its_post and candidate.post is not None)
