"""The paste in a message or file of a chat."""

from __future__ import annotations

import re

from api.unpack import gunzip

# What Slack makes of addresses, people and channels. `<module>` of a traceback is none of these.
SLACK_LINK = re.compile(r"<((?:https?|mailto|tel):[^<>|]*|[@#!][^<>|]*)(?:\|([^<>]*))?>")
MENTION = re.compile(r"<@&?!?\w{1,40}>")
FENCE = "```"
LANGUAGE = re.compile(r"[A-Za-z0-9+#-]{0,20}\n")


def from_slack(text: str) -> str:
    """The paste in a text of Slack: its links, people and entities as they were typed."""
    plain = SLACK_LINK.sub(typed, MENTION.sub("", text))
    return fenced(plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def typed(link: re.Match[str]) -> str:
    """A link as it was typed."""
    target, label = link[1], link[2]
    if label:
        return label
    return "" if target[0] in "@#!" else target.removeprefix("mailto:")


def from_discord(text: str) -> str:
    return fenced(MENTION.sub("", text))


def fenced(text: str) -> str:
    """What stands in blocks of code, where there are some; else the text."""
    parts = text.split(FENCE)
    blocks = [LANGUAGE.sub("", part, count=1) if LANGUAGE.match(part) else part for part in parts[1::2]]
    inside = "\n".join(block.strip("\n") for block in blocks if block.strip())
    return inside or text.strip()


def from_file(data: bytes, name: str, most: int) -> str:
    """The text of a file; one that is packed with gzip is unpacked. Raises Refused."""
    if name.endswith(".gz"):
        data = gunzip(data, most)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")
