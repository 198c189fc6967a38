"""A page of the site as plain Markdown, that any reader or generator takes.

Our generator's own notation goes: admonitions, tabs and folded blocks become a bold line and their content,
badges a line of words, attributes in braces and drawings vanish. What is fenced stays as it is. The rest is
Markdown that everybody knows, with tables.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator

import yaml

from kb.render.markup import literal

AS_MARKDOWN = ', <a href="entry.md">as Markdown</a>'
"""On the page of an entry, the link to its plain form; HTML, for that is no page of the generator."""

FENCE = re.compile(r"^ *(`{3,})[^`]*$")
BLOCK = re.compile(r'^( *)(?:!!!|\?\?\?|===) (?:[a-z]+ )?"(.*)"$')
HEADING = re.compile(r"^(#{1,6}) (.*) \{ #([\w-]+) \}$")
BADGE = re.compile(r'<span class="fb-badge__label">(.*?)</span> (.*?)</span>')
DRAWING = '<div class="fb-map">'  # goes: what it shows stands below it as a list
WRAPPER = re.compile(r'^ *(?:<div class="[\w -]*" markdown="1">|</div>)$')
ATTRIBUTES = re.compile(r"^ *\{ [#.][^{}\\]*\}$|(?<=\))\{ \.[^{}\\]*\}$")
ANCHORED = re.compile(r"\]\(#([\w-]+)\)")
TO_ENTRY = re.compile(r"(\]\(\.\./[a-z0-9-]+/)index\.md(?:#[\w-]+)?\)")


def plain_page(page: str) -> str:
    """A page with a front matter of title and description alone, for a generator."""
    meta, text = parted(page)
    kept = {key: html.unescape(meta[key]) for key in ("title", "description") if meta.get(key)}
    head = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in kept.items())
    title = "" if re.search(r"^# ", text, re.MULTILINE) else f"# {literal(kept.get('title', ''))}\n\n"
    return f"---\n{head}---\n\n{title}{plain(text)}"


def plain_entry(page: str) -> str:
    """The page of an entry for a reader: links to other entries lead to their text, not to their page."""
    lines = plain(parted(page)[1]).split("\n")
    return "\n".join(
        line if fenced else TO_ENTRY.sub(r"\1entry.md)", line) for line, fenced in told_apart(lines)
    )


def parted(page: str) -> tuple[dict[str, str], str]:
    """The front matter and the text of a page."""
    if not page.startswith("---\n"):
        return {}, page
    head, _, text = page.removeprefix("---\n").partition("\n---\n")
    return dict(yaml.safe_load(head) or {}), text.lstrip("\n")


def plain(text: str) -> str:
    """Markdown of a page without the notation that only our generator knows."""
    lines = text.split("\n")
    linked = {name for line, fenced in told_apart(lines) if not fenced for name in ANCHORED.findall(line)}
    return "\n".join(without_blanks(rewritten(lines, linked))).rstrip("\n") + "\n"


def told_apart(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it belongs to a fenced block."""
    closing = ""
    for line in lines:
        if closing:
            yield line, True
            closing = "" if line.strip() == closing else closing
        else:
            opened = FENCE.match(line)
            closing = opened[1] if opened else ""
            yield line, bool(opened)


def rewritten(lines: list[str], linked: set[str]) -> Iterator[str]:
    """The lines in plain notation; anchors stay where a link of the page leads to them."""
    told = list(told_apart(lines))
    at = 0
    while at < len(told):
        line, fenced = told[at]
        at += 1
        block = None if fenced else BLOCK.match(line)
        if fenced:
            yield opening(line)
        elif line == DRAWING:
            at = next(end for end in range(at, len(told)) if told[end][0] == "</div>") + 1
        elif block:
            margin, end = block[1] + "    ", at
            while end < len(told) and (not told[end][0].strip() or told[end][0].startswith(margin)):
                end += 1
            inside = [each.removeprefix(margin) for each in lines[at:end]]
            yield from (block[1] + each for each in (bold(block[2]), "", *rewritten(inside, linked)))
            at = end
        else:
            yield unmarked(line, linked)


def opening(line: str) -> str:
    """A line of a fenced block; its first says the language alone."""
    return re.sub(r"^( *`{3,}) \{ \.(\w+)[^}]*\}$", r"\1\2", line)


def bold(title: str) -> str:
    """The title of a block as a line of its own."""
    shown = title.replace("&quot;", '"')
    return f"**{shown}**"


def unmarked(line: str, linked: set[str]) -> str:
    """A line outside of fences without classes, anchors and wrappers."""
    heading = HEADING.match(line)
    if heading:
        anchor = f'<a id="{heading[3]}"></a>' if heading[3] in linked else ""
        return f"{heading[1]} {anchor}{heading[2]}"
    if line.startswith('<p class="fb-badges">'):
        pairs = (tuple(literal(html.unescape(part)) for part in pair) for pair in BADGE.findall(line))
        return " · ".join(f"{label}: {value}" for label, value in pairs)
    return "" if WRAPPER.match(line) else ATTRIBUTES.sub("", line).replace(AS_MARKDOWN, "")


def without_blanks(lines: Iterator[str]) -> Iterator[str]:
    """Lines of which no two in a row are blank, outside of fences."""
    blank = True
    for line, fenced in told_apart(list(lines)):
        if fenced or line.strip() or not blank:
            yield line if fenced else line.rstrip()
        blank = not fenced and not line.strip()
