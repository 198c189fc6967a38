"""What may not stand in any file of the repository."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.-])/(?:work|root)/[\w.]|\.pyenv[/]versions"),
    "the host of a package index": re.compile(
        r"(?i)(?:pypi|pythonhosted|npmjs|deb\.debian)\.(?:org|com)|--(?:extra-)?index-" r"url[ =]\S"
    ),
}


def files_in_git() -> list[Path]:
    """All files that git knows or would add, without those it ignores."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [ROOT / name for name in done.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_names(what: str) -> None:
    """Machine paths and addresses of package indexes lead nowhere for anyone else."""
    files = files_in_git()
    assert len(files) > 20
    found = [
        f"{path.relative_to(ROOT)}:{number} {line.strip()[:120]}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), start=1)
        if FORBIDDEN[what].search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    # In pieces, so that this file is held to the same.
    [
        "/" + "work/main/kb/x.py",
        "/" + "root/.cache",
        "https://" + "pypi" + ".org/simple",
        "--index-" + "url x",
    ],
)
def test_the_patterns_find_what_they_are_for(text: str) -> None:
    assert any(pattern.search(text) for pattern in FORBIDDEN.values())


@pytest.mark.parametrize("text", ["out = '/network/" + "root'", "checkpoints/" + "work/1", "pkg:pypi/vllm"])
def test_the_patterns_leave_other_words_alone(text: str) -> None:
    assert not any(pattern.search(text) for pattern in FORBIDDEN.values())


def test_the_lock_pins_every_package_with_hashes_and_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text("utf-8")
    packages = text.replace("\\\n", " ").splitlines()
    assert len(packages) > 30
    for package in packages:
        assert re.match(r"[a-z0-9-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", package), package
    assert "://" not in text
    assert "://" not in (ROOT / "package-lock.json").read_text("utf-8")
