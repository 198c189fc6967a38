"""Two unrelated failures in one paste are two failures in the answer, in either order."""

import pytest

from tests.proof.examples import Ask, Example, catalog, matches, relatives

PARTNERS = 4  # entries that each entry is put together with


def related(one: str, other: str) -> bool:
    """Whether one of two entries names the other as a sibling, a relative, a cause or a consequence."""
    first, second = catalog().by_id[one].entry, catalog().by_id[other].entry

    def named(entry_id: str) -> set[str]:
        entry = catalog().by_id[entry_id].entry
        return relatives(entry) | set(entry.leads_from)

    return first.id in named(second.id) or second.id in named(first.id)


def pairs() -> list[tuple[Example, Example]]:
    """The surest example of each entry that starts failures, with those of its next unrelated entries."""
    sure: dict[str, Example] = {}
    for example in matches():
        if example.verdict == "match" and catalog().by_id[example.entry].entry.role == "initiating":
            sure.setdefault(example.entry, example)
    found = []
    ring = list(sure.values())
    for at, one in enumerate(ring):
        others = [other for other in ring[at + 1 :] + ring[:at] if not related(one.entry, other.entry)]
        found += [(one, other) for other in others[:PARTNERS]]
    return found


@pytest.mark.parametrize(("one", "other"), pairs(), ids=str)
def test_two_unrelated_failures_are_two(one: Example, other: Example, ask: Ask) -> None:
    text = f"{one.text.rstrip()}\n\n{other.text.rstrip()}\n"
    diagnosis = ask(text)
    first = [failure.hypotheses[0].entry for failure in diagnosis.failures if failure.hypotheses]
    assert {one.entry, other.entry} <= set(first)
    assert diagnosis.verdict == "match"
