"""Entries compile to exactly what the matcher reads."""

import json
import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from kb.catalog.build import write_catalog
from kb.catalog.compiler import compile_catalog, package
from kb.catalog.entry import Check, Entry
from kb.catalog.index_form import index_text
from kb.catalog.loader import load_catalog
from kb.diagnose import index as form
from kb.diagnose.index import Index, load_index

GOOD = Path(__file__).parent / "good" / "entries"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(GOOD, tmp_path / "entries")
    return tmp_path / "entries"


@pytest.fixture
def index() -> Index:
    return Index.from_json(index_text(compile_catalog(load_catalog(GOOD)).index))


def names(part: type[Any]) -> set[str]:
    return {field.name for field in fields(part) if field.init}


def test_the_index_has_the_fields_of_the_matcher_and_no_more() -> None:
    compiled = compile_catalog(load_catalog(GOOD)).index
    assert set(compiled) == {
        "schema", "ids", "facts", "anchors", "words", "checks", "entries", "digest",
    }  # fmt: skip
    for entry in compiled["entries"]:
        assert set(entry) == names(form.Entry)
        for part, parts in (
            (form.Signature, entry["signatures"]),
            (form.Tell, entry["supports"]),
            (form.Cause, entry["causes"]),
            (form.Tell, [tell for cause in entry["causes"] for tell in cause["tells"]]),
        ):
            assert all(set(each) <= names(part) for each in parts)
    for check in compiled["checks"]:
        assert set(check) == names(form.Check)
        assert all(set(outcome) == names(form.Outcome) for outcome in check["outcomes"])


def test_the_matcher_reads_every_entry_and_check(index: Index) -> None:
    entries = [index.entry(number) for number in range(len(index))]
    assert [entry.id for entry in entries] == [
        "engine-slots-full",
        "engine-slots-pinned",
        "engine-worker-lost",
    ]
    assert [check.id for check in index.checks] == ["who-holds-the-slots"]
    full = entries[0]
    assert full.affected == ({"package": "toyengine", "versions": ">=1.2", "fixed_in": "2.0"},)
    assert full.leads_to == ("engine-worker-lost",)
    assert full.derive == {"least": "slots + wanted"}
    assert full.path == "errors/engine-slots-full/"
    assert entries[2].find_root == {
        "look": "The log of the worker.",
        "run": "grep -n Error worker-@worker@.log",
    }


def test_weights_carry_strength_and_side(index: Index) -> None:
    full = index.find("engine-slots-full")
    assert full is not None
    assert [tell.weight for tell in full.supports] == [1.5, -2.5]
    assert [tell.weight for tell in full.causes[0].tells] == [1.5, 0.7, 1.5]


def test_likelihoods_become_shares_of_one(root: Path) -> None:
    path = root / "engine-slots-pinned" / "entry.yaml"
    text = path.read_text(encoding="utf-8")
    cause = text[text.index("  - id: all-pinned") : text.index("siblings:")]
    second = cause.replace("all-pinned", "one-pinned").replace("common", "rare")
    path.write_text(text.replace("siblings:", second + "siblings:"), encoding="utf-8")
    index = Index.from_json(index_text(compile_catalog(load_catalog(root)).index))
    pinned = index.find("engine-slots-pinned")
    assert pinned is not None
    assert [cause.prior for cause in pinned.causes] == pytest.approx([6 / 7, 1 / 7])


def test_aliases_become_signatures_that_say_so(index: Index) -> None:
    full = index.find("engine-slots-full")
    assert full is not None
    assert [(s.template, s.alias) for s in full.signatures][-1] == ("toyengine adapter slots exhausted", True)
    assert not any(signature.alias for signature in full.signatures[:-1])


def test_every_signature_but_a_fact_is_reached_by_a_word_of_its_own(index: Index) -> None:
    found = [anchored for word in index.anchors for anchored in index.anchored(word).values()]
    reached = {signature.place for signatures in found for signature in signatures}
    for number in range(len(index)):
        for position, signature in enumerate(index.entry(number).signatures):
            assert ((number, position) in reached) == (signature.on != "fact")


def test_equal_entries_give_an_equal_digest_and_a_changed_one_another(root: Path) -> None:
    def digest() -> str:
        return str(compile_catalog(load_catalog(root)).index["digest"])

    before = digest()
    assert before == digest()
    path = root / "engine-slots-full" / "entry.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("Start it with more", "Give it more"), encoding="utf-8"
    )
    assert digest() != before


def test_a_withdrawn_entry_keeps_its_page_and_is_never_an_answer(root: Path) -> None:
    path = root / "engine-worker-lost" / "entry.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("status: draft", "status: withdrawn"), encoding="utf-8"
    )
    compiled = compile_catalog(load_catalog(root))
    assert "engine-worker-lost" in compiled.entries
    assert "engine-worker-lost" not in {entry["id"] for entry in compiled.index["entries"]}


def test_an_entry_that_cannot_be_compiled_is_left_out_and_told(root: Path) -> None:
    path = root / "engine-worker-lost" / "entry.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("{worker:int}", "{worker:int"), encoding="utf-8")
    compiled = compile_catalog(load_catalog(root))
    assert [problem.code for problem in compiled.problems] == ["KB401"]
    assert set(compiled.entries) == {"engine-slots-full", "engine-slots-pinned"}
    assert {file.entry.id for file in compiled.catalog.entries} == set(compiled.entries)


def test_allowed_values_are_sorted_by_version_whatever_the_order_in_the_entry(root: Path) -> None:
    path = root / "engine-slots-full" / "entry.yaml"
    row = '          - {versions: {toyengine: ">=1.2"}, values: [4, 8, 16]}\n'
    rows = (
        '          - {versions: {toyengine: ">=1.10"}, values: [4, 8, 16, 32]}\n'
        '          - {versions: {toyengine: "<1.2"}, values: [4]}\n'
        '          - {versions: {toyengine: ">=1.2,<1.10"}, values: [4, 8]}\n'
    )
    text = path.read_text(encoding="utf-8")
    assert row in text
    path.write_text(text.replace(row, rows), encoding="utf-8")
    entry = compile_catalog(load_catalog(root)).index["entries"][0]
    allowed = entry["causes"][0]["fix"]["set"]["allowed"]
    assert [row["values"] for row in allowed] == [[4], [4, 8], [4, 8, 16, 32]]


def test_entry_json_is_the_whole_entry_with_the_checks_it_uses() -> None:
    catalog = load_catalog(GOOD)
    compiled = compile_catalog(catalog)
    for entry_id, document in compiled.entries.items():
        own = {key: value for key, value in document.items() if key not in ("path", "checks")}
        assert Entry.model_validate(own) == catalog.by_id[entry_id].entry
        assert [Check.model_validate(check).id for check in document["checks"]] == (
            [] if entry_id == "engine-worker-lost" else ["who-holds-the-slots"]
        )


@pytest.mark.parametrize(
    ("purl", "name"),
    [
        ("pkg:pypi/vllm", "vllm"),
        ("pkg:pypi/vllm@0.11.0", "vllm"),
        ("pkg:github/NVIDIA/nccl?ref=x", "nccl"),
        ("pkg:deb/debian/linux#sub/path", "linux"),
    ],
)
def test_a_package_url_names_a_package(purl: str, name: str) -> None:
    assert package(purl) == name


def test_a_build_is_written_whole_and_an_unchanged_file_stays(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "build"
    write_catalog(load_catalog(root), out)
    assert len(load_index(out / "index.json")) == 3
    assert {path.name for path in out.rglob("*") if path.is_file()} == {
        "index.json",
        "engine-slots-full.json",
        "engine-slots-pinned.json",
        "engine-worker-lost.json",
        "who-holds-the-slots.json",
    }
    inode = (out / "index.json").stat().st_ino
    write_catalog(load_catalog(root), out)
    assert (out / "index.json").stat().st_ino == inode


def test_what_is_gone_from_the_entries_is_gone_from_the_build(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "build"
    write_catalog(load_catalog(root), out)
    shutil.rmtree(root / "engine-worker-lost")
    write_catalog(load_catalog(root), out)
    assert not (out / "entries" / "engine-worker-lost.json").exists()
    assert (
        json.loads((out / "index.json").read_text(encoding="utf-8"))["entries"][-1]["id"]
        == "engine-slots-pinned"
    )
