"""The source of a template -> `Template`. The grammar:

template    = part*                          white space at both ends does not count
part        = literal | placeholder | "[[" (literal | placeholder)+ "]]"
placeholder = "{" name [":" type] ["?"] "}"  name: "_" or a-z, digits and _; type: see `slots`
literal     = any text; a backslash makes "{", "}" and "[" literal
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from kb.diagnose.template.build import Mark, build_variant
from kb.diagnose.template.parts import Template, TemplateError
from kb.diagnose.template.slots import TYPES

LONGEST = 4000
MOST_OPTIONAL = 4
MOST_PLACEHOLDERS = 40

_PLACEHOLDER = re.compile(r"\{(_|[a-z][a-z0-9_]*)(?::([^{}?\s]*))?(\??)\}")
_TOKEN = re.compile(r"\\[{}\[]|\{[^{}]*\}|\[\[|\]\]\]?|[{}]|[^\\{}\[\]]+|[\\\[\]]")


@dataclass(frozen=True, slots=True)
class _Part:
    """Literal text and placeholders that are taken or left out together."""

    content: tuple[str | Mark, ...]
    optional: bool


@lru_cache(maxsize=8192)
def parse(source: str) -> Template:
    """The template that `source` writes down. Raises TemplateError with the place and what to do."""
    if len(source) > LONGEST:
        raise TemplateError(f"a template has at most {LONGEST} characters; keep what identifies", LONGEST)
    parts = _read(source)
    marks = [mark for part in parts for mark in part.content if isinstance(mark, Mark)]
    _check_marks(marks)
    choices = [(True, False) if part.optional else (True,) for part in parts]
    variants = tuple(
        build_variant(
            [content for part, taken in zip(parts, pick, strict=True) if taken for content in part.content]
        )
        for pick in product(*choices)
    )
    required = frozenset(
        mark.name for part in parts if not part.optional for mark in part.content if isinstance(mark, Mark)
    )
    names = tuple(dict.fromkeys(mark.name for mark in marks if mark.name != "_"))
    return Template(source, variants, names, required - {"_"})


def _check_marks(marks: list[Mark]) -> None:
    """Placeholders of one name must be of one type, and there may not be very many."""
    if len(marks) > MOST_PLACEHOLDERS:
        offset = marks[MOST_PLACEHOLDERS].offset
        raise TemplateError(f"more than {MOST_PLACEHOLDERS} placeholders; end the template sooner", offset)
    types: dict[str, Mark] = {}
    for mark in marks:
        first = types.setdefault(mark.name, mark)
        if mark.name != "_" and first.type != mark.type:
            raise TemplateError(
                f"{{{mark.name}}} has two types; use one type, or two names where the values may differ",
                mark.offset,
            )


def _read(source: str) -> list[_Part]:
    """The parts of a template in order."""
    parts: list[_Part] = []
    content: list[str | Mark] = []
    opened: int | None = None
    for token in _TOKEN.finditer(source):
        text, offset = token.group(), token.start()
        if text == "[[":
            if opened is not None:
                raise TemplateError(
                    "an optional part inside an optional part; close the first with ]]", offset
                )
            parts.append(_Part(tuple(content), optional=False))
            content, opened = [], offset
        elif text.startswith("]]") and opened is not None:
            # "]]]": the first bracket is text of the part, as in [[ [rank {r:int}]]]
            content += ["]"] * (len(text) - 2)
            if not content:
                raise TemplateError("an empty optional part; write what may stand there, or drop it", opened)
            parts.append(_Part(tuple(content), optional=True))
            content, opened = [], None
        else:
            content.append(_read_one(text, offset))
    if opened is not None:
        raise TemplateError(
            "[[ is never closed; close the optional part with ]], or write \\[ for text", opened
        )
    parts.append(_Part(tuple(content), optional=False))
    optional = [part for part in parts if part.optional]
    if len(optional) > MOST_OPTIONAL:
        raise TemplateError(
            f"more than {MOST_OPTIONAL} optional parts; make it two templates", source.rindex("[[")
        )
    return parts


def _read_one(text: str, offset: int) -> str | Mark:
    """A literal or a placeholder."""
    if len(text) == 2 and text[0] == "\\":
        return text[1]
    if text[0] not in "{}":
        return text
    match = _PLACEHOLDER.fullmatch(text)
    if match is None:
        raise TemplateError(_advice(text), offset)
    name, kind, optional = match.groups()
    if kind is not None and kind not in TYPES:
        raise TemplateError(
            f"no type {kind!r}; the types are {', '.join(TYPES)}", offset + text.index(":") + 1
        )
    return Mark(name, kind, bool(optional), offset)


def _advice(text: str) -> str:
    """What is wrong with a brace that begins no placeholder, and what to do."""
    if text == "}":
        return "} closes nothing; write \\} where a brace is meant"
    if text == "{":
        return "{ is never closed; close the placeholder with }, or write \\{ where a brace is meant"
    return (
        f"{text} is no placeholder: name (a-z, digits, _) and perhaps :type, as in {{rank:int}}; "
        "write \\{ where a brace is meant"
    )
