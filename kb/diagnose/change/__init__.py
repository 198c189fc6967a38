"""The fix as a change to what the person runs: their own command, manifest, call or file.

    vllm serve org/model --max-lora-rank 16   ->   vllm serve org/model --max-lora-rank 64

All else is kept as it stands, so the paste's text comes back as something to copy. A paste is hostile text:
what holds a character that cannot be seen, or what would make a shell or Python do more than it seems to, is
not changed at all, and the general form of the fix stands instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from kb.diagnose.change.calls import call_edits
from kb.diagnose.change.commands import command_edits
from kb.diagnose.change.edit import LONGEST, Edit, Setting
from kb.diagnose.change.items import item_edits
from kb.diagnose.change.keys import key_edits
from kb.diagnose.clean.text import Line
from kb.diagnose.diagnosis import Change
from kb.diagnose.words import WordMap

__all__ = ["Setting", "find_change"]

KINDS = (command_edits, item_edits, call_edits, key_edits)


def find_change(lines: Sequence[Line], words: WordMap, setting: Setting) -> Change | None:
    """The first place that sets the parameter, else the first that takes it, with the new value.

    `words` are those of the lines.
    """
    best: Edit | None = None
    for edit in (edit for kind in KINDS for edit in kind(lines, words, setting)):
        if is_safe(edit) and (best is None or not edit.added):
            best = edit
            if not edit.added:
                break
    if best is None:
        return None
    return Change(best.form, lines[best.at].number, best.before, best.after)


def is_safe(edit: Edit) -> bool:
    """Whether everything in it can be seen, and something changes."""
    seen = all(line.replace("\t", " ").isprintable() for line in edit.before.split("\n"))
    return seen and len(edit.before) <= LONGEST and edit.before != edit.after
