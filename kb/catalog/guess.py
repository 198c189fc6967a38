"""What can be guessed of a new entry from a paste: message, template, class, frame, component.

A guess saves typing, no thinking: the writer looks the message up in the source and says what varies.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from kb.diagnose import read_context, template
from kb.diagnose.failures import group_failures
from kb.diagnose.index import Index
from kb.diagnose.report import Event
from kb.diagnose.template.weigh import weight

LONGEST_MESSAGE = 300  # characters that are made a template
LINES_AROUND = 150  # of the paste that are kept before and behind the line that started it
WORDS_IN_ID = 4
# What varies from run to run, the most telling first; each becomes a placeholder of that type.
VALUES = re.compile(
    r"(?P<size>\b\d+(?:\.\d+)? ?(?:[KMGT]i?B|[Bb]ytes)\b)"
    r"|(?P<path>(?:~|\b[A-Za-z]:)?(?:[/\\][\w.@+-]+){2,})"
    r"|(?P<list>\[[^\[\]]{1,200}\]|\{[^{}]{1,200}\})"
    r"|(?P<word>(?<=')[^\s']{1,120}(?=')|(?<=\")[^\s\"]{1,120}(?=\")|\b0x[0-9a-fA-F]{4,}\b"
    r"|\b[A-Za-z_]\w*(?:\.\w+){3,})"
    r"|(?P<num>(?<![\w.])\d+\.\d+(?![\w.]))"
    r"|(?P<int>(?<![\w.])\d+(?![\w]|\.\d))"
)
PACKAGES = re.compile(r".*(?:site|dist)-packages/")
PLACEHOLDERS = re.compile(r"\{\w+:\w+\}")
DECORATION = "> -*|\t"  # what DeepSpeed and others put before a message
ESCAPED = re.compile(r"([{}\[])")


@dataclass(frozen=True)
class Guess:
    """What a paste says of a failure that gets an entry. `where` is None for frames of the person's own."""

    message: str
    template: str
    exception: str | None
    where: str | None
    function: str | None
    component: str | None
    line: str  # part of the initiating line
    paste: str  # without escapes, envelopes and prefixes

    @property
    def title(self) -> str:
        """The message, as long as a title may be."""
        text = " ".join(self.message.split())
        return text if len(text) <= 100 else text[:99].rpartition(" ")[0]

    @property
    def id(self) -> str:
        """Component and the words of the message that say the most, in their order."""
        literal = PLACEHOLDERS.sub(" ", self.template).lower()
        words = [
            w for w in dict.fromkeys(re.findall(r"[a-z]+", literal)) if len(w) > 2 and w != self.component
        ]
        telling = sorted(words, key=lambda word: -weight(word))[:WORDS_IN_ID]
        chosen = [word for word in words if word in telling]
        return "-".join(filter(None, [self.component, *chosen]))[:80].strip("-")


def guess(text: str, index: Index) -> Guess | None:
    """What started the failure in a paste; None when nothing failed in it."""
    context = read_context(text, index)
    groups = group_failures(context.report, context.candidates, index)
    if not groups:
        return None
    event = context.candidates.events[groups[0].events[0]]
    message = first_words(event)
    frame = event.frames[-1] if event.frames else None
    path = frame.path.replace("\\", "/") if frame else ""
    where = PACKAGES.sub("", path) if PACKAGES.match(path) else None
    lines = context.report.clean.lines
    around = lines[max(0, event.at - LINES_AROUND) : event.at + LINES_AROUND]
    return Guess(
        message=message,
        template=as_template(message),
        exception=event.type.rpartition(".")[2] if event.type else None,
        where=where,
        function=frame.function if frame and where else None,
        component=where.partition("/")[0] if where else min(context.report.components, default=None),
        line=lines[event.at].text.strip()[:LONGEST_MESSAGE],
        paste="\n".join(line.text for line in around) + "\n",
    )


def first_words(event: Event) -> str:
    """The first line of a message, with the second where the first is only a heading."""
    lines = [line.strip(DECORATION) for line in event.passage.text.split("\n") if line.strip(DECORATION)]
    short = len(lines) > 1 and len(lines[0]) < 20
    return " ".join(lines[: 2 if short else 1])[:LONGEST_MESSAGE]


def as_template(message: str) -> str:
    """The message with placeholders for what looks like a value; as it stands where that does not fit."""
    names: Counter[str] = Counter()
    parts, done = [], 0
    for value in VALUES.finditer(message):
        kind = value.lastgroup or "word"
        names[kind] += 1
        name = kind if names[kind] == 1 else f"{kind}_{names[kind]}"
        parts += [ESCAPED.sub(r"\\\1", message[done : value.start()]), f"{{{name}:{kind}}}"]
        done = value.end()
    made = "".join(parts) + ESCAPED.sub(r"\\\1", message[done:])
    try:
        fits = template.find(template.parse(made), template.prepare(message)) is not None
    except template.TemplateError:
        fits = False
    return made if fits else ESCAPED.sub(r"\\\1", message)
