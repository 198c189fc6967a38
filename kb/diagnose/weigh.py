"""What one found signature says, and what the paste's packages and versions say of an entry.

Weights are in nats and set by hand; `make accuracy` shows what they do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from kb.diagnose import template, versions
from kb.diagnose.context import Context
from kb.diagnose.diagnosis import Evidence
from kb.diagnose.evidence import place
from kb.diagnose.hits import Hit, stands_in
from kb.diagnose.index import Cause, Entry, Signature
from kb.diagnose.report import Event

Applies = Literal["yes", "no", "unknown"]

BASE_LOW, BASE_HIGH = 2.5, 6.0  # a template's specificity counts at least and at most this
VARIANT, PARTIAL, INSIDE_SENTENCE, ALIAS = -0.5, -1.5, -1.5, -0.5
CLASS_SAME, CLASS_OTHER = 1.0, -2.0
WARNED = -1.5
FRAME_SAME, FRAME_MOVED, FRAME_OTHER = 1.5, -3.0, -6.0
VERSION_INSIDE, VERSION_OUTSIDE, CAUSE_OUTSIDE = 0.3, -2.0, -4.0
COMPONENT_SAME, COMPONENT_OTHER = 0.5, -2.5
GIVEN_SAME, GIVEN_OTHER = 1.0, -2.0
OUTLIVED = -3.0
NAMED = -6.0
COVERED, MORE_SAID = -1.5, 1.5  # nats that the other message must say more
ABOVE = 60  # lines
BACKSLASH = "\\"
COLUMNS = re.compile(r"\S(?: {3,}|\t+)\S")  # a row of a table, as `kubectl get events` prints them
# Classes of Java and .NET: java.lang.IllegalStateException, org.apache.spark.SparkException
FOREIGN = re.compile(r"(?:javax?|org|com|scala|kotlin|System|Microsoft)\.[\w.$]+")
# `...`, `[...]`, `... 8 lines omitted ...`, `<12 frames skipped>`
LEFT_OUT = re.compile(r"\s*[\[(<]?(?:\.{3}|\u2026|\d+ (?:lines?|frames?) )")
STACKS = frozenset({"vllm", "sglang"})  # serving stacks that copy each other's messages


def hit_evidence(hit: Hit, context: Context) -> list[Evidence]:
    """What one found signature says: its text first, then class, raising frame and versions."""
    found, signature, event = hit.found, hit.signature, context.candidates.events[hit.event]
    line, start, end = place(context.report, event, found)
    captures = dict(found.captures) if found else dict(event.fields)
    first = Evidence(base_weight(hit, event), base_note(hit), signature.id, line, start, end, captures)
    around = (
        class_evidence(hit, event, line),
        frame_evidence(signature, event, context),
        body_evidence(signature, event, line),
        version_evidence(signature, context.versions),
    )
    return [first, *(item for item in around if item is not None)]


def base_weight(hit: Hit, event: Event) -> float:
    """Weight of the text itself: what it identifies, less what is damaged or out of place."""
    if hit.found is None:
        return BASE_HIGH - 1.0
    weight = min(max(hit.found.matched, BASE_LOW), BASE_HIGH)
    if hit.found.quality != "exact":
        weight += VARIANT if hit.found.quality == "variant" else PARTIAL
    if hit.signature.alias:
        weight += ALIAS
    if event.level is None and event.type is None and inside_sentence(event.passage.text, hit.found.start):
        weight += INSIDE_SENTENCE
    return weight


def inside_sentence(text: str, start: int) -> bool:
    """Whether prose stands before the found text, as in `I keep getting LoRA rank 64 is ...`."""
    before = text[text.rfind("\n", 0, start) + 1 : start].rstrip("'\"` ")
    if COLUMNS.search(before):
        return False
    return len(before) > 3 and (before[-1].isalnum() or before[-1] == ",")


def base_note(hit: Hit) -> str:
    if hit.found is None:
        return f"the fact {hit.signature.template}"
    word = {
        "exact": "the message",
        "variant": "the message in another wording",
        "partial": "part of the message",
    }
    return word["variant" if hit.signature.alias else hit.found.quality]


def class_evidence(hit: Hit, event: Event, line: int | None) -> Evidence | None:
    """The exception class agrees with the signature's, or not.

    Without frames another class says nothing of a long message that stands there whole: wrappers repeat such
    messages under a class of their own.
    """
    signature = hit.signature
    if signature.exception is None or event.on == "body":
        return None
    if event.type is None:
        few = hit.found is not None and hit.found.matched < template.SPECIFICITY_FLOOR
        if few and signature.where is None:
            return Evidence(CLASS_OTHER, f"a few words without {signature.exception}", signature.id, line)
        warned = event.level == "warning" and signature.level != "warning"
        note = f"only a warning here, no {signature.exception}"
        return Evidence(WARNED, note, signature.id, line) if warned else None
    wanted, seen = signature.exception.rpartition(".")[2], event.type.rpartition(".")[2]
    if FOREIGN.match(event.type) and not FOREIGN.match(signature.exception):
        return Evidence(CLASS_OTHER, f"{event.type} is no class of Python", signature.id, line)
    if wanted == seen:
        return Evidence(CLASS_SAME, f"raised as {event.type}", signature.id, line)
    weak = hit.found is not None and (hit.found.quality != "exact" or hit.found.matched < BASE_HIGH)
    if signature.on == "source" or event.frames or weak:
        return Evidence(CLASS_OTHER, f"raised as {event.type}, not {signature.exception}", signature.id, line)
    return None


def frame_evidence(signature: Signature, event: Event, context: Context) -> Evidence | None:
    """The raising frame, or the log line's source file, is the one where the software emits this message."""
    if signature.where is None:
        return None
    if not event.frames:
        place = event.place.partition(":")[0].rpartition("/")[2] if event.place else None
        same = place is not None and signature.where.endswith(place)
        if not same and signature.needs_frame and not named_above(signature.where, event, context):
            return Evidence(FRAME_OTHER, f"no frame of {signature.where} is in the paste", signature.id)
        return Evidence(FRAME_SAME, f"logged in {event.place}", signature.id) if same else None
    for frame in reversed(event.frames):
        path = frame.path.replace(BACKSLASH, "/")
        if stands_in(path, signature.where) and (
            signature.function in (None, frame.function) or signature.on != "source"
        ):
            line = context.report.clean.lines[frame.at].number
            return Evidence(FRAME_SAME, f"raised in {signature.where}", signature.id, line)
    if left_out(event, context):
        return None
    line = context.report.clean.lines[event.frames[-1].at].number
    package = f"/{signature.where.partition('/')[0]}/"
    if any(package in f"/{frame.path.replace(BACKSLASH, '/')}" for frame in event.frames):
        return Evidence(FRAME_MOVED, f"not raised in {signature.where}", signature.id, line)
    return Evidence(FRAME_OTHER, f"no frame of {package.strip('/')} is in the traceback", signature.id, line)


def left_out(event: Event, context: Context) -> bool:
    """Whether somebody left lines of a traceback out, so that the raising frame may be among them."""
    between = context.report.clean.lines[event.frames[0].at : event.at]
    return any(LEFT_OUT.match(line.text) for line in between)


def named_above(where: str, event: Event, context: Context) -> bool:
    """Whether the lines above an event name a file, in a form of traceback that was not read."""
    above = context.report.clean.lines[max(0, event.at - ABOVE) : event.at]
    return any(where in line.text.replace(BACKSLASH, "/") for line in above)


def body_evidence(signature: Signature, event: Event, line: int | None) -> Evidence | None:
    """The status of an HTTP body agrees with the signature's, or not."""
    if signature.status is None or event.on != "body":
        return None
    code = event.fields.get("code") or event.fields.get("status")
    if code is None or not code.isdigit():
        return None
    same = int(code) == signature.status
    note = f"HTTP status {code}" if same else f"HTTP status {code}, not {signature.status}"
    return Evidence(CLASS_SAME if same else CLASS_OTHER, note, signature.id, line)


def version_evidence(signature: Signature, known: dict[str, str]) -> Evidence | None:
    """The version named in the paste emits this wording, or does not."""
    decided = decide_version(signature.versions, known)
    if decided is None:
        return None
    release, inside = decided
    note = f"{release} {'emits' if inside else 'does not emit'} this wording"
    weight = VERSION_INSIDE if inside else VERSION_OUTSIDE
    return Evidence(weight, note, signature.id)


def cause_version_evidence(cause: Cause, known: dict[str, str]) -> list[Evidence]:
    """The version named in the paste is one in which this cannot be the reason; that it can says nothing."""
    decided = decide_version(cause.versions, known)
    if decided is None or decided[1]:
        return []
    note = f"in {decided[0]} this cannot be the reason"
    return [Evidence(CAUSE_OUTSIDE, note)]


def decide_version(wanted: dict[str, str], known: dict[str, str]) -> tuple[str, bool] | None:
    """The release that decides (`vllm 0.11.0`) and whether it lies inside; None when the paste names none."""
    for package, specifier in wanted.items():
        inside = versions.matches(known[package], specifier) if package in known else None
        if inside is not None:
            return f"{package} {known[package]}", inside
    return None


def component_evidence(entry: Entry, context: Context) -> list[Evidence]:
    """The packages seen in the paste (or named by the person) are those that the entry is about."""
    touched, seen = set(entry.components), context.report.components
    if context.given.components:
        same = bool(touched & set(context.given.components))
        return [Evidence(GIVEN_SAME if same else GIVEN_OTHER, "component as given")]
    shared = seen & touched
    if shared:
        return [Evidence(COMPONENT_SAME, f"{min(shared)} is named in the paste")]
    other = seen & STACKS
    if other and STACKS & touched:
        return [Evidence(COMPONENT_OTHER, f"the paste is of {min(other)}")]
    return []


def affected_evidence(entry: Entry, context: Context) -> list[Evidence]:
    """The version in the paste lies outside every affected range of its package."""
    applies, package = applicability(entry, context.versions)
    if applies != "no":
        return []
    note = f"{package} {context.versions[package]} is not affected"
    return [Evidence(VERSION_OUTSIDE, note)]


def outlived_evidence(entry: Entry, hit: Hit, members: Sequence[int], context: Context) -> list[Evidence]:
    """A notice after which the program went on, until an exception that no entry knows ended it.

    NumPy and PyTorch print at the start what does not fit; a `KeyError` an epoch later may be about anything.
    An exception that names one of the entry's components (`NCCL error: invalid usage`) may well follow.
    """
    events, known = context.candidates.events, context.known
    notice = events[hit.event]
    if notice.on == "fact" or notice.type is not None or notice.level not in (None, "info", "warning"):
        return []
    ended = next((events[n] for n in members if events[n].at > notice.at and ends_a_run(n, context)), None)
    if ended is None or any(hit.entry in known.get(n, ()) for n in members if events[n].at > ended.at):
        return []
    said = ended.passage.text.lower()
    if any(component in said for component in entry.components):
        return []
    line = context.report.clean.lines[ended.at].number
    return [Evidence(OUTLIVED, f"the run went on after this notice, until {ended.type}", None, line)]


def covered_evidence(hit: Hit, context: Context) -> list[Evidence]:
    """Another entry's message says the same stretch of text, and more of it: a general wording gives way.

    `{tensor} is unsupported LoRA weight` is for what `lm_head.weight is unsupported LoRA weight` leaves over.
    """
    if hit.found is None:
        return []
    own = hit.found
    for other in context.candidates.hits:
        if (
            other.event != hit.event
            or other.entry == hit.entry
            or other.found is None
            or other.signature.alias
        ):
            continue
        around = other.found.start <= own.start and own.end <= other.found.end
        if around and other.found.quality == "exact" and other.found.matched >= own.matched + MORE_SAID:
            return [Evidence(COVERED, "another entry's message says more of this text", hit.signature.id)]
    return []


def consequence_evidence(entry: Entry, hit: Hit, context: Context) -> list[Evidence]:
    """The same message names a failure of its own: what only says that something failed gives way."""
    if entry.role != "secondary":
        return []
    others = (each.entry for each in context.candidates.hits if each.event == hit.event)
    if any(context.index.entry(other).role == "initiating" for other in others):
        return [Evidence(NAMED, "the same message names the failure itself", hit.signature.id)]
    return []


def ends_a_run(number: int, context: Context) -> bool:
    """Whether an event is an exception with its traceback that no entry knows."""
    event = context.candidates.events[number]
    return event.type is not None and bool(event.frames) and not context.known.get(number)


def applicability(entry: Entry, known: dict[str, str]) -> tuple[Applies, str]:
    """Whether the version named in the paste is affected (yes, no, unknown), and the package that decided."""
    answers = [
        (versions.matches(known[a["package"]], a["versions"]), a["package"])
        for a in entry.affected
        if a["package"] in known
    ]
    inside = next((package for answer, package in answers if answer is True), None)
    outside = next((package for answer, package in answers if answer is False), None)
    if inside is not None:
        return "yes", str(inside)
    return ("no", str(outside)) if outside is not None else ("unknown", "")
