"""Every example of every entry gets the answer that the entry states."""

import pytest

from tests.proof.examples import Ask, Example, answer, catalog, examples, main_failure


@pytest.mark.parametrize("example", examples(), ids=str)
def test_example_gets_its_answer(example: Example, ask: Ask) -> None:
    diagnosis = ask(example.text)
    verdict, entry, cause = answer(diagnosis)
    wanted, wanted_cause = example.expected
    assert (verdict, entry) == (example.verdict, wanted)
    assert wanted_cause is None or cause == wanted_cause
    if example.line is not None:
        failure = main_failure(diagnosis)
        assert failure is not None
        assert example.line in failure.initiating.text


@pytest.mark.parametrize("example", [e for e in examples() if not e.own], ids=str)
def test_look_alike_never_leads_to_the_entry_it_stands_beside(example: Example, ask: Ask) -> None:
    if example.expected[0] == example.entry:
        pytest.fail(f"{example} is a look-alike, so it may not expect its own entry")
    assert answer(ask(example.text))[1] != example.entry


def test_every_entry_was_read() -> None:
    """An entry with problems is left out of the index, and its examples would go unproven."""
    assert {file.entry.id for file in catalog().entries} == catalog().entry_ids
    assert examples()
