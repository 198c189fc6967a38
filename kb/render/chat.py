"""A diagnosis for chats: Slack's Block Kit, Discord's embeds and Mattermost's Markdown, within their limits.

Nothing of a paste is markup, a link or a mention there: Slack reads `<`, `>` and `&`, the others Markdown and
`@`.
Limits: docs.slack.dev/reference/block-kit/blocks, discord.com/developers/docs/resources/message#embed-object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from kb.render.brief import Brief, Question
from kb.render.markdown import blocks

Json = dict[str, Any]
SLACK_TEXT, SLACK_HEADER, SLACK_BUTTON = 3000, 150, 75
DISCORD_TITLE, DISCORD_TEXT, DISCORD_FIELD, DISCORD_ALL = 256, 4096, 1024, 6000
COLOURS = {"match": 0x2E6B33, "ambiguous": 0x8A5A00, "no_match": 0x667077}
DISCORD_BUTTON, DISCORD_ROW = 80, 5
Choices = Mapping[str, str]
"""The id of an outcome -> what its button sends back."""
NONE: Choices = {}
NONE_CARRIED: Mapping[str, Json] = {}
FENCE = 3
OPENING, CLOSING = "([{\"'", ")]}\"',.;:!?"
DISCORD_MARKUP = re.compile(r"([\\*_~`|>\[\]()#<-])")


def slack_message(answer: Brief, site: str = "", choices: Choices = NONE) -> Json:
    """Blocks, and the text that notifications show. `site` is the pages' address, with a slash at its end."""
    blocks: list[Json] = [{"type": "header", "text": slack_plain(answer.headline, SLACK_HEADER)}]
    if answer.text is not None:
        who = f" ({slack(answer.process)})" if answer.process else ""
        blocks.append(slack_section(f"Started at line {answer.line}{who}:\n{slack_code(answer.text)}"))
    blocks.append(slack_section(slack(answer.summary)))
    if answer.need:
        blocks.append(slack_section(f"*Find the first error:*\n{slack_code(answer.need)}"))
    if answer.cause:
        blocks.append(slack_section(f"*Cause:* {slack(answer.cause)}"))
    if answer.command or answer.fix:
        told = "\n".join(
            filter(None, [answer.fix and slack(answer.fix), answer.command and slack_code(answer.command)])
        )
        blocks.append(slack_section(f"*Fix*\n{told}"))
    if answer.rival:
        blocks.append(slack_section(f"*Or it could be:* {slack(answer.rival.title)} ({answer.rival.sure})"))
    if answer.question:
        told = f"*How to tell:* {slack(answer.question.question)}{way(answer.question, slack, slack_code)}"
        seen = "".join(f"\n{mark} {slack(see)}" for mark, see, _ in outcomes(answer.question, choices))
        blocks.append(slack_section(f"{told}{seen}"))
    buttons = slack_buttons(answer, site, choices)
    if buttons:
        blocks.append({"type": "actions", "elements": buttons})
    return {"text": slack(answer.headline)[:SLACK_TEXT], "blocks": blocks}


def slack_buttons(answer: Brief, site: str, choices: Choices) -> list[Json]:
    """A button for each outcome of the check, and one that leads to the page."""
    buttons = [
        {"text": slack_plain(f"{mark} {see}", SLACK_BUTTON), "action_id": f"outcome-{mark}", "value": value}
        for mark, see, value in outcomes(answer.question, choices)
        if value
    ]
    if site and answer.path:
        page = {"text": slack_plain("Everything on this failure", SLACK_BUTTON), "action_id": "page"}
        buttons.append({**page, "url": f"{site}{answer.path}"})
    return [{"type": "button", **button} for button in buttons]


def way(asked: Question, plain: Callable[[str], str], code: Callable[[str], str]) -> str:
    """What to run for a check, or where to look."""
    if asked.run:
        return f"\n{code(asked.run)}"
    return f"\n{plain(asked.look)}" if asked.look else ""


def outcomes(asked: Question | None, choices: Choices) -> list[tuple[str, str, str]]:
    """The outcomes of a check: mark, what is seen, and the value of its button where it gets one."""
    rows = enumerate(asked.outcomes if asked else (), start=1)
    return [(f"{n}." if choices else "•", each.see, choices.get(each.id, "")) for n, each in rows]


def slack_section(text: str) -> Json:
    return {"type": "section", "text": {"type": "mrkdwn", "text": cut(text, SLACK_TEXT), "verbatim": True}}


def slack_plain(text: str, longest: int) -> Json:
    return {"type": "plain_text", "text": cut(text, longest), "emoji": False}


def slack(text: str) -> str:
    """Text that Slack shows as it is: a word that it would take for markup is code, which can be copied."""
    return "".join(slack_word(part) for part in re.split(r"(\s+)", text.replace("`", "'")))


def slack_word(word: str) -> str:
    if not any(mark in word for mark in "*_~"):
        return slack_escaped(word)
    begin, end = len(word) - len(word.lstrip(OPENING)), len(word.rstrip(CLOSING))
    before, inside, behind = word[:begin], word[begin:end], word[max(begin, end) :]
    return f"{slack_escaped(before)}`{slack_escaped(inside)}`{slack_escaped(behind)}"


def slack_escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def slack_code(text: str) -> str:
    """A block of code, which nothing inside can end."""
    inside = slack_escaped(text.replace("```", "'''"))
    return f"```{cut(inside, 1800)}```"


def discord_message(answer: Brief, site: str = "", choices: Choices = NONE) -> Json:
    """One embed, in which nobody is mentioned, and a button for each outcome of the check."""
    parts = []
    if answer.text is not None:
        who = f" ({discord(answer.process)})" if answer.process else ""
        parts.append(f"Started at line {answer.line}{who}:\n{discord_code(answer.text)}")
    parts.append(discord(answer.summary))
    fields = []
    if answer.need:
        fields.append(field("Find the first error", discord_code(answer.need)))
    if answer.cause:
        fields.append(field("Cause", discord(answer.cause)))
    if answer.command or answer.fix:
        fix = [answer.fix and discord(answer.fix), answer.command and discord_code(answer.command)]
        fields.append(field("Fix", "\n".join(filter(None, fix))))
    if answer.rival:
        fields.append(field("Or it could be", f"{discord(answer.rival.title)} ({answer.rival.sure})"))
    if answer.question:
        told = f"{discord(answer.question.question)}{way(answer.question, discord, discord_code)}"
        seen = "".join(f"\n{mark} {discord(see)}" for mark, see, _ in outcomes(answer.question, choices))
        fields.append(field("How to tell", f"{told}{seen}"))
    embed: Json = {
        "title": cut(discord(answer.headline), DISCORD_TITLE),
        "description": cut("\n".join(parts), DISCORD_TEXT),
        "color": COLOURS[answer.verdict],
        "fields": within(fields, DISCORD_ALL - DISCORD_TITLE - min(len("\n".join(parts)), DISCORD_TEXT)),
    }
    if site and answer.path:
        embed["url"] = f"{site}{answer.path}"
    message: Json = {"embeds": [embed], "allowed_mentions": {"parse": []}}
    buttons = [
        {"type": 2, "style": 2, "label": cut(f"{mark} {see}", DISCORD_BUTTON), "custom_id": value}
        for mark, see, value in outcomes(answer.question, choices)
        if value
    ]
    rows = [buttons[at : at + DISCORD_ROW] for at in range(0, len(buttons), DISCORD_ROW)]
    if rows:
        message["components"] = [{"type": 1, "components": row} for row in rows[:DISCORD_ROW]]
    return message


def field(name: str, value: str) -> Json:
    return {"name": name, "value": cut(value, DISCORD_FIELD), "inline": False}


def within(fields: list[Json], room: int) -> list[Json]:
    """As many of the fields, in order, as the embed has room for."""
    kept = []
    for each in fields:
        room -= len(each["name"]) + len(each["value"])
        if room < 0:
            break
        kept.append(each)
    return kept


def discord(text: str) -> str:
    """Text that Discord shows as it is; nobody is called by it."""
    return DISCORD_MARKUP.sub(r"\\\1", " ".join(text.split())).replace("@", "@\u200b")


def discord_code(text: str) -> str:
    """A block of code, which nothing inside can end."""
    return f"```\n{cut(text.replace('```', chr(39) * 3), 900)}\n```"


def mattermost_message(
    answer: Brief, site: str = "", address: str = "", choices: Mapping[str, Json] = NONE_CARRIED
) -> Json:
    """Markdown in which nobody is mentioned. Buttons ask `address` with what `choices` has for an outcome."""
    buttons = [
        {"id": f"outcome{n}", "name": cut(f"{n}. {each.see}", SLACK_BUTTON), "type": "button"}
        | {"integration": {"url": address, "context": choices[each.id]}}
        for n, each in enumerate(answer.question.outcomes if answer.question else (), start=1)
        if address and each.id in choices
    ]
    message: Json = {"text": without_mentions("\n\n".join(blocks(answer, site)))}
    if buttons:
        message["attachments"] = [{"text": "What did the check show?", "actions": buttons}]
    return message


def without_mentions(text: str) -> str:
    """Markdown without mentions: outside of blocks of code, in which there are none, `@` calls nobody."""
    lines, fence = [], ""
    for line in text.split("\n"):
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if not fence and len(ticks) >= FENCE:
            fence = ticks
        elif fence and line.rstrip() == fence:
            fence = ""
        lines.append(line if fence else line.replace("@", "@\u200b"))
    return "\n".join(lines)


def cut(text: str, longest: int) -> str:
    """The text, its end replaced where it is too long; a block of code that is cut is closed again."""
    if len(text) <= longest:
        return text
    head = text[: longest - 8]
    return f"{head} …\n```" if head.count("```") % 2 else f"{head} …"
