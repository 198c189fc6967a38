"""What the bots answer, before it takes the form of a platform."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from api.bots.state import Stale, choices, read_state
from api.guided import advance, of_failure, told
from api.problems import Refused
from api.service import Service
from kb.diagnose.diagnosis import Given
from kb.render.brief import Brief, brief, main_failure

USAGE = (
    "Paste the traceback or log behind the command, or attach it as a file. Secrets, addresses and user "
    "names are taken out before it is read; nothing of it is kept."
)
BUSY = "Too many pastes are waiting. Try again in some seconds."
BUG = "Faultbook met a bug of its own; nothing of the paste was kept. The server's log names the place."


@dataclass(frozen=True)
class Reply:
    """A diagnosis in short, and what the buttons for the outcomes of its check carry."""

    brief: Brief
    choices: Mapping[str, str]


async def answer(text: str, service: Service) -> Reply:
    """The answer to a paste. Raises Refused."""
    if not text.strip():
        raise Refused(400, USAGE)
    diagnosis = await service.diagnose(text, Given())
    failure = main_failure(diagnosis)
    return reply(brief(diagnosis), of_failure(failure) if failure else {}, {})


def chosen(state: str, service: Service) -> Reply:
    """The answer to a button: the hypotheses weighed by all outcomes so far. Raises Refused."""
    index = service.book.index
    try:
        confidences, outcomes = read_state(state, index)
    except Stale as stale:
        raise Refused(410, f"Paste the log once more: {stale}.") from None
    return reply(told(advance(confidences, Given(outcomes=outcomes), index), index), confidences, outcomes)


def reply(answer: Brief, confidences: Mapping[str, float], so_far: Mapping[str, str]) -> Reply:
    asked = answer.question
    return Reply(answer, choices(confidences, so_far, asked.id, asked.outcomes) if asked else {})
