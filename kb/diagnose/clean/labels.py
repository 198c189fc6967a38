"""Labels that only many lines together prove: `node1: `, `12: `, `[80746] `, and prefixes that no row knows.

Alone, "c10d: " or "3: " could be the start of a message. Where most lines of a paste bear the same shape and
the text behind it starts like a traceback or a log line, it is a label.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from kb.diagnose.clean.origin import Said, part
from kb.diagnose.clean.prefixes import has_prefix, rank_in_name, strip_prefixes
from kb.diagnose.clean.signs import is_exception, is_sign
from kb.diagnose.clean.sources import cut_prefixes, strip_sources
from kb.diagnose.clean.text import Line, Process

MOST = 0.5  # of the lines with text must bear a label of one of the shapes below
NEARLY_ALL = 0.9  # of them must bear the very same prefix when no shape is known
FEWEST = 2
LONGEST_PREFIX = 64
LONGEST_HEADS = 200  # characters in which all beginnings end that could be a prefix
FEW = 5
MOST_WORDS = 3
PROBES = 8  # lines that tell cheaply whether a look at more is worth it
MOST_HEADS = 8
_GOLDEN = 40_503  # the golden section of 65,536: multiples of it spread evenly over what is left
SAMPLE = 100  # lines that stand for all of a long paste
MOST_STACKED = 3
MOST_WRITERS = 128


@dataclass(frozen=True, slots=True)
class Label:
    """One shape of label; its groups are fields of `Process`."""

    name: str
    pattern: re.Pattern[str]
    example: str


LABELS = (
    Label("srun --label", re.compile(r" {0,4}(?P<rank>\d{1,5}): ?"), "12: "),
    # pdsh, clush and DeepSpeed's launcher
    Label(
        "host",
        re.compile(r"(?P<host>[A-Za-z][\w.-]{0,60}\d[\w.-]{0,60}|\d{1,3}(?:\.\d{1,3}){3}): ?"),
        "node1: ",
    ),
    # grep over the files of ranks
    Label(
        "file of a rank",
        re.compile(
            r"[\w./-]{0,120}?(?i:rank)[-_]?(?P<rank>\d{1,6})[\w/.-]{0,60}\.(?:log|err|out|txt)[:-]"
            r"(?:\d{1,9}[:-])?"
        ),
        "logs/rank_3.err:88:",
    ),
    # numbers that a viewer or a launcher put in front; of what, nobody knows
    Label("number", re.compile(r"\[\d{1,9}\] ?"), "[80746] "),
    # docker compose with a name of its own for the container
    Label("compose", re.compile(r"(?P<host>[A-Za-z][\w.-]{0,60}) {1,40}\| ?"), "llm-server  | "),
    # stern writes pod and container with blanks; a pod's name ends in what a controller made up.
    Label(
        "stern",
        re.compile(
            r"(?P<host>[a-z0-9]+(?:-[a-z0-9]+){0,8}-(?:[a-z0-9]{5}|\d{1,4})) (?P<role>[a-z][a-z0-9-]{0,60}) "
        ),
        "llm-7f5d4c9b8-x2x4z api ",
    ),
    # kubetail writes pod and container.
    Label(
        "kubetail",
        re.compile(r"\[(?P<host>[a-z][\w.-]{0,60})(?: (?P<role>[a-z][\w.-]{0,60}))?\] ?"),
        "[llm-7f5d4 api] ",
    ),
)


# grep -n over files whose names say nothing of ranks. Tried last: where tracebacks stand behind it, `sources`
# tells the files apart.
GREP = Label("grep", re.compile(r"[\w./-]{1,160}\.(?:log|txt|err|out)[:-]\d{1,9}[:-]"), "logs/run.log:88:")


def strip_unknown(lines: Sequence[Line]) -> list[Line]:
    """Lines without labels and unknown prefixes, and without the known prefixes behind those."""
    for _ in range(MOST_STACKED):
        texts = [line.text for line in lines if line.text and not line.text.isspace()]
        if not texts:
            break
        stripped = (
            strip_labels(lines, texts)
            or strip_common_prefix(lines, texts)
            or strip_sources(lines, texts)
            or strip_labels(lines, texts, (GREP,))
            or strip_labels_inside(lines)
        )
        if stripped is None:
            break
        lines = strip_prefixes(stripped)
    return list(lines)


# Any of these: a paste that bears none is told by one pattern.
ANY = re.compile("|".join(re.sub(r"\(\?P<\w+>", "(?:", each.pattern.pattern) for each in (*LABELS, GREP)))


def strip_labels(
    lines: Sequence[Line], texts: list[str], labels: tuple[Label, ...] = LABELS
) -> list[Line] | None:
    """Lines without a label that most of them bear, or None. `texts` are those that are not blank."""
    probes = _sample(texts, PROBES)
    if not _likely(ANY, probes):
        return None
    for label in labels:
        if _likely(label.pattern, probes) and _borne(label, texts):
            return [_without(line, label) for line in lines]
    return None


def _likely(label: re.Pattern[str], probes: list[str]) -> bool:
    """Whether at least half of some texts bear a label. Nearly all labels are out after half of them."""
    missing = 0
    for text in probes:
        if label.match(text) is None:
            missing += 1
            if missing * 2 > len(probes):
                return False
    return True


def strip_labels_inside(lines: Sequence[Line]) -> list[Line] | None:
    """Lines without labels that most lines of one writer bear, or None: pdsh inside one pod of many."""
    # Who tells of no failure keeps its labels: looking costs more than they are worth.
    writers: dict[Process, list[int]] = {
        line.process: [] for line in lines if "Error" in line.text or "Traceback" in line.text
    }
    alone = len(writers) == 1 and all(line.process in writers for line in lines)
    if not writers or alone or len(writers) > MOST_WRITERS:
        return None
    for at, line in enumerate(lines):
        if line.process in writers and line.text and not line.text.isspace():
            writers[line.process].append(at)
    stripped = list(lines)
    for ats in writers.values():
        own = [lines[at] for at in ats]
        if len(own) < FEW:
            continue
        bare = strip_labels(own, [line.text for line in own]) or strip_runs(own)
        for at, line in zip(ats, bare, strict=True):
            stripped[at] = line
    return stripped if any(new is not old for new, old in zip(stripped, lines, strict=True)) else None


def strip_runs(lines: Sequence[Line]) -> list[Line]:
    """Lines without the host that stands before several of them in a row: from some line on, pdsh writes."""
    host = next(label for label in LABELS if label.name == "host")
    words = [_first_word(line.text) for line in lines]
    if not any(words):
        return list(lines)
    stripped: list[Line] = []
    for word, run in groupby(zip(words, lines, strict=True), lambda pair: pair[0]):
        stretch = [line for _, line in run]
        told = word and len(stretch) >= FEW and _borne(host, [line.text for line in stretch])
        stripped += [_without(line, host) for line in stretch] if told else stretch
    return stripped


def _first_word(text: str) -> str:
    """What stands before the first colon when it is one word, else nothing: found without a pattern."""
    word = text[: text.find(":", 0, LONGEST_PREFIX) + 1]
    return "" if " " in word else word


def strip_common_prefix(lines: Sequence[Line], texts: list[str]) -> list[Line] | None:
    """Lines without an unknown prefix that nearly all of them share but for its numbers, or None."""
    if len(texts) < FEWEST:
        return None
    probes = _sample(texts, PROBES)
    shared = _shared({**_heads(probes[0]), **_heads(probes[-1])}, probes, len(probes) * MOST)
    if not shared:
        return None
    sample = _sample(texts, SAMPLE)
    fewest = max(FEWEST, len(sample) * NEARLY_ALL)
    shared = _shared(shared, sample, fewest)
    if not shared:
        return None
    borne = Counter(key for text in sample for key in _heads(text))
    told = sample + _sample([text for text in texts if "Error" in text or "Traceback" in text], SAMPLE)
    telling = [(text, _heads(text)) for text in told]
    for key in sorted(shared, key=len):
        if borne[key] < fewest or is_exception(key):
            continue
        if _hides(telling, key, few=len(texts) < FEW) or (
            borne[key] == len(sample) and _is_margin(sample, key)
        ):
            return cut_prefixes(lines, [_heads(line.text).get(key, 0) for line in lines])
    return None


def _shared(keys: Iterable[str], texts: list[str], fewest: float) -> list[str]:
    """The beginnings, with their numbers made equal, that so many texts have."""
    folded = [_NUMBER.sub("0", text[:LONGEST_HEADS]) + " " for text in texts]
    return [key for key in keys if sum(text.startswith(key) for text in folded) >= fewest]


def _sample(texts: list[str], most: int) -> list[str]:
    """Lines spread over all: enough to tell what most of them are like.

    Not at equal distances: of lines that take turns, those would all be of one kind.
    """
    count = len(texts)
    if count <= most:
        return texts
    return [texts[at] for at in sorted(count * (step * _GOLDEN % 65_536) // 65_536 for step in range(most))]


def _borne(label: Label, texts: list[str]) -> bool:
    """Whether most lines bear a label, and it hides the start of a traceback or log line."""
    behind = [text[match.end() :] for text in texts if (match := label.pattern.match(text)) is not None]
    if len(behind) < len(texts) * MOST:
        return False
    return any(map(is_sign, behind)) or any(map(_starts, _sample(behind, SAMPLE)))


def _starts(text: str) -> bool:
    """Whether a text starts like a traceback or log line, behind one more label at most."""
    behind = (text[match.end() :] for label in LABELS if (match := label.pattern.match(text)) is not None)
    return any(is_sign(rest) or has_prefix(rest) for rest in (text, *behind))


def _without(line: Line, label: Label) -> Line:
    match = label.pattern.match(line.text)
    if match is None:
        return line
    found = match.groupdict()
    old = line.process
    host = found.get("host")
    rank = rank_in_name(host) if host else None
    process = Process(
        old.host if rank else host or old.host,
        rank or found.get("rank") or old.rank,
        old.local_rank,
        old.role or found.get("role"),
        old.pid,
    )
    said: Said = {"process": process}
    return part(line, match.end(), said=said)


_NUMBER = re.compile(r"\d+")
_HEAD = re.compile(r" {0,40}(?:[^ ]{1,64} |[^ |>\]]{0,40}[|>\]])")


def _heads(text: str) -> dict[str, int]:
    """Beginnings of a line that could be a prefix: with their numbers made equal, and where each ends."""
    heads: dict[str, int] = {}
    key = ""
    at = 0
    while len(heads) < MOST_HEADS and at < LONGEST_PREFIX and (match := _HEAD.match(text, at)) is not None:
        at = match.end()
        key += _NUMBER.sub("0", match[0])
        heads[key] = at
    # A line that is nothing but the prefix has often lost the prefix's last blank.
    if len(text) < LONGEST_PREFIX and at < len(text):
        heads[key + _NUMBER.sub("0", text[at:]) + " "] = len(text)
    return heads


def _hides(texts: list[tuple[str, dict[str, int]]], key: str, *, few: bool) -> bool:
    """Whether the prefix hides the start of a traceback or log line in texts, each with its beginnings.

    A few lines may share words by chance ("Worker failed with error: ValueError: ..."), so there a prefix is
    short and ends in a mark, or hides another prefix.
    """
    worded = few and (key.count(" ") > MOST_WORDS or key.rstrip()[-1:].isalnum())
    starts = has_prefix if worded else _starts
    ends = ((text, heads.get(key)) for text, heads in texts)
    return any(end is not None and starts(text[end:]) and not _starts(text) for text, end in ends)


def _is_margin(texts: list[str], key: str) -> bool:
    """Whether the text behind a prefix that all lines bear is indented here and not there, as code is."""
    rests = [text[end:] for text in texts if (end := _heads(text).get(key)) is not None]
    indented = sum(rest.startswith(("  ", "\t")) for rest in rests)
    flush = sum(bool(rest) and not rest[0].isspace() for rest in rests)
    return len(rests) >= FEW and indented > 0 and flush > 0 and not any(map(is_sign, texts))
