"""An entry in the terminal: everything that it holds."""

import re
from pathlib import Path

import pytest

from kb.catalog.entry import Check, Entry
from kb.catalog.loader import Catalog, load_catalog
from kb.diagnose.clean.text import Process
from kb.render.entry_text import entry_text
from kb.render.plain import one_line, printable
from kb.render.words import percent, process_name, spans

ROOT = Path(__file__).parent.parent.parent
ROOTS = (ROOT / "entries", ROOT / "tests" / "catalog" / "good" / "entries")

# What is not shown: test files, forms of words that stand elsewhere, and what only machines read.
SILENT = {
    ("schema_version",), ("published",), ("examples",), ("former_ids",), ("role",), ("detect",), ("values",),
}  # fmt: skip


@pytest.fixture(scope="module", params=ROOTS, ids=("real", "made-up"))
def catalog(request: pytest.FixtureRequest) -> Catalog:
    catalog = load_catalog(request.param)
    assert catalog.entries
    return catalog


def flat(text: str) -> str:
    return " ".join(text.split())


def test_every_text_that_a_person_needs_is_shown(catalog: Catalog) -> None:
    checks = [file.check for file in catalog.checks]
    for file in catalog.entries:
        entry: Entry = file.entry
        shown = flat(entry_text(entry, checks, width=10_000))
        wanted = [
            entry.title,
            entry.summary,
            *entry.symptoms,
            *entry.situations,
            *entry.warnings,
            *entry.preserve,
        ]
        wanted += [signature.condition for signature in entry.signatures]
        for cause in entry.causes:
            fix = cause.fix
            wanted += [
                cause.title,
                cause.explanation,
                cause.confirm.see,
                fix.summary,
                *fix.steps,
                *fix.commands,
            ]
            wanted += [
                *fix.forms.values(),
                fix.verify.see,
                *(avoid.why for avoid in fix.avoid),
                fix.risk or "",
            ]
            wanted += [tell.note for tell in cause.tells]
        wanted += [step.see for step in entry.checklist] + [d.means for d in entry.diagnostics]
        wanted += [sibling.why for sibling in entry.siblings] + [r.url for r in entry.references]
        wanted += [question.answer for question in entry.faq] + [entry.escalation or ""]
        assert [text for text in wanted if unmarked(text) not in unmarked(shown)] == []


def unmarked(text: str) -> str:
    """Text without what wrapping and list marks change."""
    return re.sub(r"[\s-]+", "", text)


def test_no_title_stands_over_nothing(catalog: Catalog) -> None:
    for file in catalog.entries:
        bare = Entry.model_validate(
            {
                **file.entry.model_dump(),
                "symptoms": [],
                "faq": [],
                "siblings": [],
                "references": [],
                "flags": [],
                "tables": [],
            }
        )
        shown = entry_text(bare, [])
        for title in ("Symptoms", "Looks like it", "References", "Settings"):
            assert f"\n{title}\n" not in shown


def test_the_checks_that_separate_are_explained(catalog: Catalog) -> None:
    check = catalog.checks[0].check
    shown = flat(
        entry_text(catalog.entries[0].entry, [Check.model_validate(check.model_dump())], width=10_000)
    )
    assert flat(check.question) in shown
    assert all(flat(outcome.see) in shown for outcome in check.outcomes)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\x1b]8;;http://x\x07b", "ab"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("tab\there", "tab here"),
        ("fi\u202egnp", "fignp"),
        ("é 日本 🙂", "é 日本 🙂"),
    ],
)
def test_text_from_outside_is_made_safe(text: str, clean: str) -> None:
    assert printable(text) == clean


def test_one_line_keeps_both_ends() -> None:
    shown = one_line("a" * 300 + "\n" + "z" * 300, 100)
    assert len(shown) <= 100
    assert shown.startswith("aaa")
    assert shown.endswith("zzz")


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (["0", "1", "4", "8", "9", "10"], "0, 1, 4, 8 to 10"),
        (["3"], "3"),
        (["10", "9", "8"], "8 to 10"),
        (["node-a", "1"], "1, node-a"),
        ([], ""),
    ],
)
def test_neighbouring_ranks_are_joined(numbers: list[str], said: str) -> None:
    assert spans(numbers) == said


def test_a_probability_is_never_a_certainty() -> None:
    assert [percent(value) for value in (0.0, 0.004, 0.5, 0.999, 1.0)] == [
        "1 %",
        "1 %",
        "50 %",
        "99 %",
        "99 %",
    ]


def test_a_process_is_named_by_what_is_known_of_it() -> None:
    assert process_name(Process(host="node2", rank="3", role="EngineCore_DP0", pid="4711")) == (
        "rank 3 on node2, EngineCore_DP0, pid 4711"
    )
    assert process_name(Process(local_rank="1")) == "local rank 1"
    assert process_name(Process()) == ""
