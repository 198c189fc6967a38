"""Find a template in a text: its runs one after the other, each leftmost, gaps between them not too wide.

Taking every run leftmost is complete, since a gap takes anything: where a gap comes out too wide, the run
before it moves on. Places only ever move forward, so the cost is linear in the text (`Work` bounds the rest).
"""

from __future__ import annotations

from bisect import bisect_right

from kb.diagnose.template.parts import Found, Gap, Quality, Template, Variant
from kb.diagnose.template.prepared import Prepared, strip
from kb.diagnose.template.runs import RunHit, View, Work, find_run

WIDEST_GAP = 2000
"""Characters that a placeholder without a type may take: a message, not a log."""
_TELLING = 8  # characters from which a fragment is moved towards the next one (see `_tighten`)


def find(template: Template, prepared: Prepared, start: int = 0) -> Found | None:
    """The leftmost place at or after `start` (in the original text) where the template is; None when nowhere.

    Exact first; when only upper and lower case differ, the quality is `variant`.
    """
    work = Work.for_text(len(prepared.flat))
    return search(template, prepared, prepared.offset(start) if start else 0, len(prepared.flat), work)


def find_each_line(template: Template, prepared: Prepared) -> tuple[Found, ...]:
    """The template once in each line that has it, for messages that repeat with other values."""
    work = Work.for_text(len(prepared.flat))
    pivots = {variant.literals[0].lower for variant in template.variants}
    found: list[Found] = []
    position = 0
    while True:
        nexts = [at for pivot in pivots if (at := prepared.lower.find(pivot, position)) >= 0]
        if not nexts:
            return tuple(found)
        start, end = prepared.line(min(nexts))
        hit = search(template, prepared, start, end, work)
        if hit:
            found.append(hit)
        position = max(end, min(nexts) + 1)


def search(template: Template, prepared: Prepared, start: int, end: int, work: Work) -> Found | None:
    """The leftmost match in `flat[start:end]`; of several there, the one with most literal text."""
    likely = [variant for variant in template.variants if could_be(variant, prepared, start, end)]
    if not likely:
        return None
    for folded in (False, True):
        view = View(prepared.lower if folded else prepared.flat, prepared.flat, folded, start, end)
        best: tuple[tuple[int, float], Found] | None = None
        for variant in likely:
            found = _find_variant(variant, view, prepared, start, work)
            if found and (best is None or (found.start, -variant.length) < best[0]):
                best = (found.start, -variant.length), found
        if best:
            return best[1]
    return None


def could_be(variant: Variant, prepared: Prepared, start: int, end: int) -> bool:
    """Whether every literal is there at all, upper and lower case aside. Cheap: most texts end here."""
    return all(prepared.lower.find(literal.lower, start, end) >= 0 for literal in variant.literals)


def _find_variant(variant: Variant, view: View, prepared: Prepared, start: int, work: Work) -> Found | None:
    """The leftmost match of one variant whose repeated names stand for equal text."""
    while True:
        hits = locate(variant, view, start, work)
        if hits is None:
            return None
        found = to_found(variant, hits, view, prepared)
        if found:
            return found
        start = hits[0].start + 1


def locate(variant: Variant, view: View, start: int, work: Work) -> list[RunHit] | None:
    """The runs of a variant in order, leftmost, no gap wider than allowed."""
    runs = variant.runs
    least = [start] * len(runs)
    hits: list[RunHit] = []
    while len(hits) < len(runs):
        i = len(hits)
        hit = find_run(runs[i], view, least[i], work)
        if hit is None:
            return None
        if i and hit.start - hits[-1].end > WIDEST_GAP:
            least[i] = hit.start
            near = hit.start - WIDEST_GAP - runs[i - 1].reach
            least[i - 1] = max(hits.pop().start + 1, near)
            continue
        hits.append(hit)
        if i + 1 < len(runs):
            least[i + 1] = max(least[i + 1], hit.end - _shared_blank(variant.gaps[i], view, hit.end))
    return _tighten(variant, view, hits, work)


def _shared_blank(gap: Gap, view: View, end: int) -> int:
    """1 when the blank before an empty `{name?}` is also the blank after it."""
    return int(gap.optional and end > 0 and view.text[end - 1] == " ")


def _tighten(variant: Variant, view: View, hits: list[RunHit], work: Work) -> list[RunHit]:
    """Each run as near to the next as it comes.

    "Failed to load adapter a. Failed to load adapter b as a pinned adapter": the name is b alone.
    """
    for i in range(len(hits) - 2, -1, -1):
        if len(variant.runs[i].needle.text) < _TELLING:
            continue
        near = view._replace(end=hits[i + 1].start)
        while (later := find_run(variant.runs[i], near, hits[i].end, work)) is not None:
            hits[i] = later
    return hits


def to_found(variant: Variant, hits: list[RunHit], view: View, prepared: Prepared) -> Found | None:
    """The match in terms of the original text; None when a name would stand for two different texts."""
    values = [value for hit in hits for value in hit.values]
    start, end = hits[0].start, hits[-1].end
    for i, gap in enumerate(variant.gaps):
        if gap.name:
            values.append((gap.name, *strip(view.flat, hits[i].end, hits[i + 1].start)))
    if variant.lead:
        lead = strip(view.flat, max(_line_start(prepared, start), start - WIDEST_GAP, view.start), start)
        if variant.lead.name:
            values.append((variant.lead.name, *lead))
            start = min(start, lead[0])
    if variant.trail and variant.trail.name:
        limit = min(view.end, end + WIDEST_GAP, _line_end(prepared, end))
        trail = strip(view.flat, end, limit)
        values.append((variant.trail.name, *trail))
        end = max(end, trail[1])
    pieces = [piece for hit in hits for piece in hit.pieces]
    quality: Quality = "variant" if view.folded else "exact"
    return make_found(prepared, (start, end), values, pieces, quality, variant.nats)


def make_found(
    prepared: Prepared,
    span: tuple[int, int],
    values: list[tuple[str, int, int]],
    pieces: list[tuple[int, int]],
    quality: Quality,
    matched: float,
) -> Found | None:
    """A `Found` with spans of the original text; None when a name stands for two different texts."""
    same: dict[str, str] = {}
    spans: dict[str, tuple[int, int]] = {}
    for name, start, end in sorted(values, key=lambda value: value[1]):
        if end <= start:
            continue
        text = prepared.flat[start:end]
        if same.setdefault(name, text) != text:
            return None
        spans.setdefault(name, prepared.span(start, end))
    shown = tuple(prepared.span(*strip(prepared.flat, *piece)) for piece in pieces)
    return Found(
        start=prepared.origin(span[0]),
        end=prepared.origin(span[1]),
        captures={name: prepared.original[start:end] for name, (start, end) in spans.items()},
        capture_spans=spans,
        pieces=tuple(piece for piece in shown if piece[1] > piece[0]),
        quality=quality,
        matched=matched,
    )


def _line_start(prepared: Prepared, offset: int) -> int:
    at = bisect_right(prepared.breaks, offset - 1)
    return prepared.breaks[at - 1] + 1 if at and offset else 0


def _line_end(prepared: Prepared, offset: int) -> int:
    at = bisect_right(prepared.breaks, offset - 1)
    return prepared.breaks[at] if at < len(prepared.breaks) else len(prepared.flat)
