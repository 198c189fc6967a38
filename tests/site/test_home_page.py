"""The home page offers pastes to try, and says truly whether a paste stays in the page."""

import pytest

from kb.catalog.entry import Entry
from kb.site.home_page import home_page, trials

TEXT = "---\ntitle: Diagnose\n---\n\nText.\n"


def made(entry: Entry, name: str, component: str, **changes: object) -> Entry:
    examples = [example.model_copy(update={"verdict": "match"}) for example in entry.examples]
    update = {"id": name, "components": [component], "role": "initiating", "examples": examples, **changes}
    return entry.model_copy(update=update)


def test_each_button_is_about_another_component(entry: Entry) -> None:
    entries = [made(entry, f"e{at}", component) for at, component in enumerate("aabcd")]
    assert [trial.path for trial in trials(entries)] == [f"errors/e{at}/match-full.txt" for at in (0, 2, 3)]


def test_a_consequence_or_an_unsure_paste_is_no_first_impression(entry: Entry) -> None:
    unsure = made(entry, "unsure", "a", examples=entry.examples)
    assert trials([made(entry, "peer", "b", role="secondary"), unsure]) == []


def test_the_front_matter_carries_buttons_and_where_the_matcher_runs(entry: Entry) -> None:
    page = home_page(TEXT, [made(entry, "one", "vllm")], in_browser=True)
    assert page.startswith('---\ntrials: [{"label": "vLLM: Toy')
    assert "\nin_browser: true\ntitle: Diagnose\n---\n" in page


def test_a_home_page_without_front_matter_is_refused() -> None:
    with pytest.raises(ValueError, match="front matter"):
        home_page("# Title\n", [], in_browser=False)
