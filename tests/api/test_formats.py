"""One diagnosis in the form that was asked for."""

from collections.abc import Callable

import httpx
import pytest

from tests.api.server_process import Running

PASTE = "ValueError: LoRA rank 64 is greater than max_lora_rank 16.\n"
PLAIN = {"Content-Type": "text/plain"}
EVIL = "foo.BarError: <script>alert(1)</script> [x](javascript:alert(1)) <!channel> @everyone ``` **b**\n"


def ask(
    client: httpx.Client, query: str = "", accept: str | None = None, paste: str = PASTE
) -> httpx.Response:
    headers = PLAIN | ({"Accept": accept} if accept else {})
    return client.post(f"/api/match{query}", content=paste, headers=headers)


@pytest.mark.parametrize(
    ("query", "accept", "media", "says"),
    [
        ("?format=json", None, "application/json", '"verdict":"match"'),
        ("?format=markdown", None, "text/markdown; charset=utf-8", "Started at line 1"),
        ("?format=text", None, "text/plain; charset=utf-8", "What started it (line 1)"),
        ("?format=html", None, "text/html; charset=utf-8", "<strong>Fix:</strong>"),
        ("?format=slack", None, "application/json", '"type": "header"'),
        ("?format=discord", None, "application/json", '"allowed_mentions": {"parse": []}'),
        ("", "text/markdown", "text/markdown; charset=utf-8", "Started at line 1"),
        ("", "text/html;q=0.4, text/plain", "text/plain; charset=utf-8", "What started it"),
        ("", "application/xml, */*;q=0.1", "application/json", '"verdict":"match"'),
        ("", "text/*", "text/plain; charset=utf-8", "What started it"),
        ("", "*/*, application/json;q=0", "text/plain; charset=utf-8", "What started it"),
        ("", "text/*;q=0, text/html", "text/html; charset=utf-8", "<strong>Fix:</strong>"),
        ("", "text/html, application/xml;q=0.9, */*;q=0.8", "text/html; charset=utf-8", "<strong>Fix:"),
        ("", "text/html;q=nan, text/plain;q=0.1", "text/plain; charset=utf-8", "What started it"),
        ("?format=text", "application/json", "text/plain; charset=utf-8", "What started it"),
    ],
)
def test_the_form_is_that_which_was_asked_for(
    client: httpx.Client, query: str, accept: str | None, media: str, says: str
) -> None:
    answer = ask(client, query, accept)
    assert (answer.status_code, answer.headers["content-type"]) == (200, media)
    assert says in answer.text
    assert "64" in answer.text


@pytest.mark.parametrize(
    ("query", "accept", "status", "says"),
    [
        ("?format=pdf", None, 422, "`format` is one of json, markdown"),
        ("", "image/png", 406, "application/json"),
        ("", "text/html;q=0", 406, "application/json"),
        ("", "*/*;q=0", 406, "application/json"),
    ],
)
def test_a_form_that_nobody_makes_is_refused(
    client: httpx.Client, query: str, accept: str | None, status: int, says: str
) -> None:
    answer = ask(client, query, accept)
    assert answer.status_code == status
    assert says in answer.json()["detail"]


@pytest.mark.parametrize("form", ["markdown", "html", "slack", "discord", "text"])
def test_a_hostile_paste_is_text_in_every_form(client: httpx.Client, form: str) -> None:
    answer = ask(client, f"?format={form}", paste=EVIL)
    assert answer.status_code == 200
    if form == "html":
        assert "<script" not in answer.text
        assert "href" not in answer.text
    if form == "slack":
        assert "<!channel>" not in answer.text


@pytest.mark.parametrize("form", ["slack", "discord"])
def test_a_form_for_a_chat_is_made_without_the_secrets_of_the_paste(client: httpx.Client, form: str) -> None:
    secret = "hf_" + "Abcd1234" * 4
    answer = ask(client, f"?format={form}", paste=f"{PASTE.strip()} HF_TOKEN={secret} HOME=/home/jdoe")
    assert "LoRA rank 64" in answer.text
    assert "redacted" in answer.text
    assert secret not in answer.text
    assert "jdoe" not in answer.text


def test_links_lead_to_the_pages_that_the_setting_names(start: Callable[..., Running]) -> None:
    running = start(site_url="https://docs.example/kb/")
    answer = httpx.post(f"{running.url}/api/match?format=markdown", content=PASTE, headers=PLAIN, timeout=60)
    assert "](https://docs.example/kb/errors/vllm-lora-rank-exceeds-max/)" in answer.text


def test_half_a_surrogate_pair_is_answered_in_every_form(client: httpx.Client) -> None:
    for form in ("text", "markdown", "html"):
        body = b'{"text": "ValueError: \\ud800 broke"}'
        answer = client.post(
            f"/api/match?format={form}", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 200
