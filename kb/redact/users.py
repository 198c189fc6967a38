"""User names where they stand as such: in paths, at prompts, in addresses of ssh, in settings of a process.

A name gets a stand-in, the same one for the same person; accounts that belong to nobody in particular stay.
A path that begins with a folder of such a name (`/scratch/jo`) is found once the name is known.
"""

from __future__ import annotations

import re
from collections import Counter

NAME = r"[A-Za-z0-9_][\w.+-]{0,63}"
HOST = r"[A-Za-z][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){0,5}"
# A host by its name alone: it has a digit or a hyphen, and is no release (`pkg@v0.11`, `image@sha256:`).
MACHINE = r"(?!(?:v|r|rc|rev|cu|py|sha)\d)(?=[A-Za-z0-9-]*[\d-])[A-Za-z][A-Za-z0-9-]{3,62}(?![\w@])"
AT_HOST = rf"(?<![\w.@/:+-])(?P<user>{NAME})@(?={HOST}"

HOMES = r"(?:home|Users|users|(?<![\w.-]/)(?:u|user))"
WINDOWS = r"(?i:\b[A-Z]:[/\\]{1,4}Users)[/\\]{1,4}"
CAPITAL = r"[^\W\d_a-z]"
BEFORE_SHARE = r"(?<![^\s\"'=(,\[])"
AFTER_FOLDER = r"(?=[\\\"'\s]|$)"

# Group `user` is the name; what stands around it is looked at and kept.
PATTERNS = (
    # Folders of people, also of the form /home/s/smith and /mnt/c/Users/jo.
    rf"/{HOMES}/(?:(?P<letter>[A-Za-z])/(?=(?P=letter)|user\d))?(?P<user>[\w.@+-]{{1,64}})",
    rf"{WINDOWS}(?P<user>[\w.@+~-]{{1,40}}(?: {CAPITAL}[\w.-]{{0,30}}){{1,2}}(?=[/\\])|[\w.@+~-]{{1,64}})",
    r"(?<![\w/.~])~(?P<user>[A-Za-z_][\w.-]{1,31})/",
    # \\server\share\jo, and the same in a string, where each backslash is written twice.
    rf"{BEFORE_SHARE}\\\\[\w.-]{{2,64}}\\[\w.$-]{{1,64}}\\(?P<user>[\w.@+-]{{2,64}}){AFTER_FOLDER}",
    rf"{BEFORE_SHARE}\\{{4}}[\w.-]{{2,64}}\\\\[\w.$-]{{1,64}}\\\\(?P<user>[\w.@+-]{{2,64}}){AFTER_FOLDER}",
    # Prompts (`jo@gpu-07:~/x$`, `[jo@gpu-07 x]$`, `jo@mac x %`) and what ssh and scp say or are told.
    rf"{AT_HOST}(?::(?:[~/\s]|$)|[$#%>](?:\s|$)|'s password|[ \t][\w./~-]{{1,100}}\]?[ ]?[$#%>]))",
    rf"(?<![\w.@/:+-])(?P<user>{NAME})@(?={MACHINE})",
    rf"://(?P<user>{NAME})@(?={HOST})",
    rf"\b(?:ssh|scp|sftp|rsync|mosh|sshfs)\b[^\r\n]{{0,200}}?[\s\"'=](?P<user>{NAME})@(?={HOST})",
    rf"\bAAAA[\w+/=]{{20,2000}}[ ](?P<user>{NAME})@",
    rf"\bssh\b[^\r\n]{{0,100}}?\s-l[ ]?(?P<user>{NAME})",
    # The environment, Slurm, JSON, .netrc and messages that name who it was.
    rf"(?:\b|_)(?:USER|LOGNAME|USERNAME)(?:\s?=\s?['\"]?|\\?['\"]\s?:\s?\\?['\"])(?P<user>{NAME})",
    rf"\b(?:[Uu]ser(?:[Nn]ame|_name|[Ii]d)?|owner)=['\"]?(?!\d)(?P<user>{NAME})",
    rf"['\"](?:user|username|user_name|login|owner)\\?['\"]\s?:\s?\\?['\"](?P<user>{NAME})\\?['\"]",
    rf"--(?:user|username|login|owner|run-as|uid)=['\"]?(?P<user>{NAME})",
    rf"--(?:user|username)[ ]['\"]?(?P<user>{NAME})",
    rf"\bmachine\s[^\s]{{1,200}}\s+login\s+(?P<user>{NAME})",
    rf"\b(?:[Ll]ogged in as:?|sudo -u|su -)\s['\"]?(?P<user>{NAME})",
    rf"\b[Pp]assword for (?P<user>{NAME}):",
    rf"\b(?:Accepted|Failed) [\w/-]{{1,40}} for (?:invalid user )?(?P<user>{NAME}) from",
    rf"\bsession (?:opened|closed) for user (?P<user>{NAME})",
    rf"\b(?:uid|gid|groups)=\d{{1,10}}\((?P<user>{NAME})\)",
    rf"(?:^|[\]:|])[ \t]{{0,40}}(?:[Uu]ser(?:[Nn]ame)?|[Oo]wner|whoami):[ \t]+(?P<user>{NAME})[ \t]*$",
    r"\buser\.name[ =]+['\"](?P<user>[^'\"\r\n]{1,64})['\"]",
    # A name before an address, which is a stand-in by now.
    rf"\b(?P<user>{CAPITAL}[\w'.-]{{0,30}}(?: {CAPITAL}[\w'.-]{{0,30}}){{0,3}})(?= <person\d{{1,9}}@)",
    rf"\b[Uu]ser ['\"](?P<user>{NAME})['\"]",
)
COMPILED = tuple(re.compile(pattern, re.MULTILINE) for pattern in PATTERNS)
# Tools whose `--user` stands for itself: what follows is a package or a command.
ITSELF = re.compile(
    r"\b(?:pip[\d.]*|pipx|uv|setup\.py|easy_install|systemctl|journalctl|flatpak)\b[^\r\n]*\Z"
)
# A path from its root to its third folder at most.
FOLDERS = re.compile(r"(?<![\w./~@-])(?:/[\w.@+-]{1,64}){2,3}(?![\w@+-])")

# Accounts of machines and programs, and words that stand where a name would.
NOBODY = frozenset(
    {
        "root", "user", "users", "ubuntu", "runner", "jovyan", "public", "default", "shared", "all",
        "ec2-user", "vllm-user", "admin", "administrator", "nobody", "daemon", "git", "postgres", "mysql",
        "redis", "nginx", "www-data", "slurm", "hadoop", "spark", "airflow", "jenkins", "gitlab-runner",
        "core", "centos", "debian", "fedora", "rocky", "azureuser", "opc", "vscode", "coder", "codespace",
        "appuser", "app", "celery", "mambauser", "nonroot", "none", "null", "true", "false", "unknown",
        "anonymous", "guest", "name", "username", "me", "self", "system", "oauth2accesstoken", "oauth2", "aws"
    }
)  # fmt: skip
OWN = re.compile(r"(?:user|person)\d+\Z")


class Users:
    """Replaces the names that a text shows, the same one by the same stand-in."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self._known: dict[str, str] = {}

    def hide(self, text: str) -> str:
        for pattern in COMPILED:
            text = pattern.sub(self._replaced, text)
        return FOLDERS.sub(self._known_folder, text) if self._known else text

    def _replaced(self, found: re.Match[str]) -> str:
        user = found["user"]
        if user.lower() in NOBODY or user.isdigit() or OWN.match(user) or user.startswith("redacted"):
            return found[0]
        if found[0].startswith("--user ") and ITSELF.search(found.string, *line_before(found)):
            return found[0]
        self._counts["user name"] += 1
        start, end = found.start("user") - found.start(), found.end("user") - found.start()
        name = self._known.setdefault(user, f"user{len(self._known) + 1}")
        return found[0][:start] + name + found[0][end:]

    def _known_folder(self, found: re.Match[str]) -> str:
        first, *others = found[0][1:].split("/")
        named = [self._known.get(folder, folder) for folder in others]
        self._counts["user name"] += sum(map(str.__ne__, named, others))
        return "/".join(("", first, *named))


def line_before(found: re.Match[str]) -> tuple[int, int]:
    """Where the last part of the line before a match begins and ends."""
    start = max(found.string.rfind("\n", 0, found.start()) + 1, found.start() - 200)
    return start, found.start()
