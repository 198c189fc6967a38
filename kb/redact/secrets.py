"""Tokens, passwords, keys and cookies. Every row has the text that forced it in tests/redact.

Patterns are ours, have no nested repetition, and are anchored by a literal that is rare: linear in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from kb.redact.providers import TOKENS

REDACTED = "redacted"  # alone on a line, capitals would read as the class of an exception


@dataclass(frozen=True)
class Rule:
    """One kind of secret. Group `s` is what is taken out; without it the whole match is."""

    kind: str
    pattern: re.Pattern[str]


def _rule(kind: str, pattern: str, flags: int = 0) -> Rule:
    return Rule(kind, re.compile(pattern, flags))


_VALUE = r"(?P<s>[^\s'\"`,;&<>\[\]{}()]{4,})"
_QUOTED = r"(?P<quote>['\"])(?P<s>[^'\"\r\n]{1,400})(?P=quote)"
# Names whose value is a secret whatever it looks like. `token=` also stands before `</s>` and
# `max_tokens=512`: its value is one when it looks like one, which is a row of its own.
_NAMES = (
    r"(?:pass(?:word|wd|phrase)|(?:\b|_)pwd(?=['\"]?\s*[:=]\s*['\"]?[^/~.\s])"
    r"|(?:client|app|signing|webhook)[_-]?secret|_secret|\bsecret|secret[_-]?(?:access[_-]?)?key"
    r"|(?:api|access|account|shared[_-]?access|subscription|encryption)[_-]?key"
    r"|private[_-]?key(?:[_-]?id)?"
    r"|(?:auth|access|refresh|id|bearer|bot|private|hf|session|x-amz-security)[_-]?token|session[_-]?id"
    r"|shared[_-]?access[_-]?signature|client[_-]?(?:key|certificate)[_-]?data)"
)
# The schemes that may stand between `Authorization:` and the secret; without one, two words are taken.
_SCHEME = r"(?:Bearer|Basic|Token|Digest|Negotiate|NTLM|ApiKey|Api-Key|Key|Bot|Splunk|SSWS)"
_GAP = r"[\s\\'\"]{1,80}"  # a header that was folded, or its parts in two strings
RULES = (
    *(_rule("token", pattern) for pattern in TOKENS),
    _rule(
        "auth header",
        rf"\bauthorization['\"]?\s{{0,40}}[:=][\s\\\\'\"]{{0,80}}(?:{_SCHEME}{_GAP}|AWS4-HMAC-SHA256\s+)?"
        r"(?P<s>[^\s'\",\\]{4,}(?:[ \t]+[^\s'\",:\\]{16,})?)",
        re.IGNORECASE,
    ),
    _rule(
        "auth header",
        rf"\b(?:Bearer|Token){_GAP}(?P<s>(?=[A-Za-z._~+/=-]{{0,200}}\d)[A-Za-z0-9._~+/=-]{{16,}})",
        re.IGNORECASE,
    ),
    _rule("auth header", r"\bBasic\s+(?P<s>(?=[A-Za-z+/]{0,200}[0-9=])[A-Za-z0-9+/]{8,}={0,2})"),
    _rule("auth header", r"\bSignature=(?P<s>[0-9a-f]{64})\b"),
    _rule("cookie", r"\b(?:set-)?cookies?['\"]?\s*[:=]\s*(?P<s>[^\r\n]{3,4000})", re.IGNORECASE),
    _rule(
        "password", r"\b[a-z][a-z0-9+.-]{1,20}://(?P<s>[^\s/@:'\"]{0,200}:[^\s/@'\"]{1,300})@", re.IGNORECASE
    ),
    _rule("password", r"://(?P<s>[^\s/@:'\"]{16,300})@"),  # https://TOKEN@host
    _rule("password", rf"{_NAMES}['\"]?\s*(?:=|:|=>)\s*{_QUOTED}", re.IGNORECASE),
    _rule("password", rf"{_NAMES}(?:\\?['\"])?\s*(?:=|:|=>)\s*(?:\\?['\"])?{_VALUE}", re.IGNORECASE),
    _rule("password", rf"--?{_NAMES}[ =]+['\"]?{_VALUE}", re.IGNORECASE),
    # Commands that take a password by a short flag, or behind the user's name.
    _rule(
        "password",
        r"\b(?:curl|wget)\b[^\r\n]{0,300}?\s(?:-u|--user)[ =]?['\"]?(?P<s>[^\s:'\"]{1,64}:[^\s'\"]+)",
    ),
    _rule(
        "password",
        r"\b(?:docker|podman|nerdctl|registry|oras)\slogin\b[^\r\n]{0,200}?\s-p[ =]?['\"]?(?P<s>[^\s'\"]+)",
    ),
    _rule("password", r"\bsshpass\s+-p\s*['\"]?(?P<s>[^\s'\"]+)"),
    # .netrc, in one line or several; docker's config.json and npm's .npmrc.
    _rule("password", r"\blogin\s+[^\s]{1,100}\s+(?:account\s+[^\s]{1,100}\s+)?password\s+(?P<s>[^\s]+)"),
    _rule("password", r"^[ \t]*password[ \t]+(?P<s>[^\s]{6,})[ \t]*$", re.MULTILINE),
    _rule(
        "password", r"\b(?:_?auth|identitytoken|registrytoken)\\?['\"]\s*:\s*\\?['\"](?P<s>[\w+/=.~-]{8,})"
    ),
    _rule("password", r"['\"]key['\"]\s*:\s*['\"](?P<s>[0-9a-f]{32})['\"]"),  # kaggle.json
    _rule("password", r":_(?:auth|password)\s*=\s*['\"]?(?P<s>[^\s'\"]{6,})"),
    _rule(
        "token",
        r"(?:\b|_)token(?:\\?['\"])?\s*[:=]\s*(?:\\?['\"])?(?P<s>(?=[\w.~+/-]{0,200}\d)(?=[\d.e+-]{0,40}[A-Za-df-z_~/])[\w.~+/-]{16,}=*)",
        re.IGNORECASE,
    ),
    _rule("token", r"(?<=[A-Z0-9])_TOKEN\s?=\s?['\"]?(?P<s>[^\s'\"`,;&<>\[\]{}()]{8,})"),
    _rule("token", r"[?&](?:token|key|secret)=(?P<s>[^\s&'\"<>\\]{4,})", re.IGNORECASE),
    # Signatures of links that open a file without any login. `&` may be escaped for HTML or JSON.
    _rule(
        "token",
        r"(?:[?&;]|\\u0026|%26)(?:sig|signature|policy|X-Amz-Signature|X-Amz-Credential|X-Goog-Signature|X-Goog-Credential)"
        r"=(?P<s>[^\s&'\"<>\\]{8,})",
        re.IGNORECASE,
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
        if HARMLESS.match(found[group]) or found[group].startswith(REDACTED):
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
