"""Any text at all, in any form: an answer, whose markup is ours and whose places lie in the paste."""

import re
from html.parser import HTMLParser

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

MARKUP = [
    "<script>alert(1)</script>",
    "<img src=x onerror=a>",
    "[x](javascript:a)",
    "<!channel>",
    "@everyone",
    "```",
    "<a href='http://elsewhere.example'>",
    "&lt;b&gt;",
    "**",
    "|",
    "\r",
    "\x1b[31m",
]
REAL = [
    "ValueError: LoRA rank 64 is greater than max_lora_rank 16.",
    "torch.OutOfMemoryError: CUDA out of memory. ",
    "Traceback (most recent call last):",
    '  File "/home/a/b.py", line 3, in f',
    "[rank3]: ",
    "ERROR ",
    "\n",
]
PASTES = st.lists(st.sampled_from([*MARKUP, *REAL]) | st.text(max_size=30), max_size=25).map("".join)
TAGS = {
    "p",
    "strong",
    "em",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "a",
    "h1",
    "h2",
    "h3",
    "h4",
    "blockquote",
    "br",
    "hr",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "span",
    "div",
    "del",
}


class Seen(HTMLParser):
    """The elements of a text, and where its links lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in {"href", "src"}]


def ask(client: httpx.Client, paste: str, form: str) -> httpx.Response:
    body = paste.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode()
    headers = {"Content-Type": "text/plain"}
    answer = client.post("/api/match", params={"format": form}, content=body, headers=headers)
    blank = not body.decode().removeprefix("\ufeff").strip()
    assert answer.status_code == (400 if blank else 200)
    return answer


many = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@many
@given(paste=PASTES)
def test_places_lie_in_the_paste(client: httpx.Client, paste: str) -> None:
    answer = ask(client, paste, "json")
    if answer.status_code == 400:
        return
    sent = answer.request.content.decode()
    lines = re.split(r"\r\n|\r|\n", sent)
    for failure in answer.json()["failures"]:
        first = failure["initiating"]
        assert lines[first["line"] - 1] == first["text"]
        for hypothesis in failure["hypotheses"]:
            for each in (each for each in hypothesis["evidence"] if each["start"] is not None):
                assert 0 <= each["start"] <= each["end"] <= len(lines[each["line"] - 1])


@many
@given(paste=PASTES)
def test_no_element_and_no_link_of_a_paste_is_one_in_the_answer(client: httpx.Client, paste: str) -> None:
    answer = ask(client, paste, "html")
    if answer.status_code == 400:
        return
    seen = Seen(answer.text)
    assert seen.tags <= TAGS
    assert seen.attributes <= {"href", "rel", "class"}
    assert not [link for link in seen.links if "elsewhere" in link or link.lower().startswith("javascript")]


@many
@given(paste=PASTES, form=st.sampled_from(["slack", "discord", "markdown", "text"]))
def test_every_other_form_answers_and_mentions_nobody(client: httpx.Client, paste: str, form: str) -> None:
    answer = ask(client, paste, form)
    if answer.status_code == 400:
        return
    if form == "slack":
        assert "<!" not in answer.text
        assert len(answer.json()["blocks"]) <= 50
    if form == "discord":
        assert answer.json()["allowed_mentions"] == {"parse": []}
    if form == "text":
        assert "\x1b" not in answer.text


@pytest.mark.parametrize("markup", MARKUP)
def test_the_pieces_are_hostile_by_themselves(client: httpx.Client, markup: str) -> None:
    for form in ("html", "markdown", "slack", "discord", "text"):
        assert ask(client, f"foo.BarError: {markup} x\n", form).status_code == 200
