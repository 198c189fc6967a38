"""Names of a machine and of package indexes that the lab's scrubbing does not know."""

from __future__ import annotations

import getpass
import platform
import re
import socket
import subprocess

INDEX = re.compile(r"(?i)(?:[\w-]+\.)*(?:pypi|pythonhosted|npmjs|debian)\.(?:org|com|net)")
FORBIDDEN = (
    re.compile(r"(?<![\w.-])/(?:work|root)/[\w.]|\.pyenv"),
    re.compile(r"--(?:extra-)?index-" r"url[ =]\S"),
    re.compile(r"\b(?:10|172|192)\.\d+\.\d+\.\d+\b(?!/24| for)"),
    re.compile(r"(?i)(?:pypi|pythonhosted|npmjs|debian)\.(?:org|com|net)"),
)
ADDRESS = "198.51.100.7"  # stands for this machine's; the block is kept for documentation


def own_addresses() -> list[str]:
    """The addresses of this machine, none where it has no way to tell."""
    done = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=False)
    return done.stdout.split()


def without_hosts(text: str, host: str) -> str:
    """Hosts of package indexes, addresses of this machine and the user's name before a host become others."""
    text = INDEX.sub("packages.example.com", text)
    for own in own_addresses():
        text = text.replace(own, ADDRESS)
    text = re.sub(rf"\b{re.escape(getpass.getuser())}@", "ml@", text)
    return text.replace(platform.release(), "6.1.0-18-amd64").replace(
        f"({socket.gethostname()})", f"({host})"
    )


def left_over(text: str) -> str | None:
    """What of a machine is still in a text."""
    for pattern in FORBIDDEN:
        if found := pattern.search(text):
            return found.group()
    return None
