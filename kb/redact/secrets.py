"""Tokens, passwords, keys and cookies. Every row has the text that forced it in tests/redact.

Patterns are ours, have no nested repetition, and are anchored by a literal that is rare: linear in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

REDACTED = "redacted"  # alone on a line, capitals would read as the class of an exception


@dataclass(frozen=True)
class Rule:
    """One kind of secret. Group `s` is what is taken out; without it the whole match is."""

    kind: str
    pattern: re.Pattern[str]


def _rule(kind: str, pattern: str, flags: int = 0) -> Rule:
    return Rule(kind, re.compile(pattern, flags))


_VALUE = r"(?P<s>[^\s'\"`,;&<>\[\]{}()]{4,})"
# Names whose value is a secret whatever it looks like, and names whose value is one when it looks like one:
# `token=` also stands before `</s>` and `max_tokens=512`.
_NAMES = (
    r"(?:pass(?:word|wd|phrase)|\bpwd(?=['\"]?\s*[:=]\s*['\"]?[^/~.\s])|client[_-]?secret|secret[_-]?(?:access[_-]?)?key|api[_-]?key|access[_-]?key"
    r"|private[_-]?key|account[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|hf[_-]?token|_secret|\bsecret"
    r"|session[_-]?id|sessionid|session[_-]?token|client[_-]?key[_-]?data|x-amz-security-token|x-api-key"
    r"|wandb_api_key)"
)
RULES = (
    _rule("token", r"\bhf_[A-Za-z0-9]{20,}\b"),
    _rule("token", r"\b(?:sk|pk|rk)-(?:[A-Za-z0-9]+-){0,4}[A-Za-z0-9_]{16,}(?:-[A-Za-z0-9_]+)*"),
    _rule("token", r"\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}\b"),
    _rule("token", r"\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bgithub_pat_[A-Za-z0-9_]{30,}\b"),
    _rule("token", r"\bgl(?:pat|rt|dt|ft|cbt|ptt|soat)-[\w-]{18,}|\bglc_[A-Za-z0-9+/=]{20,}"),
    _rule(
        "token", r"\bgsk_[A-Za-z0-9]{40,}\b|\bGOCSPX-[\w-]{20,}|\bdapi[0-9a-f]{32}\b|\bhv[sbr]\.[\w-]{20,}"
    ),
    _rule("token", r"\bAGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    _rule("token", r"/bot(?P<s>\d{6,12}:[\w-]{30,})"),  # Telegram
    _rule("token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}"),
    _rule("token", r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b"),
    _rule("token", r"\bAIza[\w-]{35}|\bya29\.[\w-]{20,}"),
    _rule("token", r"\bnpm_[A-Za-z0-9]{30,}\b|\bpypi-[\w-]{40,}|\bdckr_pat_[\w-]{20,}|\bnvapi-[\w-]{20,}"),
    _rule("token", r"\bSG\.[\w-]{16,}\.[\w-]{16,}|\bdop_v1_[a-f0-9]{32,}|\br8_[A-Za-z0-9]{30,}\b"),
    _rule("token", r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{0,4096}"),  # JSON web token
    _rule("token", r"https://hooks\.slack\.com/(?P<s>(?:services|workflows)/[\w/-]{10,})"),
    _rule("token", r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/(?P<s>\d+/[\w-]{20,})"),
    _rule("token", r"\b[MNO][A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,}"),  # Discord bot
    _rule(
        "auth header",
        r"\b(?:Bearer|Token)\s+(?P<s>(?=[A-Za-z._~+/=-]{0,200}\d)[A-Za-z0-9._~+/=-]{16,})",
        re.IGNORECASE,
    ),
    _rule("auth header", r"\bauthorization['\"]?\s*[:=]\s*['\"]?\w+\s+(?P<s>[^\s'\",]{4,})", re.IGNORECASE),
    _rule("auth header", r"\bBasic\s+(?P<s>(?=[A-Za-z+/]{0,200}[0-9=])[A-Za-z0-9+/]{8,}={0,2})"),
    _rule("cookie", r"\b(?:set-)?cookie['\"]?\s*[:=]\s*(?P<s>[^\r\n]{3,4000})", re.IGNORECASE),
    _rule(
        "password", r"\b[a-z][a-z0-9+.-]{1,20}://(?P<s>[^\s/@:'\"]{0,200}:[^\s/@'\"]{1,300})@", re.IGNORECASE
    ),
    _rule("password", rf"{_NAMES}['\"]?\s*(?:=|:|=>)\s*['\"]?{_VALUE}", re.IGNORECASE),
    _rule("password", rf"--?{_NAMES}[ =]+['\"]?{_VALUE}", re.IGNORECASE),
    _rule(
        "token", r"\btoken['\"]?\s*[:=]\s*['\"]?(?P<s>(?=[\w.~+/-]{0,200}\d)[\w.~+/-]{16,})", re.IGNORECASE
    ),
    _rule(
        "token",
        r"[?&](?:sig|signature|X-Amz-Signature|X-Amz-Credential|X-Goog-Signature)=(?P<s>[^\s&'\"]{8,})",
    ),
    _rule("token", r"\bwandb\b[^\r\n]{0,60}?\b(?P<s>[0-9a-f]{40})\b", re.IGNORECASE),
)
KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
# The end of a line of a key, whatever prefix of a logger stands before it; and the headers of old keys.
KEY_BODY = re.compile(r"(?:^|[\s:|])[A-Za-z0-9+/]{30,}={0,2}\s*$|(?:Proc-Type|DEK-Info|Comment|Version): ")
# Values that stand where a secret would and are none.
HARMLESS = re.compile(
    r"(?:REDACTED|None|null|true|false|\*+|x{3,}|\.{3}|<[\w -]+>|\$\{?\w+\}?|%\w+%)\Z", re.IGNORECASE
)


def hide_secrets(text: str, counts: Counter[str]) -> str:
    """The text without secrets; `counts` gets how many of each kind there were."""
    text = hide_keys(text, counts)
    for rule in RULES:
        text = apply(rule, text, counts)
    return text


def apply(rule: Rule, text: str, counts: Counter[str]) -> str:
    """One rule over the whole text."""
    named = "s" in rule.pattern.groupindex

    def replaced(found: re.Match[str]) -> str:
        group = "s" if named else 0
        if HARMLESS.match(found[group]):
            return found[0]
        counts[rule.kind] += 1
        start, end = found.start(group) - found.start(), found.end(group) - found.start()
        return found[0][:start] + REDACTED + found[0][end:]

    return rule.pattern.sub(replaced, text)


def hide_keys(text: str, counts: Counter[str]) -> str:
    """Private keys between their marks, line by line, so that all lines keep their number.

    A key without its end (the paste was cut) ends with the first line that cannot be of a key.
    """
    if not KEY_BEGIN.search(text):
        return text
    lines = text.split("\n")
    inside = False
    for number, line in enumerate(lines):
        begin, end = KEY_BEGIN.search(line), KEY_END.search(line)
        start = begin.end() if begin else 0
        stop = end.start() if end and end.start() >= start else len(line)
        if begin:
            inside = True
        elif inside and not (end or belongs(line, lines[number + 1 : number + 2])):
            inside = False
        if inside and line[start:stop].strip() not in ("", REDACTED, "\\n"):
            counts["private key"] += bool(begin)
            lines[number] = line[:start] + REDACTED + line[stop:]
        if end:
            inside = False
    return "\n".join(lines)


def belongs(line: str, following: list[str]) -> bool:
    """Whether a line can be of a key: it is long and of base64, or the last before the key's end."""
    return bool(KEY_BODY.search(line)) or not line.strip() or any(map(KEY_END.search, following))
