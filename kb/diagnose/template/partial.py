"""Find a template in damaged text.

Words that are close are never enough: literal fragments must stand in order, without a hole between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.diagnose.template.cut import Partial, find_cut, windows
from kb.diagnose.template.find import make_found
from kb.diagnose.template.parts import Found, Template, Variant
from kb.diagnose.template.prepared import Prepared, strip
from kb.diagnose.template.runs import View, Work
from kb.diagnose.template.slips import find_slips

PARTIAL_FLOOR = 5.0
"""What the literal text that is there must say, in nats (see `weigh`), though the rest is gone."""
BEGINNING_FLOOR = 3.0
"""The same where the text is nothing but the beginning of a template, and most of it: `CUDA error: invalid
device` of `CUDA error: invalid device ordinal`."""
LEAST_BEGINNING = 1.0
"""The same where class or file stand beside it: `SignalException: Process 5 got s`."""
_MOST = 0.6  # of a template's literal text must be there for that
_ENOUGH = 25  # characters of literal text that stand for themselves; else half of the template's are needed


def find_partial(template: Template, prepared: Prepared, beside: float = 0.0) -> Found | None:
    """The template in damaged text: cut at its end or beginning, or with a few slips of reading a picture.

    For texts in which `find` finds nothing. The quality is always `partial`; a value that the cut may have
    shortened is not among the captures. `beside`: nats that stand beside a text that may be cut, for this
    template; a beginning of it needs to say less then.
    """
    best: tuple[float, Found] | None = None
    for variant, partial in _candidates(template, prepared, beside):
        nats = partial.nats
        begins = _is_beginning(partial, variant, prepared)
        begun = begins and (beside > 0 or partial.length >= _MOST * variant.length)
        floor = max(BEGINNING_FLOOR - beside, LEAST_BEGINNING) if begun else PARTIAL_FLOOR
        if nats < floor or (best and nats <= best[0]):
            continue
        short = partial.length < _ENOUGH and 2 * partial.length < variant.length
        if short and not (begun and beside):
            continue
        found = _to_found(partial, prepared, nats)
        if found:
            best = nats, found
    return best[1] if best else None


def _is_beginning(partial: Partial, variant: Variant, prepared: Prepared) -> bool:
    """Whether the whole text is the beginning of the variant."""
    literal, begin, _ = partial.literals[0] if partial.literals else (None, 1, 0)
    if not partial.cut or begin or literal is not variant.runs[0].elements[0]:
        return False
    return not prepared.flat[: partial.pieces[0][0]].strip(" :")


def _candidates(template: Template, prepared: Prepared, beside: float) -> Iterator[tuple[Variant, Partial]]:
    """Everything that is there of any variant, good or not."""
    likely = [variant for variant in template.variants if variant.nats + beside >= PARTIAL_FLOOR]
    if not likely:
        return
    work = Work.for_text(len(prepared.flat))
    for start, end, head, tail in windows(prepared):
        view = View(prepared.lower, prepared.flat, folded=True, start=start, end=end)
        for variant in likely:
            for partial in find_cut(variant, view, head=head, tail=tail, work=work):
                yield variant, partial
    for variant in likely:
        slipped = find_slips(variant, prepared)
        if slipped:
            yield variant, slipped


def _to_found(partial: Partial, prepared: Prepared, nats: float) -> Found | None:
    """What was found, in terms of the original text."""
    values = [(name, *strip(prepared.flat, start, end)) for name, start, end in partial.values]
    pieces = [strip(prepared.flat, start, end) for start, end in partial.pieces]
    spans = pieces + [(start, end) for _, start, end in values]
    whole = min(start for start, _ in spans), max(end for _, end in spans)
    return make_found(prepared, whole, values, partial.pieces, "partial", nats)
