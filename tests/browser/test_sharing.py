"""An answer taken along: Markdown, JSON, and the form for a failure that nobody has written down."""

import json
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.asking import RANK, diagnose, example

UNKNOWN = "starting\nFrobnicatorError: the flux of gate 7 is inverted <b>](javascript:x)\n"
REPOSITORY = "https://forge.example/owner/name"


@pytest.fixture
def copied(warm: Page) -> Callable[[str], str]:
    """Press a button of that name; what lies in the clipboard then."""
    warm.context.grant_permissions(["clipboard-read", "clipboard-write"])

    def press(name: str) -> str:
        warm.get_by_role("button", name=name).click()
        expect(warm.get_by_role("button", name=name)).to_have_text("Copied")
        text: str = warm.evaluate("navigator.clipboard.readText()")
        return text

    return press


def test_an_answer_is_copied_as_markdown(warm: Page, copied: Callable[[str], str], static_site: str) -> None:
    answer = diagnose(warm, example(RANK, "match-start-up-lora-modules.txt"))
    title = answer.locator("h2").first.inner_text()
    text = copied("Copy as Markdown")
    assert text.startswith(f"**[{title}]({static_site}errors/{RANK}/#cause-")
    assert "\nFailed first, line " in text
    assert "\nFix: " in text
    assert "--max-lora-rank" in text


def test_what_comes_from_the_paste_is_no_markup_in_the_markdown(
    warm: Page, copied: Callable[[str], str]
) -> None:
    diagnose(warm, UNKNOWN)
    text = copied("Copy as Markdown")
    assert "**Not a failure that Faultbook knows**" in text
    (line,) = [each for each in text.splitlines() if "javascript" in each]
    assert line.startswith("    Frobnicator")


def test_an_answer_is_copied_as_the_json_of_the_api(warm: Page, copied: Callable[[str], str]) -> None:
    diagnose(warm, example(RANK, "match-start-up-lora-modules.txt"))
    told = json.loads(copied("Copy as JSON"))
    assert told["best"]["entry"] == RANK
    assert told["schema"]


def test_a_site_without_a_repository_proposes_nothing(warm: Page) -> None:
    answer = diagnose(warm, UNKNOWN)
    expect(answer.get_by_text("Propose an entry")).to_have_count(0)


@pytest.fixture
def with_repository(warm: Page) -> Iterator[Page]:
    """The page as it is built where the site knows its repository."""
    warm.evaluate(f"document.getElementById('diagnosis').dataset.repository = '{REPOSITORY}/'")
    yield warm
    warm.evaluate("delete document.getElementById('diagnosis').dataset.repository")


PLANTED = {  # put together here, so that no scanner takes them for real ones
    "token": "hf_" + "QwErTyUiOp" * 4,
    "password": "correct-horse-9",
    "mail": "some.body@firm-of-theirs.org",
    "address": "81.2.69.142",
    "user": "jdoe7",
    "cookie": "b64sessionvalue",
}
LEAKING = """starting with HF_TOKEN={token}
connecting to postgres://runs:{password}@{address}:5432/runs
owner {mail} cache /home/{user}/.cache
Cookie: session={cookie}
  File "/home/{user}/train.py", line 7, in <module>
FrobnicatorError: the flux of {mail} at {address} is inverted
"""


def proposal(answer: Locator) -> Locator:
    """The text that would be sent, once it is there."""
    answer.get_by_text("Propose an entry").click()
    box = answer.get_by_label("What is sent")
    expect(box).not_to_have_value("")
    return box


def test_planted_secrets_are_taken_out_before_the_form_is_shown(with_repository: Page) -> None:
    answer = diagnose(with_repository, LEAKING.format(**PLANTED))
    box = proposal(answer)
    form = answer.get_by_role("link", name="Open the form").get_attribute("href") or ""
    title = answer.get_by_label("Its title").input_value()
    sent = f"{title} {box.input_value()} {' '.join(parse_qs(urlsplit(form).query)['body'])}"
    assert [kind for kind, secret in PLANTED.items() if secret in sent] == []
    assert "FrobnicatorError: the flux of person1@example.com at " in title
    assert "/home/user1/train.py" in box.input_value()
    answer.get_by_text("Taken out in 6 lines").click()
    removed = answer.locator(".fb-taken-out del").all_inner_texts()
    assert [kind for kind, secret in PLANTED.items() if not any(secret[:4] in each for each in removed)] == []


def test_a_key_that_begins_above_the_lines_that_are_sent_is_taken_out(with_repository: Page) -> None:
    key = ["-----BEGIN PRIVATE " + "KEY-----", *["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAo"] * 16]
    answer = diagnose(with_repository, "\n".join([*key, "FrobnicatorError: no end of the key is here", ""]))
    text = proposal(answer).input_value()
    assert "MIIEvQ" not in text
    assert text.count("redacted") == 12


def test_where_nothing_can_be_taken_out_the_person_is_told(with_repository: Page) -> None:
    answer = diagnose(with_repository, UNKNOWN)
    with_repository.evaluate("void (Worker.prototype.postMessage = () => { throw new Error('gone'); })")
    try:
        assert "FrobnicatorError: the flux of gate 7" in proposal(answer).input_value()
        expect(answer.get_by_text("Take names, hosts and secrets out yourself")).to_be_visible()
    finally:
        with_repository.reload()


def test_an_unknown_failure_can_be_proposed_and_all_that_leaves_is_shown(with_repository: Page) -> None:
    answer = diagnose(with_repository, UNKNOWN)
    box = proposal(answer)
    expect(answer.get_by_text("In these lines none was recognised.")).to_be_visible()
    assert "    FrobnicatorError: the flux of gate 7 is inverted" in box.input_value()
    form = answer.get_by_role("link", name="Open the form")
    asked = urlsplit(form.get_attribute("href") or "")
    assert f"{asked.scheme}://{asked.netloc}{asked.path}" == f"{REPOSITORY}/issues/new"
    title = answer.get_by_label("Its title").input_value()
    assert parse_qs(asked.query) == {"title": [title], "body": [box.input_value()]}
    box.fill("only this")
    assert parse_qs(urlsplit(form.get_attribute("href") or "").query)["body"] == ["only this"]
    box.fill("x" * 9_000)
    expect(answer.get_by_text("Too long for an address")).to_be_visible()
    assert answer.get_by_text("Open the form", exact=True).get_attribute("href") is None


def test_a_known_failure_is_not_proposed(with_repository: Page) -> None:
    answer = diagnose(with_repository, example(RANK, "match-start-up-lora-modules.txt"))
    expect(answer.get_by_text("Propose an entry")).to_have_count(0)
