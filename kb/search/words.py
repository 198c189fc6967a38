"""Text into the words that are indexed and looked up, the same for both sides.

Identifiers are found whole and by their parts, whatever their punctuation: `--max-lora-rank`, `max_lora_rank`
and `max_lora_rank=16` share the word `max_lora_rank`; `c10::DistBackendError` gives `c10_distbackenderror`,
`distbackenderror`, `c10`, `dist`, `backend` and `error`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

LONGEST = 64  # longer words are hashes, paths and base64; nobody types them

# What stands between two chunks: white space, quotes, brackets and list punctuation.
CHUNK = re.compile(r"""[^\s"'`´“”‘’«»‹›<>(){}\[\],;|]+""")
COMPONENT = re.compile(r"[^\W_]+(?:[-_]+[^\W_]+)*")  # max-lora-rank, adapter_config, DistBackendError
PART = re.compile(r"[^\W_]+")
HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")  # OOM|Killed, Dist|Backend|Error, cuda|12

ENDING = re.compile(r"(?:ations?|ings?|ments?|ness|ally|ly|ied|ies|ed|es|e|s|y)$")
DOUBLED = re.compile(r"([bdfgmnprt])\1$")

# Words that no entry is about. `not`, `no` and `from` stay: messages are told apart by them.
STOP_WORDS = """
a an and any are as at be been being but by can could did do does for get gets getting got had has have help
how i if in into is it its just me my of on or our please should so some that the their them then there these
they this those to us was we were what when where which while why will with would you your
"""
STOP = frozenset(STOP_WORDS.split())


def words(text: str) -> Iterator[str]:
    """The words of a text in order, each followed by its parts; repeated as often as they occur."""
    for chunk in CHUNK.findall(unicodedata.normalize("NFKC", text)):
        for word in chunk_words(chunk):
            if word not in STOP:
                yield word


def root(word: str) -> str:
    """A word without its English ending, the beginning of its other forms: `hanging`, `hangs` -> `hang`."""
    return DOUBLED.sub(r"\1", ENDING.sub("", word)) if word.isalpha() and word.isascii() else word


def chunk_words(chunk: str) -> Iterator[str]:
    """The words of one chunk: whole, its components, their parts and the humps of camel case, each once."""
    components = [PART.findall(component) for component in COMPONENT.findall(chunk)]
    parts = [part for component in components for part in component]
    forms = ["_".join(parts), *("_".join(component) for component in components)]
    alone = len(parts) == 1
    for part in parts:
        if alone or len(part) > 1 or part.isdigit():
            forms.append(part)
        # LoRA and vLLM are one word each: humps of one or two letters are no words.
        humps = HUMP.findall(part) if part.isascii() else []
        if humps != [part]:
            forms.extend(hump for hump in humps if len(hump) > 2)
    yield from dict.fromkeys(form.casefold() for form in forms if 0 < len(form) <= LONGEST)
