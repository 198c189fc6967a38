"""Lists of arguments: in a manifest, one item a line or in brackets, and as `kubectl describe` shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.diagnose.change.commands import SPECIAL
from kb.diagnose.change.edit import LITERAL, Edit, Setting
from kb.diagnose.clean.text import Line
from kb.diagnose.words import WordMap

HEAD = re.compile(r"\s*(?:- +)?")
HEADINGS = ("Args:", "Command:")  # of `kubectl describe`, whose items have no dash
BRACKETS = re.compile(r"\s*(?:- )?[\"']?[A-Za-z][\w.-]*[\"']?\s*:\s*\[.*\],?\s*")
STRING = re.compile(r"\"(?P<double>[^\"\\]*)\"|'(?P<single>[^'\\]*)'")
MOST_ITEMS = 60
AROUND = 30  # lines around a list in which its program may be named
FORM = "kubernetes"


@dataclass(frozen=True, slots=True)
class Item:
    """An item in a line: what stands before it, its quote, its text, and a comma behind it."""

    head: str
    quote: str
    text: str
    tail: str

    def line(self, text: str) -> str:
        """The line with another text."""
        return f"{self.head}{self.quote}{text}{self.quote}{self.tail}"

    @property
    def is_flag(self) -> bool:
        return self.text.startswith("--") and " " not in self.text


def read_item(line: str) -> Item | None:
    """The item that a line is; None when it stands at the very left, or is no single text."""
    head = HEAD.match(line)
    assert head is not None
    rest = line[head.end() :].rstrip()
    tail = "," if rest.endswith(",") else ""
    text = rest.removesuffix(",")
    quote = text[0] if len(text) > 2 and text[0] in "'\"" and text[-1] == text[0] else ""
    text = text[len(quote) : len(text) - len(quote)]
    if not head.group() or not text or "'" in text or '"' in text:
        return None
    return Item(head.group(), quote, text, tail)


def item_edits(lines: Sequence[Line], words: WordMap, setting: Setting) -> Iterator[Edit]:
    """A list that has the flag with another value, or the arguments of a program that takes it.

    What a logger prints is no list of the person's.
    """
    behind = 0
    for at in words.holding(("--",)):
        line = lines[at]
        if at < behind or line.level is not None or line.time is not None:
            continue
        if BRACKETS.fullmatch(line.text):
            edit = edited_brackets(at, line.text, setting)
        else:
            items = block(lines, at)
            behind = at + len(items)
            edit = edited_block(lines, at, items, setting) if items else None
        if edit is not None:
            yield edit


def block(lines: Sequence[Line], at: int) -> list[Item]:
    """The items from a flag in line `at` on; none when the line is no item of a list."""
    first = read_item(lines[at].text)
    if first is None or not first.is_flag or not (first.quote or "-" in first.head or is_headed(lines, at)):
        return []
    items = [first]
    for line in lines[at + 1 : at + MOST_ITEMS]:
        item = read_item(line.text)
        if item is None or item.head != first.head:
            break
        items.append(item)
    return items


def is_headed(lines: Sequence[Line], at: int) -> bool:
    """Whether a line is below `Args:` or `Command:`, with nothing less indented in between."""
    indent = indentation(lines[at].text)
    for line in reversed(lines[max(at - MOST_ITEMS, 0) : at]):
        if indentation(line.text) < indent:
            return line.text.strip() in HEADINGS
    return False


def indentation(text: str) -> int:
    return len(text) - len(text.lstrip())


def edited_block(lines: Sequence[Line], at: int, items: list[Item], setting: Setting) -> Edit | None:
    """The items with the value set, from the first flag on."""
    if any(not SPECIAL.isdisjoint(item.text) for item in items):
        return None
    before = [item.line(item.text) for item in items]
    texts = replaced([item.text for item in items], setting)
    if texts is not None:
        after = [item.line(text) for item, text in zip(items, texts, strict=True)]
        return Edit(FORM, at, "\n".join(before), "\n".join(after))
    around = "\n".join(line.text for line in lines[max(at - AROUND, 0) : at + len(items) + AROUND])
    if has_flag(items, setting) or any(item.tail for item in items) or not setting.is_taken_by(around):
        return None
    new = items[0].line(f"{setting.parameter}={setting.value}")
    return Edit(FORM, at, "\n".join(before), "\n".join([*before, new]), added=True)


def replaced(texts: list[str], setting: Setting) -> list[str] | None:
    """The items with the flag's value exchanged; None when it is not there, or its value is not plain."""
    result = list(texts)
    found = False
    for number, text in enumerate(texts):
        name, sign, value = text.partition("=")
        if not (text.startswith("--") and setting.is_named(name)):
            continue
        following = number + 1
        if sign and LITERAL.fullmatch(value):
            result[number] = f"{name}={setting.value}"
        elif not sign and following < len(texts) and LITERAL.fullmatch(texts[following]):
            result[following] = setting.value
        else:
            return None
        found = True
    return result if found else None


def has_flag(items: list[Item], setting: Setting) -> bool:
    return any(item.is_flag and setting.is_named(item.text.partition("=")[0]) for item in items)


def edited_brackets(at: int, text: str, setting: Setting) -> Edit | None:
    """`args: ["--max-lora-rank", "16"]` with the value set."""
    strings = list(STRING.finditer(text))
    texts = [match["single"] if match["double"] is None else match["double"] for match in strings]
    if any(not SPECIAL.isdisjoint(each) for each in texts):
        return None
    new = replaced(texts, setting)
    if new is None:
        return None
    after = text
    for match, value in reversed(list(zip(strings, new, strict=True))):
        after = after[: match.start() + 1] + value + after[match.end() - 1 :]
    return Edit(FORM, at, text.strip(), after.strip())
