"""What a button carries comes back as it was, fits every platform, and harms nobody when it is made up."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.bots.state import CAUSE, ID, MARK, OUTCOME, Stale, choices, digest, is_state, read_state
from kb.diagnose.checks import shown
from kb.diagnose.index import Index, load_index

DISCORD = 100  # characters of a button


@pytest.fixture(scope="module")
def index(build_dir: Path) -> Index:
    return load_index(build_dir / "index.json")


def references(index: Index) -> list[str]:
    entries = [index.entry(number) for number in range(len(index))]
    return [f"{entry.id}/{cause.id}" for entry in entries for cause in entry.causes]


def test_what_goes_in_comes_out(index: Index) -> None:
    found = dict(zip(references(index)[:5], (0.5, 0.2, 0.1, 0.05, 0.01), strict=True))
    check = shown(index.checks[3])
    before = {each.id: each.outcomes[0].id for each in index.checks[:3]}
    for outcome, state in choices(found, before, check.id, check.outcomes).items():
        assert is_state(state)
        assert len(state) <= DISCORD
        confidences, outcomes = read_state(state, index)
        assert list(confidences) == list(found)
        assert all(abs(confidences[ref] - found[ref]) < 0.003 for ref in found)
        assert outcomes == {**before, check.id: outcome}


def test_an_entry_without_a_cause_is_carried_too(index: Index) -> None:
    secondary = next(index.entry(n).id for n in range(len(index)) if index.entry(n).role == "secondary")
    check = shown(index.checks[0])
    state = next(iter(choices({secondary: 0.4}, {}, check.id, check.outcomes).values()))
    assert list(read_state(state, index)[0]) == [secondary]


def test_too_long_a_way_gets_no_buttons_rather_than_broken_ones(index: Index) -> None:
    found = dict.fromkeys(references(index)[:5], 0.1)
    before = {check.id: check.outcomes[0].id for check in index.checks[:30]}
    last = shown(index.checks[-1])
    assert choices(found, before, last.id, last.outcomes) == {}


def test_no_two_names_of_the_real_index_share_a_digest(index: Index) -> None:
    assert len({digest(name, ID) for name in index.numbers}) == len(index)
    outcomes = [f"{check.id}/{outcome.id}" for check in index.checks for outcome in check.outcomes]
    assert len({digest(name, OUTCOME) for name in outcomes}) == len(outcomes)
    for number in range(len(index)):
        causes = [cause.id for cause in index.entry(number).causes]
        assert len({digest(name, CAUSE) for name in ["", *causes]}) == len(causes) + 1


@given(st.one_of(st.text(max_size=120), st.binary(max_size=90).map(lambda b: MARK + b.hex())))
def test_made_up_buttons_are_stale(index: Index, text: str) -> None:
    with pytest.raises(Stale):
        read_state(text, index)
