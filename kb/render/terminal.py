"""A diagnosis for a person at a terminal: what failed, why, how to be sure, what to do.

In the order of reading: the answer, the line that started it, what confirms it, the fix, then the rivals and
what separates them. Commands and configuration stand alone at the left edge, ready to copy.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.diagnose.diagnosis import Diagnosis, Evidence, Failure, Hypothesis, NextCheck, RankRow
from kb.render.forms import first_to_read
from kb.render.ink import Ink, joined, verbatim
from kb.render.plain import one_line
from kb.render.words import (
    BECAUSE,
    FORMS,
    KINDS,
    STATUS,
    VERDICTS,
    called,
    count,
    percent,
    process_name,
    spans,
)

AROUND = 3  # lines shown before and after the initiating line
REASONS = 4  # reasons shown for a hypothesis
ROWS = 12  # ranks shown each on its own line
FULL = 3  # failures shown in full
WHOLE = 800  # characters of the initiating line
SLIGHT = 0.02  # rivals below this confidence are not worth a line


def diagnosis_text(diagnosis: Diagnosis, *, colour: bool = False, width: int = 80) -> str:
    """The whole answer as text that ends with a line end. `width` is the terminal's, in columns."""
    ink = Ink(colour, width)
    lines = list(_headline(diagnosis, ink))
    failures = diagnosis.failures
    for number, failure in enumerate(failures[:FULL], start=1):
        if len(failures) > 1:
            lines += ["", ink.bold(f"Failure {number} of {len(failures)}")]
        lines += _failure(failure, diagnosis, ink)
    if len(failures) > FULL:
        lines += ["", f"{count(len(failures) - FULL, 'more failure')}: see --json"]
    lines += _related(diagnosis, ink)
    if diagnosis.report.clean.truncated:
        lines += ["", ink.dim("The paste was longer than the matcher reads; the rest was left out.")]
    return joined(lines)


def _headline(diagnosis: Diagnosis, ink: Ink) -> Iterator[str]:
    verdict, best = VERDICTS[diagnosis.verdict], _best(diagnosis)
    if best is None:
        yield ink.yellow(verdict)
        yield from ink.prose(_nothing(diagnosis))
        return
    certain = diagnosis.verdict == "match"
    paint = ink.green if certain else ink.yellow
    lead = f"{percent(best.confidence)} sure" if certain else f"the likeliest has {percent(best.confidence)}"
    yield f"{paint(verdict)}, {lead}"
    yield from (ink.bold(line) for line in ink.prose(best.title))
    if best.cause_title:
        yield from ink.prose(best.cause_title, "cause: ")
    yield ink.dim(f"kb explain {best.entry}")


def _nothing(diagnosis: Diagnosis) -> str:
    if not diagnosis.failures:
        return "Nothing in this paste says that something failed."
    if all(failure.handled for failure in diagnosis.failures):
        return "The program handled every error in this paste; none of them ended it."
    return f"None of the {diagnosis.entries:,} known failures explains this paste. What it shows:"


def _best(diagnosis: Diagnosis) -> Hypothesis | None:
    """The hypothesis that `best` names."""
    wanted = diagnosis.best and (diagnosis.best.entry, diagnosis.best.cause)
    every = (hypothesis for failure in diagnosis.failures for hypothesis in failure.hypotheses)
    return next((h for h in every if (h.entry, h.cause) == wanted), None)


def _failure(failure: Failure, diagnosis: Diagnosis, ink: Ink) -> Iterator[str]:
    yield from _start(failure, diagnosis, ink)
    yield from _consequences(failure, ink)
    yield from _ranks(failure, ink)
    best = failure.hypotheses[0] if failure.hypotheses and diagnosis.verdict != "no_match" else None
    if best:
        yield from _answer(best, diagnosis, ink)
    if failure.need:
        yield from ["", ink.bold("This is only a consequence. Find the first error:")]
        yield from ink.prose(failure.need.look)
        yield from _command(failure.need.run)
    check = list(_next_check(failure.next_check, ink))
    fix = list(_fix(best, diagnosis, ink)) if best else []
    rivals = list(_rivals(failure, diagnosis, ink))
    # While the text cannot decide, the question comes before the fix of what may be the wrong cause.
    yield from (*rivals, *check, *fix) if diagnosis.verdict == "ambiguous" else (*fix, *rivals, *check)
    if failure.also_true:
        yield from ["", ink.bold("Also true")]
        for each in failure.also_true:
            yield from ink.prose(each, "- ")


def _start(failure: Failure, diagnosis: Diagnosis, ink: Ink) -> Iterator[str]:
    first = failure.initiating
    who = one_line(process_name(first.process), 120)
    at = f"line {first.line}" + (f", {who}" if who else "")
    yield ""
    yield f"{ink.bold('What happened' if failure.handled else 'What started it')} ({at})"
    paste = diagnosis.report.clean.paste
    shown = range(max(first.line - AROUND, 1), min(first.line + AROUND, len(paste)) + 1)
    wide = len(str(shown.stop - 1))
    for number in shown:
        longest = WHOLE if number == first.line else max(ink.width - wide - 5, 40)
        text = f"{number:>{wide}} | {one_line(paste[number - 1], longest)}".rstrip()
        yield ink.red(f"> {text}") if number == first.line else ink.dim(f"  {text}")
    if not failure.hypotheses and first.kind:
        yield f"It looks like {KINDS.get(first.kind, first.kind)}."
    if failure.handled:
        yield "The program went on after it."


def _consequences(failure: Failure, ink: Ink) -> Iterator[str]:
    """Secondary errors folded: how many, of which sort, in which lines."""
    if not failure.secondary:
        return
    sorts: dict[str, list[int]] = {}
    for each in failure.secondary:
        sorts.setdefault(each.because, []).append(each.line)
    yield ""
    yield f"{ink.bold('Consequences')}: {count(len(failure.secondary), 'further line')}, not the cause"
    for because, lines in sorts.items():
        numbers = ", ".join(str(line) for line in lines[:5]) + (", ..." if len(lines) > 5 else "")
        where = f"line {numbers}" if len(lines) == 1 else f"{len(lines)} lines: {numbers}"
        yield from ink.prose(f"{where}: {BECAUSE.get(because, because)}", "- ")


def _ranks(failure: Failure, ink: Ink) -> Iterator[str]:
    heard = [row for row in failure.ranks if row.part != "silent"]
    if len(failure.ranks) > 1:
        yield from ["", ink.bold("Ranks"), *(_rank(row, ink) for row in heard[:ROWS])]
        if len(heard) > ROWS:
            yield from ink.prose(
                f"and {len(heard) - ROWS} more: {spans(row.rank for row in heard[ROWS:])}", "  "
            )
    if failure.silent_ranks:
        silent = one_line(spans(failure.silent_ranks), 200)
        yield from ink.prose(f"silent: {silent}; their own logs say more than this paste", "  ")


def _rank(row: RankRow, ink: Ink) -> str:
    where = f"{row.rank}@{row.host}" if row.host else row.rank
    line = f"line {row.line}" if row.line else ""
    text = f"  {one_line(where, 40):<12} {row.part:<10} {line:<10} {one_line(row.text or '', 100)}".rstrip()
    return ink.red(text) if row.part == "initiating" else text


def _answer(best: Hypothesis, diagnosis: Diagnosis, ink: Ink) -> Iterator[str]:
    yield ""
    yield from ink.prose(best.summary)
    notes = (STATUS.get(best.status), _applies(best))
    yield from (ink.dim(f"({note})") for note in notes if note)
    reasons = _reasons(best, ink)
    if reasons:
        yield from ["", ink.bold("Why"), *reasons]
    if best.confirm and diagnosis.verdict != "no_match":
        yield from ["", ink.bold("Be sure")]
        yield from _look(best.confirm, ink)


def _applies(best: Hypothesis) -> str:
    fixed = f"; fixed in {best.fixed_in}" if best.fixed_in else ""
    return (
        f"the version in the paste is not among the affected ones{fixed}"
        if best.applies == "no"
        else fixed[2:]
    )


def _reasons(hypothesis: Hypothesis, ink: Ink, most: int = REASONS) -> list[str]:
    """The weightiest reasons, each said once: several signatures of an entry often find the same words."""
    weighty = sorted((e for e in hypothesis.evidence if e.note), key=lambda e: -abs(e.weight))
    said = dict.fromkeys("\n".join(_reason(reason, ink)) for reason in weighty)
    return list(said)[:most]


def _reason(reason: Evidence, ink: Ink) -> Iterator[str]:
    at = f"line {reason.line}: " if reason.line else ""
    values = ", ".join(f"{name} = {one_line(value, 60)}" for name, value in reason.captures.items())
    text = f"{at}{reason.note}" + (f" ({values})" if values else "")
    yield from ink.prose(text, "+ " if reason.weight >= 0 else "- ")


def _fix(best: Hypothesis, diagnosis: Diagnosis, ink: Ink) -> Iterator[str]:
    fix = best.fix
    if fix is None:
        return
    yield from [
        "",
        ink.green("Fix" if diagnosis.verdict == "match" else f"Fix, if it is {best.cause or best.entry}"),
    ]
    yield from ink.prose(fix.summary)
    if fix.parameter and fix.value:
        yield ink.bold(one_line(f"{fix.parameter} {fix.value}", 120))
    if fix.change:
        yield from ["", ink.dim(f"Your own, from line {fix.change.line} on, with the change:")]
        yield verbatim(fix.change.after)
    for command in fix.commands:
        yield from _command(command)
    shown_by_now = (*fix.commands, f"{fix.parameter} {fix.value}", fix.change and fix.change.after)
    forms = {name: text for name, text in fix.forms.items() if text not in shown_by_now}
    shown, others = ([], list(forms.items())) if fix.change else first_to_read(forms, diagnosis.report)
    for name, text in shown:
        yield from _form(name, text, ink)
    if others:
        names = ", ".join(FORMS.get(name, name) for name, _ in others)
        yield ink.dim(f"Also for {names}: kb explain {best.entry}")
    yield ""
    for number, step in enumerate(fix.steps, start=1):
        yield from ink.prose(step, f"{number}. ")
    yield from _after(best, ink)


def _after(best: Hypothesis, ink: Ink) -> Iterator[str]:
    fix = best.fix
    if fix is None:
        return
    if fix.verify:
        yield from ["", ink.bold("Then check")]
        yield from _look(fix.verify, ink)
    if fix.resume:
        yield from ["", *ink.prose(fix.resume, "Go on from: ", "")]
    if fix.avoid:
        yield from ["", ink.bold("Do not")]
        for each in fix.avoid:
            yield from ink.prose(each, "- ")
    if fix.risk:
        yield from ["", *ink.prose(fix.risk, "Risk: ", "")]


def _form(name: str, text: str, ink: Ink) -> Iterator[str]:
    yield ""
    yield ink.dim(f"{FORMS.get(name, name)}:")
    yield verbatim(text)


def _command(text: str) -> Iterator[str]:
    yield ""
    yield verbatim(text)
    yield ""


def _look(look: dict[str, str], ink: Ink) -> Iterator[str]:
    if where := look.get("look"):
        yield from ink.prose(where)
    if run := look.get("run"):
        yield from _command(run)
    if see := look.get("see"):
        yield from ink.prose(see, "-> ")


def _rivals(failure: Failure, diagnosis: Diagnosis, ink: Ink) -> Iterator[str]:
    weak = diagnosis.verdict == "no_match"
    rivals = [h for h in failure.hypotheses[0 if weak else 1 :] if h.confidence >= SLIGHT]
    if not rivals:
        return
    first = failure.hypotheses[0]
    shared = () if weak else _reasons(first, ink, len(first.evidence))  # they tell the rivals not apart
    yield from ["", ink.bold("Too weak to name" if weak else "Or it could be")]
    for rival in rivals:
        yield from ink.prose(f"{percent(rival.confidence)}  {_rival(rival, failure)}", "- ")
        own = [reason for reason in _reasons(rival, ink, len(rival.evidence)) if reason not in shared]
        yield from (f"  {line}" for reason in own[:1] for line in reason.split("\n"))


def _rival(rival: Hypothesis, failure: Failure) -> str:
    """What a rival claims, shorter where it is another cause of the first one's entry."""
    first = failure.hypotheses[0]
    if rival is not first and rival.entry == first.entry and rival.cause_title:
        return f"{rival.cause_title} (the same entry, cause {rival.cause})"
    return f"{called(rival)} ({rival.entry})"


def _next_check(check: NextCheck | None, ink: Ink) -> Iterator[str]:
    if check is None:
        return
    yield from ["", ink.bold("What tells them apart")]
    yield from ink.prose(check.question)
    if check.look:
        yield from ink.prose(check.look)
    if check.run:
        yield from _command(check.run)
    for outcome in check.outcomes:
        yield from ink.prose(outcome.see, "- ")
        said = [("speaks for", outcome.supports), ("rules out", outcome.rules_out)]
        for words, references in said:
            if references:
                yield from ink.prose(", ".join(references), f"  {words} ")
    known = " or ".join(outcome.id for outcome in check.outcomes)
    yield ink.dim(f"Then: kb match FILE --outcome {check.id}=OUTCOME, which is {known}")


def _related(diagnosis: Diagnosis, ink: Ink) -> Iterator[str]:
    if diagnosis.related:
        yield from ["", ink.bold("Not the same, perhaps related")]
        for each in diagnosis.related:
            yield from ink.prose(f"{each.title} ({each.entry}): {each.why}", "- ")
    if diagnosis.verdict == "no_match" and any(not failure.handled for failure in diagnosis.failures):
        yield ""
        yield ink.dim("When you know what it was, let others know: kb new --from FILE starts an entry")
