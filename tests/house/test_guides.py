"""Each guide is followed from top to bottom: its files are saved, its commands run, their output is real."""

import json
import shlex
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.cli.inputs import COMPILED_FROM, compiled_from
from tests.house.documentation import (
    GUIDES,
    ROOT,
    Command,
    NamedFile,
    compare,
    guides,
    run,
    steps_of,
)

ALLOWED = {"awk", "cut", "grep", "kb", "python", "sed", "sort", "tail", "uniq"}
"""What a guide may run: programs that read, and ours."""


@pytest.fixture
def folder(tmp_path: Path, build_dir: Path) -> Path:
    """Where a reader stands: the files that come with the guides, entries of their own, an adapter."""
    shutil.copytree(GUIDES / "files", tmp_path, dirs_exist_ok=True)
    shutil.copytree(ROOT / "entries", tmp_path / "entries")
    shutil.copytree(build_dir, tmp_path / "build")
    listing = compiled_from(tmp_path / "entries")
    (tmp_path / "build" / COMPILED_FROM).write_text(listing, encoding="utf-8")
    write_adapter(tmp_path / "support-bot", rank=64)
    return tmp_path


def write_adapter(folder: Path, rank: int) -> None:
    """An adapter as PEFT saves one, of a model with two columns, so that the file stays small."""
    folder.mkdir()
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": "example/base-8b",
        "r": rank,
        "lora_alpha": 2 * rank,
        "target_modules": ["q_proj", "v_proj"],
        "modules_to_save": ["lm_head"],
        "bias": "none",
        "use_dora": False,
    }
    (folder / "adapter_config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
    tensors: dict[str, object] = {}
    at = 0
    for module in ("q_proj", "v_proj"):
        for half, shape in (("lora_A", [rank, 2]), ("lora_B", [2, rank])):
            name = f"base_model.model.model.layers.0.self_attn.{module}.{half}.weight"
            tensors[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [at, at + 4 * rank]}
            at += 4 * rank
    header = json.dumps(tensors).encode()
    data = struct.pack("<Q", len(header)) + header + bytes(at)
    (folder / "adapter_model.safetensors").write_bytes(data)


@pytest.mark.parametrize("page", guides(), ids=lambda page: page.stem)
def test_a_guide_can_be_followed(page: Path, folder: Path, update: bool) -> None:
    settings = {
        "FAULTBOOK_ENTRIES": str(folder / "entries"),
        "FAULTBOOK_BUILD_DIR": str(folder / "build"),
    }
    for step in steps_of(page):
        if isinstance(step, NamedFile):
            (folder / step.name).parent.mkdir(parents=True, exist_ok=True)
            (folder / step.name).write_text(step.text, encoding="utf-8")
        else:
            compare(step, run(folder, step.text, code=ROOT, settings=settings), update=update)


@pytest.mark.parametrize("page", guides(), ids=lambda page: page.stem)
def test_a_guide_runs_what_reads_and_nothing_else(page: Path) -> None:
    """What follows a pipe counts too; a guide that promises commands has some."""
    commands = [step for step in steps_of(page) if isinstance(step, Command)]
    assert commands
    for command in commands:
        assert set(programs_of(command.text)) <= ALLOWED, command


def programs_of(line: str) -> Iterator[str]:
    """The programs that a shell line starts; after anything but a pipe or a redirection: that sign."""
    words = shlex.shlex(line, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    before = "|"
    for word in words:
        if before == "|" or (set(word) <= set("();<>|&") and word not in ("|", ">")):
            yield word
        before = word


@pytest.mark.parametrize(
    ("line", "started"),
    [
        ("grep -E 'a|b' x | sort > y", ["grep", "sort"]),
        ("grep x; rm -r y", ["grep", ";"]),
        ("grep x && rm -r y", ["grep", "&&"]),
        ('awk "a | b"', ["awk"]),
    ],
)
def test_a_line_tells_what_it_starts(line: str, started: list[str]) -> None:
    assert list(programs_of(line)) == started


@pytest.mark.parametrize("page", guides(), ids=lambda page: page.stem)
def test_programs_of_a_guide_pass_the_linter(page: Path) -> None:
    programs = [step for step in steps_of(page) if isinstance(step, NamedFile) and step.name.endswith(".py")]
    for program in programs:
        for command in (["check"], ["format", "--check"]):
            done = subprocess.run(
                [sys.executable, "-m", "ruff", *command, "--stdin-filename", program.name, "-"],
                cwd=ROOT,
                input=program.text,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, f"{page.name}: {program.name}\n{done.stdout}{done.stderr}"
