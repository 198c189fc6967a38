"""Checks: the next one to ask for, and outcomes given."""

from collections.abc import Callable

from kb.diagnose.checks import expected_gain, next_check
from kb.diagnose.diagnosis import Diagnosis, Given
from kb.diagnose.index import Index

Ask = Callable[..., Diagnosis]

TIMEOUT = (
    "[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5, OpType=ALLREDUCE, NumelIn=4, "
    "NumelOut=4, Timeout(ms)=600000) ran for 600041 milliseconds before timing out."
)

OUT_OF_MEMORY = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of "
    "79.15 GiB"
)


def test_the_next_check_is_one_that_separates_the_rivals(ask: Ask) -> None:
    check = ask(TIMEOUT).failures[0].next_check
    assert check is not None
    assert (check.id, [o.id for o in check.outcomes]) == ("which-order", ["same", "different"])


def test_a_given_outcome_moves_the_confidences_and_is_not_asked_again(ask: Ask) -> None:
    before, after = ask(TIMEOUT), ask(TIMEOUT, outcomes={"which-order": "different"})
    assert before.best is not None
    assert after.best is not None
    assert (before.best.cause, after.best.cause) == ("straggler", "order")
    rival = [h.confidence for h in after.failures[0].hypotheses if h.cause == "straggler"]
    assert all(confidence < 0.01 for confidence in rival)  # ruled out, not only left behind
    assert after.failures[0].next_check is None
    given = [item for item in after.failures[0].hypotheses[0].evidence if item.note.startswith("given: ")]
    assert [(item.line, item.weight > 0) for item in given] == [(None, True)]


def test_a_check_that_separates_nothing_gains_nothing(made: Index) -> None:
    colour = next(check for check in made.checks if check.id == "colour")
    assert expected_gain(colour, {"memory/full": 0.5, "memory/pieces": 0.5}) < 1e-9
    assert next_check({"memory/full": 0.5, "memory/pieces": 0.5}, Given(), made) is None


def test_an_answer_leads_to_an_entry_of_which_the_paste_says_nothing(ask: Ask) -> None:
    before, after = ask(OUT_OF_MEMORY), ask(OUT_OF_MEMORY, outcomes={"colour": "blue"})
    assert {h.entry for h in before.failures[0].hypotheses} == {"memory"}
    first = after.failures[0].hypotheses[0]
    assert first.entry == "killed"
    assert [item.note for item in first.evidence] == [
        'the answer to "Which colour?" leads here',
        "given: Which colour? - blue",
    ]
    assert after.failures[0].initiating.line == before.failures[0].initiating.line == 1
    assert any(h.entry == "memory" and h.confidence > 0.01 for h in after.failures[0].hypotheses)


def test_an_answer_leads_nowhere_else_when_it_is_about_another_failure_or_about_this_one(ask: Ask) -> None:
    other = ask(TIMEOUT, outcomes={"colour": "blue"})
    assert {h.entry for h in other.failures[0].hypotheses} == {"timeout"}
    same = ask(OUT_OF_MEMORY, outcomes={"colour": "red"})
    assert {h.entry for h in same.failures[0].hypotheses} == {"memory"}
