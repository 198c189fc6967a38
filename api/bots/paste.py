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
    return fenced(plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"), named=False)


def typed(link: re.Match[str]) -> str:
    """A link as it was typed."""
    target, label = link[1], link[2]
    if label:
        return label
    return "" if target[0] in "@#!" else target.removeprefix("mailto:")


def from_discord(text: str) -> str:
    return fenced(MENTION.sub("", text), named=True)


def fenced(text: str, *, named: bool) -> str:
    """What stands in blocks of code, where there are some; else the text.

    `named`: a block may begin with the name of its language. In Slack none does: its first line is text.
    """
    blocks = [block for block in text.split(FENCE)[1::2] if block.strip()]
    bare = map(without_language, blocks) if named else blocks
    return "\n".join(block.strip("\n") for block in bare) or text.strip()


def without_language(block: str) -> str:
    """A block of code without the name of its language, which stands on its first line."""
    named = LANGUAGE.match(block)
    rest = block[named.end() :] if named else ""
    return rest if rest.strip() else block


def from_file(data: bytes, name: str, most: int) -> str:
    """The text of a file; one that is packed with gzip is unpacked. Raises Refused."""
    if name.endswith(".gz"):
        data = gunzip(data, most)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")
