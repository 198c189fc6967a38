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
    for_chat: bool = False  # then it is made of a paste without its secrets, for others will read it


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
    "slack": Form("application/json", as_slack, for_chat=True),
    "discord": Form("application/json", as_discord, for_chat=True),
}
ACCEPTED = {
    "application/json": "json",
    "text/plain": "text",
    "text/markdown": "markdown",
    "text/html": "html",
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
    ranges = ranges_of(header)
    wanted = [(*wish, media) for media in ACCEPTED if (wish := wish_for(media, ranges)) and wish[0] < 0]
    if not wanted:
        raise Refused(406, f"The answer is made as {', '.join(ACCEPTED)}; ask for one of these.")
    return FORMS[ACCEPTED[min(wanted, key=lambda each: each[:2])[2]]]


Wish = tuple[float, int]  # how much it is not wanted: minus its quality, then its place in the header


def ranges_of(header: str) -> dict[str, Wish]:
    """The media types and ranges of an Accept header, and how much each is wanted."""
    wishes: dict[str, Wish] = {}
    for place, part in enumerate(header[:1000].split(",")):
        media, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
        wishes.setdefault(media, (-weight(quality), place))
    return wishes


def weight(quality: str) -> float:
    """A quality between 0 and 1; 0 for what is none."""
    try:
        return max(0.0, min(float(quality), 1.0))
    except ValueError:
        return 0.0


def wish_for(media: str, ranges: dict[str, Wish]) -> Wish | None:
    """The wish that is about a media type, by the narrowest range that it is in."""
    kind = media.partition("/")[0]
    return ranges.get(media) or ranges.get(f"{kind}/*") or ranges.get("*/*")
