"""Diagnose the log of a failed job: `python -P -m action.diagnose`, with its inputs in the environment.

Standard library only. Secrets are taken out of a log before anything else is done with it. Nothing of a log
is printed: a line of it could be a command to the runner. What goes wrong is a warning and fails nothing.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from action.github import GitHub, Unreached
from kb.cli.kept import Kept
from kb.diagnose import diagnose
from kb.diagnose.index import BrokenIndex, Index, load_index
from kb.redact import redact
from kb.render.chat import cut, without_mentions
from kb.render.markdown import diagnosis_markdown
from kb.render.markup import literal

MARKER = "<!-- faultbook: the diagnosis of failed jobs, updated in place -->"
MOST_LOGS = 10
LONGEST_COMMENT = 60_000  # characters; GitHub takes 65,536
LONGEST_SUMMARY = 900_000
PIECE = 1_000_000  # bytes of a file read at once


@dataclass(frozen=True)
class Answer:
    """What is known of one log."""

    name: str
    verdict: str
    entry: str
    markdown: str


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Read, diagnose, write the summary, the outputs and, if asked, the comment."""
    try:
        answers = [answer(name, text, environment) for name, text in logs(environment)]
    except (Unreached, BrokenIndex, OSError, ValueError) as error:
        warn(str(error))
        return 0
    if not answers:
        warn("no failed job has a log to read; name a file with `log`, or run after the job that failed")
        return 0
    text = "\n\n".join(f"### {literal(each.name)}\n\n{each.markdown}" for each in answers)
    append(environment.get("GITHUB_STEP_SUMMARY"), f"{without_mentions(text[:LONGEST_SUMMARY])}\n")
    first = answers[0]
    append(environment.get("GITHUB_OUTPUT"), f"verdict={first.verdict}\nentry={first.entry}\n")
    for each in answers:
        print(f"Faultbook: {each.verdict} {each.entry}".rstrip())
    if environment.get("INPUT_COMMENT") == "true":
        comment(f"{MARKER}\n{without_mentions(text)}", environment)
    return 0


def logs(environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """The logs to read, with the name of each: the file that is named, else those of failed jobs."""
    if path := environment.get("INPUT_LOG"):
        with Path(path).open("rb") as file:
            return [(Path(path).name, shortened(iter(lambda: file.read(PIECE), b"")))]
    github = repository(environment)
    wanted = {name.strip() for name in environment.get("INPUT_JOBS", "").split(",") if name.strip()}
    event = payload(environment)
    run = event.get("workflow_run") or {}
    jobs = github.failed_jobs(
        str(run.get("id") or environment["GITHUB_RUN_ID"]),
        str(run.get("run_attempt") or environment.get("GITHUB_RUN_ATTEMPT", "1")),
    )
    chosen = [job for job in jobs if not wanted or job.name in wanted][:MOST_LOGS]
    return [(job.name, shortened([github.log(job)])) for job in chosen]


def shortened(pieces: Iterable[bytes]) -> str:
    """The beginning and the end of a log, as `kb run` keeps them."""
    kept = Kept()
    for piece in pieces:
        kept.add(0, piece)
    kept.finish()
    return kept.text().removeprefix("\ufeff")


def answer(name: str, text: str, environment: Mapping[str, str]) -> Answer:
    """The diagnosis of one log, found here or by a server."""
    clean, site = redact(text).text, environment.get("INPUT_SITE_URL", "")
    if server := environment.get("INPUT_SERVER", "").rstrip("/"):
        verdict, entry = best_of(ask(f"{server}/api/match?format=json", clean))
        return Answer(name, verdict, entry, ask(f"{server}/api/match?format=markdown", clean).decode())
    diagnosis = diagnose(clean, index(environment))
    entry = diagnosis.best.entry if diagnosis.best else ""
    return Answer(name, diagnosis.verdict, entry, diagnosis_markdown(diagnosis, site))


def best_of(answer: bytes) -> tuple[str, str]:
    """Verdict and best entry in a server's answer. Raises Unreached where it is none of Faultbook's."""
    try:
        wire = json.loads(answer)
        found = wire["verdict"], wire["best"]["entry"] if wire["best"] else ""
    except (ValueError, KeyError, TypeError):
        found = None, None
    if not all(isinstance(each, str) and each.isprintable() for each in found):
        raise Unreached("the server does not answer as Faultbook does")
    return found


def index(environment: Mapping[str, str]) -> Index:
    return load_index(Path(environment["FAULTBOOK_INDEX"]))


def ask(url: str, text: str) -> bytes:
    """The answer of a server. Raises Unreached."""
    headers = {"Content-Type": "text/plain; charset=utf-8", "User-Agent": "Faultbook-Action"}
    try:
        request = Request(url, text.encode("utf-8", "replace"), headers)  # noqa: S310 - the workflow names it
        with urlopen(request, timeout=120) as response:  # noqa: S310
            return bytes(response.read())
    except (URLError, OSError) as error:
        raise Unreached(f"{url.partition('?')[0]}: {error}") from None


def comment(text: str, environment: Mapping[str, str]) -> None:
    """Write the one comment. What is not possible is a warning: pull requests of forks have no such right."""
    shown = (
        text if len(text) <= LONGEST_COMMENT else f"{cut(text, LONGEST_COMMENT)}\n\nThe summary has the rest."
    )
    try:
        github = repository(environment)
        number = github.pull_request(payload(environment), environment.get("GITHUB_SHA", ""))
        if number is None:
            print("Faultbook: no pull request to comment on")
            return
        github.comment(number, MARKER, shown)
    except Unreached as error:
        warn(f"no comment was written: {error}")


def repository(environment: Mapping[str, str]) -> GitHub:
    api = environment.get("GITHUB_API_URL", "https://api.github.com")
    return GitHub(api, environment["GITHUB_REPOSITORY"], environment.get("INPUT_TOKEN", ""))


def payload(environment: Mapping[str, str]) -> dict[str, Any]:
    """The event that started the workflow."""
    path = environment.get("GITHUB_EVENT_PATH")
    value = json.loads(Path(path).read_bytes()) if path and Path(path).is_file() else {}
    return value if isinstance(value, dict) else {}


def append(path: str | None, text: str) -> None:
    if path:
        with Path(path).open("a", encoding="utf-8", errors="replace") as file:
            file.write(text)


def warn(text: str) -> None:
    """A warning of the step, on one line as the runner reads it."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    print(f"::warning title=Faultbook::{escaped}")


if __name__ == "__main__":
    sys.exit(main())
