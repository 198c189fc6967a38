"""The forms in which a diagnosis is answered: JSON for programs, text and Markdown for people, chats' own.

`?format=` decides, else the Accept header, else JSON. The pages' address in links is the setting `site_url`;
without one no answer has links.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import markdown
import nh3
from starlette.requests import Request

from api.json_text import write_json
from api.problems import Refused
from kb.diagnose.diagnosis import Diagnosis
from kb.diagnose.wire import to_wire
from kb.render.brief import brief
from kb.render.chat import discord_message, slack_message
from kb.render.markdown import diagnosis_markdown
from kb.render.terminal import diagnosis_text

WIDTH = 100  # columns of plain text
TAGS = {"p", "strong", "em", "a", "code", "pre", "ul", "ol", "li", "br"}


@dataclass(frozen=True)
class Form:
    """One form: its media type, and how it is made of a diagnosis and the address of the pages."""

    media: str
    render: Callable[[Diagnosis, str], bytes]


def as_json(diagnosis: Diagnosis, _: str) -> bytes:
    return write_json(to_wire(diagnosis))


def as_text(diagnosis: Diagnosis, _: str) -> bytes:
    return encoded(diagnosis_text(diagnosis, colour=False, width=WIDTH))


def as_markdown(diagnosis: Diagnosis, site: str) -> bytes:
    return encoded(diagnosis_markdown(diagnosis, site))


def as_html(diagnosis: Diagnosis, site: str) -> bytes:
    """The Markdown as a fragment of HTML, sanitised once more."""
    text = as_markdown(diagnosis, site).decode()  # without halves of surrogate pairs, which no parser takes
    page = markdown.markdown(text, extensions=["fenced_code"])
    return encoded(nh3.clean(page, tags=TAGS, attributes={"a": {"href"}}, url_schemes={"https", "http"}))


def as_slack(diagnosis: Diagnosis, site: str) -> bytes:
    return json.dumps(slack_message(brief(diagnosis), site)).encode()


def as_discord(diagnosis: Diagnosis, site: str) -> bytes:
    return json.dumps(discord_message(brief(diagnosis), site)).encode()


def encoded(text: str) -> bytes:
    """UTF-8; half a surrogate pair, which JSON lets through, becomes a question mark."""
    return text.encode("utf-8", "replace")


FORMS = {
    "json": Form("application/json", as_json),
    "markdown": Form("text/markdown; charset=utf-8", as_markdown),
    "text": Form("text/plain; charset=utf-8", as_text),
    "html": Form("text/html; charset=utf-8", as_html),
    "slack": Form("application/json", as_slack),
    "discord": Form("application/json", as_discord),
}
ACCEPTED = {
    "application/json": "json",
    "text/markdown": "markdown",
    "text/plain": "text",
    "text/html": "html",
    "application/*": "json",
    "*/*": "json",
}


def choose_form(request: Request) -> Form:
    """The form that was asked for. Raises Refused: 422 for an unknown format, 406 for media nobody makes."""
    asked = request.query_params.get("format") if request.scope["query_string"] else None
    if asked is not None:
        if asked not in FORMS:
            raise Refused(422, f"`format` is one of {', '.join(FORMS)}; the answer is JSON without it.")
        return FORMS[asked]
    header = request.headers.get("accept", "").strip()
    if not header:
        return FORMS["json"]
    for media in by_preference(header):
        if media in ACCEPTED:
            return FORMS[ACCEPTED[media]]
    raise Refused(406, f"The answer is made as {', '.join(list(ACCEPTED)[:4])}; ask for one of these.")


def by_preference(header: str) -> list[str]:
    """The media types of an Accept header, the most wanted first."""
    wanted = []
    for place, part in enumerate(header[:1000].split(",")):
        media, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
        try:
            weight = float(quality)
        except ValueError:
            weight = 0.0
        if weight > 0:
            wanted.append((-weight, place, media))
    return [media for _, _, media in sorted(wanted)]
