"""A diagnosis as Markdown, for an issue, a chat or an assistant. Nothing of a paste is markup in it."""

from __future__ import annotations

from collections.abc import Iterator

from kb.diagnose.diagnosis import Diagnosis
from kb.render.brief import Brief, Question, brief
from kb.render.markup import fence, inline, literal


def diagnosis_markdown(diagnosis: Diagnosis, site: str = "") -> str:
    """The answer in short. `site` is the address of the pages, with a slash at its end; links need one."""
    return "\n\n".join(blocks(brief(diagnosis), site)) + "\n"


def blocks(answer: Brief, site: str) -> Iterator[str]:
    """The parts of the answer, in the order in which they are needed."""
    title = literal(answer.headline)
    yield f"**[{title}]({site}{answer.path})**" if site and answer.path else f"**{title}**"
    if answer.text is not None:
        who = f" ({literal(answer.process)})" if answer.process else ""
        yield f"Started at line {answer.line}{who}:"
        yield fence(answer.text)
    yield inline(answer.summary)
    if answer.need:
        yield "Find the first error:"
        yield fence(answer.need, "bash")
    if answer.cause:
        yield f"**Cause:** {literal(answer.cause)}"
    if answer.confirm:
        yield "To be sure:"
        yield fence(answer.confirm, "bash")
    if answer.fix:
        yield f"**Fix:** {inline(answer.fix)}"
    if answer.command:
        yield fence(answer.command, "bash")
    if answer.rival:
        rival = literal(answer.rival.title)
        shown = f"[{rival}]({site}{answer.rival.path})" if site else rival
        yield f"**Or it could be:** {shown} ({answer.rival.sure})"
    if answer.question:
        yield question_text(answer.question)
    if answer.more:
        yield f"{answer.more} further failure{'s' if answer.more > 1 else ''} in the same paste."


def question_text(asked: Question) -> str:
    """The check that tells them apart, with what each outcome means."""
    parts = [f"**How to tell:** {inline(asked.question)}"]
    if asked.look:
        parts.append(inline(asked.look))
    if asked.run:
        parts.append(fence(asked.run, "bash"))
    parts.append("\n".join(f"- {inline(outcome.see)}" for outcome in asked.outcomes))
    return "\n\n".join(parts)
