"""All examples against all entries: none is taken for an entry that it is not about."""

from collections import Counter

from kb.diagnose.diagnosis import Diagnosis
from tests.proof.examples import Ask, Example, catalog, examples, relatives

BELIEVED = 0.3  # confidence of an entry from which a person would look at it


def believed(diagnosis: Diagnosis) -> dict[str, float]:
    """Every entry that the answer believes in, in any of its failures, with its confidence."""
    found: dict[str, float] = {}
    for failure in diagnosis.failures:
        for hypothesis in failure.hypotheses:
            if hypothesis.entry_confidence >= BELIEVED:
                known = found.get(hypothesis.entry, 0.0)
                found[hypothesis.entry] = max(known, hypothesis.entry_confidence)
    return found


def may_be(example: Example) -> set[str]:
    """Entries that an example may be believed to show: what it expects, and that one's declared relatives."""
    wanted, _ = example.expected
    if wanted is None:
        return set()
    about = catalog().by_id[wanted].entry
    naming = {file.entry.id for file in catalog().entries if wanted in relatives(file.entry)}
    return {wanted, *relatives(about), *naming}


def test_no_example_is_taken_for_an_entry_it_is_not_about(ask: Ask) -> None:
    matrix: Counter[tuple[str, str]] = Counter()
    confused = []
    for example in examples():
        for entry, confidence in believed(ask(example.text)).items():
            matrix[example.expected[0] or "none", entry] += 1
            if entry not in may_be(example):
                confused.append(f"{example} is taken for {entry} with {confidence}")
    assert not confused, "\n".join([*confused, "", *rows(matrix)])


def test_every_entry_is_believed_for_its_own_examples(ask: Ask) -> None:
    missed = [
        f"{example} is not taken for {example.entry}"
        for example in examples()
        if example.own and example.entry not in believed(ask(example.text))
    ]
    assert not missed, "\n".join(missed)


def rows(matrix: Counter[tuple[str, str]]) -> list[str]:
    """The confusion matrix: what is wanted, what is believed, how often."""
    return [f"{count:4} {wanted} -> {entry}" for (wanted, entry), count in sorted(matrix.items())]
