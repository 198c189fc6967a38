"""How much literal text identifies, in nats: what a word tells about the message it stands in.

The scale is the natural logarithm of odds, roughly: a word of weight 2 stands in one of e^2 (about seven)
messages of this field, `max_lora_rank` (7 and more) in one of more than a thousand. It is a table of common
words and a rule for the others, not a count over a corpus: short texts pass the same judgement everywhere.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import fsum

from kb.diagnose.template.common_words import COMMON

SPECIFICITY_FLOOR = 3.5
"""Literal text below this is too common to identify anything by itself.

`{_} not found in {_}` has 1.1, `No module named {x}` 1.6, `Socket Timeout` 2.4; `LoRA is not enabled.` has
3.6, `CUDA out of memory. Tried to allocate {w:size}` 8.6,
`LoRA rank {r:int} is greater than max_lora_rank {m:int}` 12.8.
"""

_WORDS = re.compile(r"[A-Za-z0-9_]+")
# The parts of an identifier: max_lora_rank, ncclUniqueId, DistBackendError, HTTPError, bf16.
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LARGEST = 10.0
_JOINED = 2.0  # what it adds that the parts of an identifier stand together


@lru_cache(maxsize=8192)
def weigh(literal: str) -> tuple[tuple[int, int, float], ...]:
    """The words of normalised literal text: start, end and nats of each; none when it comes again."""
    seen: set[str] = set()
    words = []
    for match in _WORDS.finditer(literal):
        word = match.group()
        words.append((match.start(), match.end(), 0.0 if word in seen else weight(word)))
        seen.add(word)
    return tuple(words)


def weight(word: str) -> float:
    """What one word says, in nats."""
    known = COMMON.get(word.lower())
    if known is not None:
        return known
    parts = _PARTS.findall(word)
    if len(parts) < 2:
        return _single(word)
    return min(_JOINED + fsum(COMMON.get(part.lower(), _single(part)) for part in parts), _LARGEST)


def _single(part: str) -> float:
    """What a part says that is in no table: the longer, the more; digits little, for they vary."""
    if part.isdigit():
        return min(0.3 * len(part), 1.5)
    return min(1.0 + 0.35 * len(part), 4.5)
