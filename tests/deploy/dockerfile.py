"""A Dockerfile read into what a test asks of it."""

import json
import shlex
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


@dataclass(frozen=True)
class Instruction:
    name: str
    text: str

    def words(self) -> list[str]:
        """What stands behind the name: the words of a JSON list, or those of a shell line without options."""
        if self.text.startswith("["):
            return [str(word) for word in json.loads(self.text)]
        return [word for word in shlex.split(self.text) if not word.startswith("--")]

    def option(self, name: str) -> str | None:
        found = (word for word in self.text.split() if word.startswith(f"--{name}="))
        return next((word.partition("=")[2] for word in found), None)


def stages() -> list[list[Instruction]]:
    """The instructions of each stage; the last stage is the image."""
    lines = (DEPLOY / "Dockerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
    found: list[list[Instruction]] = []
    for line in lines:
        name, _, text = line.strip().partition(" ")
        if not name or name.startswith("#"):
            continue
        if name == "FROM":
            found.append([])
        found[-1].append(Instruction(name, text.strip()))
    return found


def image(name: str) -> list[Instruction]:
    """The instructions of one name in the last stage."""
    return [each for each in stages()[-1] if each.name == name]


def environment() -> dict[str, str]:
    """What the image sets."""
    pairs = (word.partition("=") for each in image("ENV") for word in each.words())
    return {name: value for name, _, value in pairs}


def health_check() -> list[str]:
    """The command of the health check."""
    (check,) = image("HEALTHCHECK")
    return [str(word) for word in json.loads(check.text.partition("CMD")[2])]


def is_sent(path: str) -> bool:
    """Whether a file of the repository is part of what an image is built from, by the ignore file."""
    sent = True
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    for line in (line for line in lines if line and not line.startswith("#")):
        pattern = line.removeprefix("!")
        whole = PurePosixPath(path)
        names = [whole, *whole.parents]
        if any(fits(str(name), pattern) for name in names):
            sent = line.startswith("!")
    return sent


def fits(name: str, pattern: str) -> bool:
    if pattern.startswith("**/"):
        return fnmatch(name.rpartition("/")[2], pattern.removeprefix("**/"))
    return name.count("/") == pattern.count("/") and fnmatch(name, pattern)
