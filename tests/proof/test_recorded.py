"""What real programs print when all is well, or when they fail in ways that no entry knows, is not answered.

`quiet/recorded.jsonl.gz` was recorded by bench/quiet/record.py. A part of it is tried here, always the same;
bench/quiet/measure.py tries all of it, and each line alone. Where an entry truly describes what a program
met, its card in bench/quiet/cards names the entry. Programs that are known to be answered wrongly stand in
`quiet/answered.json` with the reason; one that is quiet now fails until it is taken off.
"""

import json
from pathlib import Path

import pytest

from bench.quiet.cards import all_cards
from bench.quiet.measure import Quiet, answer_to, described, lines_of, recorded, unknown
from bench.quiet.private import left_over
from kb.diagnose.index import Index

EVERY = recorded()
KNOWN_WRONG: dict[str, str] = json.loads((Path(__file__).parent / "quiet" / "answered.json").read_text())
PASTES_APART = 9  # of those that are tried, so that all kinds of programs are among them
LINES_APART = 61


def test_there_is_enough_of_it() -> None:
    assert len(EVERY) >= 2_000
    assert sum(1 for _ in lines_of(EVERY)) >= 20_000
    assert len({paste.program for paste in EVERY}) >= 500
    assert len({paste.text for paste in EVERY}) == len(EVERY)


def test_every_recorded_program_has_its_card() -> None:
    cards = {card.name: card for card in all_cards()}
    assert len(cards) == len(all_cards())
    programs = {paste.program for paste in EVERY}
    assert programs <= set(cards)
    assert len(programs) > 0.95 * len(cards)
    assert [p.id for p in EVERY if "@noun@" in p.text] == []


def test_pastes_are_not_answered(index: Index) -> None:
    pastes = unknown(EVERY[::PASTES_APART], index)
    tried = [paste for paste in pastes if paste.program not in KNOWN_WRONG]
    assert answers([(paste.id, paste.text) for paste in tried], index) == []


def test_single_lines_are_not_answered(index: Index) -> None:
    pastes = [paste for paste in unknown(EVERY, index) if paste.program not in KNOWN_WRONG]
    known = described(EVERY, index)
    lines = [(name, line) for name, line in lines_of(pastes) if line not in known]
    assert answers(lines[::LINES_APART], index) == []


def answers(texts: list[tuple[str, str]], index: Index) -> list[str]:
    assert len(texts) > 200
    return [f"{name}: {answer}" for name, text in texts if (answer := answer_to(text, index))]


@pytest.mark.parametrize("program", sorted(KNOWN_WRONG))
def test_a_program_that_is_known_to_be_answered_still_is(program: str, index: Index) -> None:
    pastes = [paste for paste in EVERY if paste.program == program]
    assert pastes, "no such program is recorded"
    if not any(answer_to(paste.text, index) for paste in pastes):
        pytest.fail(f"{program} is quiet now: take it off quiet/answered.json")


def test_nothing_recorded_names_a_machine_or_an_index() -> None:
    """The file is packed, so the repository's own test cannot read it."""
    assert [paste.id for paste in EVERY if left_over(paste.text)] == []


PRIVATE = ["/" + "root/.cache/x", "see https://" + "pypi" + ".org/simple", "at 10.3.4.5:80"]


@pytest.mark.parametrize("text", PRIVATE)
def test_names_of_a_machine_are_found(text: str) -> None:
    assert left_over(text)


def test_entries_that_describe_a_failure_are_no_strangers_to_it(index: Index) -> None:
    entry = index.entry(0)
    one = Quiet("a", "a", frozenset({entry.id}), "x")
    assert unknown([one], index) == []
    assert unknown([Quiet("a", "a", frozenset({"no-such-entry"}), "x")], index) != []
