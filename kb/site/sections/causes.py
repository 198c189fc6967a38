"""Why it happens and how to end it: one block for each cause; for a secondary entry, where the root is."""

from __future__ import annotations

import difflib

from kb.catalog.entry import Cause, Change, Entry, Fix, SetValue, Tell
from kb.render.markup import (
    blocks,
    bullets,
    code,
    fence,
    heading,
    inline,
    prose,
    section,
    table,
    tabs,
)
from kb.site.sections.looks import badge, badges, command, look, stacked, titled, versions
from kb.site.surroundings import Surroundings

FORMS = {
    "cli": ("Command line", "shell"),
    "python": ("Python", "python"),
    "yaml": ("YAML", "yaml"),
    "kubernetes": ("Kubernetes", "yaml"),
    "env": ("Environment", "shell"),
    "http": ("HTTP", "shell"),
    "vllm": ("vLLM", "shell"),
    "sglang": ("SGLang", "shell"),
    "trainer": ("Trainer", "python"),
    "lightning": ("Lightning", "python"),
    "deepspeed": ("DeepSpeed", "json"),
    "megatron": ("Megatron-LM", "shell"),
}
"""Form of a fix -> its name on the tab and the language of its block."""


def causes(entry: Entry) -> str:
    """All causes, likeliest first as the author ordered them."""
    title = "Causes and fixes" if len(entry.causes) > 1 else "Cause and fix"
    return section(2, title, "causes", overview(entry), *(cause(each) for each in entry.causes))


def overview(entry: Entry) -> str:
    """Where there are several: a table to choose from."""
    if len(entry.causes) < 2:
        return ""
    rows = [
        [f"[{inline(c.title)}](#cause-{c.id})", c.kind, c.likelihood, inline(c.fix.summary)]
        for c in entry.causes
    ]
    return stacked(table(["Cause", "Kind", "How often", "Fix in short"], rows))


def cause(value: Cause) -> str:
    """One cause: why, how to be sure, the fix, and what not to do."""
    return blocks(
        heading(3, value.title, f"cause-{value.id}"),
        badges(
            [badge("kind", value.kind, value.kind), badge("how often", value.likelihood, value.likelihood)]
        ),
        f"Only in {versions(value.versions)}." if value.versions else "",
        prose(value.explanation),
        section(4, "What tells it apart", f"cause-{value.id}-tells", tells(value.tells)),
        section(4, "Be sure", f"cause-{value.id}-confirm", look(value.confirm)),
        fix(f"cause-{value.id}", value.fix),
        section(4, "More on this cause", f"cause-{value.id}-references", references(value.references)),
    )


def tells(values: list[Tell]) -> str:
    """What in the paste speaks for or against this cause."""
    rows = [[what(each), each.says, each.strength, inline(each.note)] for each in values]
    return stacked(table(["In the log", "Speaks", "Strength", "Because"], rows))


def references(urls: list[str]) -> str:
    """Where the cause was seen or is discussed."""
    return "\n".join(f"- {titled(url)}" for url in urls)


def what(value: Tell) -> str:
    """The thing a tell looks for, in words."""
    if value.when is not None:
        return f"the numbers: {code(value.when)}"
    found = code(value.template or "")
    return f"{found} is missing on {value.absent_on} ranks" if value.absent_on else found


def fix(anchor: str, value: Fix) -> str:
    """The fix in all its forms, how to verify it, and what not to try."""
    return blocks(
        section(
            4,
            "Fix",
            f"{anchor}-fix",
            prose(value.summary),
            set_value(value.set) if value.set else "",
            numbered(value.steps),
            tabs(
                (FORMS[form][0], fence(text, FORMS[form][1], classes="fb-command"))
                for form, text in value.forms.items()
            ),
            *(command(each) for each in value.commands if each not in value.forms.values()),
            change(value.example) if value.example else "",
        ),
        section(4, "Verify", f"{anchor}-verify", look(value.verify)),
        section(4, "Go on from here", f"{anchor}-resume", prose(value.resume) if value.resume else ""),
        section(4, "Do not", f"{anchor}-avoid", bullets(f"{each.what}: {each.why}" for each in value.avoid)),
        section(4, "Risk", f"{anchor}-risk", prose(value.risk) if value.risk else ""),
    )


def set_value(value: SetValue) -> str:
    """Which parameter to set, to what, and what to do when no allowed value is large enough.

    Where any number is allowed, the computed one may be the most or the least: the fix's own words say which.
    """
    smallest = "the smallest allowed value at or above " if value.allowed else ""
    rows = [[versions(each.versions), ", ".join(map(str, each.values))] for each in value.allowed]
    return blocks(
        f"Set {code(value.parameter)} to {smallest}{code(value.at_least)}.",
        table(["In", "Allowed"], rows),
        f"Where none is large enough: {inline(value.above_largest)}" if value.above_largest else "",
    )


def numbered(steps: list[str]) -> str:
    """Steps in order."""
    return "\n".join(f"{number}. {inline(step)}" for number, step in enumerate(steps, 1))


def change(value: Change) -> str:
    """Before and after as one diff."""
    lines = difflib.ndiff(value.before.splitlines(), value.after.splitlines())
    shown = (each[0] + each[2:] for each in lines if not each.startswith("?"))
    return fence("\n".join(shown), "diff")


def root(entry: Entry, around: Surroundings) -> str:
    """For a secondary entry: it is a consequence; where the first error is and what it may be."""
    if not entry.find_root:
        return ""
    usual = bullets_of_links(entry.leads_from, around)
    return section(
        2,
        "Find the error before it",
        "find-the-root",
        prose(entry.find_root.look),
        command(entry.find_root.run),
        f"**It usually follows on**\n\n{usual}" if usual else "",
    )


def bullets_of_links(ids: list[str], around: Surroundings) -> str:
    """Links to entries, one a line."""
    return "\n".join(f"- {around.link(each)}" for each in ids)
