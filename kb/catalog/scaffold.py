"""The folder of a new entry: a draft with its keys in the order of reading; only its marks are wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from kb.catalog.guess import Guess
from kb.catalog.unwritten import MARK

DRAFT = """\
# yaml-language-server: $schema=../_schema/entry.json
# Every key and what it holds: kb/catalog/entry.py. What is left to do: kb check {folder}
schema_version: "1.0"
id: {id}
title: {title}
summary: {mark}, the short answer. Two sentences at most, what is wrong and what to change.
status: draft  # reviewed needs two match-*.txt, one other-*.txt, a pinned source and `verified`
published: "{today}"
modified: "{today}"

signatures:
  - id: message
    # Literal text with {{placeholders}}. Types: int, num, size, word, path, list, id.
    template: |
      {template}
{raised}    condition: {mark}, when the software emits it, in our words.
    source:
      type: source  # or docs, observed (with url)
      confirmed: no  # remove once repository, release, path and line are filled in

components:
  - {component}

causes:
  - id: first-cause
    title: {mark}, one reason why it happens
    kind: configuration  # capacity, environment, data, transport, hardware, defect
    likelihood: common  # occasional, rare
    explanation: {mark}, how this leads to the message.
    confirm:
      look: {mark}, where to look to be sure that it is this cause.
      see: {mark}, what stands there then.
    fix:
      summary: {mark}, what to change.
      verify:
        look: {mark}, where to look afterwards.
        see: {mark}, what is gone or what appears.

examples:
  - file: match-message.txt
    expect: {id}
    verdict: match
    line: {line}
    origin: {origin}
"""

PASTE = f"""\
Traceback (most recent call last):
  File "/app/serve.py", line 12, in <module>
    main()
RuntimeError: {MARK} copy the identifying-message from the source, with 3 in place of what varies
"""


@dataclass(frozen=True)
class Start:
    """What a draft begins with."""

    template: str = (
        f"{MARK} copy the identifying-message from the source, with {{count:int}} in place of what varies"
    )
    raised: str = "    exception: RuntimeError\n"
    component: str = "package-name"
    line: str = f"{MARK} copy the identifying-message"
    origin: str = "made"
    paste: str = PASTE

    @classmethod
    def of(cls, guess: Guess) -> Start:
        """What was guessed from a paste; it still must be looked up, and the paste be made anonymous."""
        raised = (("exception", guess.exception), ("where", guess.where), ("function", guess.function))
        return cls(
            template=f"{guess.template}",
            raised="".join(f"    {key}: {json.dumps(value)}\n" for key, value in raised if value),
            component=guess.component or cls.component,
            line=json.dumps(guess.line, ensure_ascii=False),
            origin=f"{MARK} re-created from URL, with all names, hosts, paths, addresses and tokens replaced",
            paste=guess.paste,
        )


def write_draft(root: Path, entry_id: str, title: str, start: Start | None = None) -> Path:
    """Make the folder of a new entry and return the path of its entry.yaml. Raises FileExistsError."""
    start = start or Start()
    folder = root / entry_id
    folder.mkdir(parents=True)
    path = folder / "entry.yaml"
    today = datetime.now(tz=UTC).date().isoformat()
    shown = f"{root.resolve().name}/{entry_id}"  # never the path of one machine: the file is for everyone
    text = DRAFT.format(
        mark=MARK,
        id=entry_id,
        title=json.dumps(title, ensure_ascii=False),
        today=today,
        folder=shown,
        template=start.template,
        raised=start.raised,
        component=start.component,
        line=start.line,
        origin=start.origin,
    )
    path.write_text(text, encoding="utf-8")
    (folder / "match-message.txt").write_text(start.paste, encoding="utf-8")
    return path
