"""Text of an entry as Markdown that means exactly that text.

Authors write prose in a tiny language: back-ticks make code, a blank line ends a paragraph, lines that start
with `- ` make a list, an https address becomes a link. Everything else is literal, so whatever Markdown,
HTML or the generator would read into a character (template braces, pipes, underscores, tags) is escaped here
and nowhere else. Commands, templates and pastes go into fences that are longer than any fence inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

CODE = re.compile(r"`([^`\n]+)`|(@[a-z][a-z0-9_]*@)")  # code, and placeholders to fill in
ADDRESS = re.compile(r"https://[^\s<>\"'`{}|\\^]+")
SPECIAL = re.compile(r"[\\`*\[\]{}|<>&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
BLOCK_START = re.compile(r"^(?:([#+=?!:~-])|(\d+)([.)]))")
TICKS = re.compile(r"`+")
# Python-Markdown looks for the end of such a tag even behind the code that it stands in, over blocks of HTML.
UNCLOSED_TAG = re.compile(r"<[A-Za-z!/?][^>]*$")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def literal(text: str) -> str:
    """One line that shows `text` as it is: nothing in it is markup."""
    flat = visible(" ".join(text.split()))
    return SPECIAL.sub(lambda found: ENTITIES.get(found[0], "\\" + found[0]), flat)


def inline(text: str) -> str:
    """One line of prose: code in back-ticks and https addresses work, the rest is literal."""
    flat = " ".join(text.split())
    parts: list[str] = []
    at = 0
    for found in CODE.finditer(flat):
        parts += [linked(flat[at : found.start()]), code(found[1] or found[2])]
        at = found.end()
    parts.append(linked(flat[at:]))
    return "".join(parts)


def linked(text: str) -> str:
    """Literal text in which https addresses are links."""
    parts: list[str] = []
    at = 0
    for found in ADDRESS.finditer(text):
        address = trimmed(found[0])
        parts += [escaped(text[at : found.start()]), f"<{address}>"]
        at = found.start() + len(address)
    parts.append(escaped(text[at:]))
    return "".join(parts)


def trimmed(address: str) -> str:
    """An address without the punctuation of its sentence; a bracket that it opened itself stays."""
    while address[-1] in ".,;:!?" or (address[-1] == ")" and address.count("(") < address.count(")")):
        address = address[:-1]
    return address


def escaped(text: str) -> str:
    """`literal` that keeps the blanks at both ends, for joining."""
    return SPECIAL.sub(lambda found: ENTITIES.get(found[0], "\\" + found[0]), visible(text))


def line(text: str) -> str:
    """A line of prose that begins a block: its first characters start no heading, list or admonition."""
    return BLOCK_START.sub(
        lambda found: f"&#{ord(found[1])};" if found[1] else f"{found[2]}\\{found[3]}", inline(text)
    )


def prose(text: str) -> str:
    """Paragraphs and lists of prose."""
    return "\n\n".join(paragraph(part) for part in re.split(r"\n\s*\n", text.strip()))


def paragraph(text: str) -> str:
    """One paragraph; a list where every line is an item or goes on with one."""
    lines = text.strip().splitlines()
    if not lines[0].lstrip().startswith("- "):
        return line(text)
    items: list[str] = []
    for each in lines:
        if each.lstrip().startswith("- "):
            items.append(each.lstrip()[2:])
        else:
            items[-1] += " " + each
    return bullets(items)


def bullets(items: Iterable[str]) -> str:
    """A list of lines of prose."""
    return "\n".join(f"- {line(item)}" for item in items)


def code(text: str) -> str:
    """A code span, whatever back-ticks are inside."""
    flat = visible(" ".join(text.split()))
    if not flat:
        return ""
    if UNCLOSED_TAG.search(flat):
        return f"<code>{escaped(flat)}</code>"
    longest = max((len(run) for run in TICKS.findall(flat)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{ticks}{pad}{flat}{pad}{ticks}"


def fence(text: str, language: str = "text", *, classes: str = "", marked: int | None = None) -> str:
    """A fenced block that nothing inside can end. `marked` is the number of a line to highlight, from 1."""
    body = visible("\n".join(lines_of(text))).strip("\n")
    longest = max((len(run) for run in TICKS.findall(body)), default=0)
    ticks = "`" * max(3, longest + 1)
    names = " ".join(f".{name}" for name in (language, *classes.split()))
    extra = f' hl_lines="{marked}"' if marked else ""
    head = f" {{ {names}{extra} }}" if classes or marked else language
    return f"{ticks}{head}\n{body}\n{ticks}"


def lines_of(text: str) -> list[str]:
    """The lines of a text as the generator counts them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are Markdown already. Columns in which every cell is empty are left out."""
    filled = [list(row) for row in rows]
    kept = [at for at in range(len(columns)) if any(row[at] for row in filled)]
    if not kept:
        return ""
    lines = [[columns[at] for at in kept], ["---"] * len(kept), *([row[at] for at in kept] for row in filled)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def heading(level: int, text: str, anchor: str) -> str:
    """A heading with a fixed anchor."""
    return f"{'#' * level} {inline(text)} {{ #{anchor} }}"


def section(level: int, title: str, anchor: str, *parts: str) -> str:
    """A heading and what stands under it, or nothing at all when every part is empty."""
    body = blocks(*parts)
    return f"{heading(level, title, anchor)}\n\n{body}" if body else ""


def blocks(*parts: str) -> str:
    """Parts that are not empty, one after the other."""
    return "\n\n".join(part for part in parts if part)


def indented(text: str) -> str:
    """`text` as the inside of a tab, a list item or a folded block."""
    return "\n".join(f"    {each}" if each else "" for each in text.splitlines())


def titled(text: str) -> str:
    """Prose as the quoted title of a tab or a folded block."""
    return inline(text).replace('"', "&quot;")


def tabs(pages: Iterable[tuple[str, str]]) -> str:
    """Content tabs: pairs of title and Markdown."""
    return "\n\n".join(f'=== "{titled(title)}"\n\n{indented(body)}' for title, body in pages)


def folded(title: str, body: str, kind: str = "example") -> str:
    """A block that opens on a click."""
    return f'??? {kind} "{titled(title)}"\n\n{indented(body)}'


def item(head: str, *parts: str) -> str:
    """A list item (`head` starts with its marker) with blocks under it."""
    return blocks(head, *(indented(part) for part in parts if part))


def named(label: str, text: str) -> str:
    """A list item `**Label:** text`; nothing when there is no text."""
    return f"- **{label}:** {text}" if text else ""


def named_list(*pairs: tuple[str, str]) -> str:
    """What is known, one labelled item a line."""
    lines = [named(label, text) for label, text in pairs if text]
    return '<div class="fb-facts" markdown="1">\n\n' + "\n".join(lines) + "\n\n</div>" if lines else ""


def visible(text: str) -> str:
    """Control characters as their pictures (an escape becomes ␛), so that a page stays valid HTML."""
    return CONTROL.sub(lambda found: "␡" if found[0] == "\x7f" else chr(0x2400 + ord(found[0])), text)
