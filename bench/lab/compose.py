"""Hide a case in the long, interleaved output of many processes. Its truth is known: it was put there.

    python bench/lab/compose.py tests/lab/cases.jsonl --id lab-torchrun-killed --seed 3 > log.txt

A case is a JSON line with `id`, `text` (or `file`, beside the JSONL) and `root_line` (a part of the line
that started the failure) or `root_lines` (numbers). One of the processes writes the case's text, the others
write healthy output between its lines and, later, what such a failure does to them. The same case, seed and
sizes give the same log.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench.lab.aftermath import aftermath_lines  # noqa: E402
from bench.lab.healthy import healthy_line  # noqa: E402
from bench.lab.writers import STYLES, Style, Writer, header, make_writers  # noqa: E402

Case = dict[str, Any]
BEGIN = datetime(2026, 3, 28, 1, 40, 12)  # noqa: DTZ001 - logs write local time without a zone
# What marks the hosts or the processes of a text.
_HOSTS = re.compile(r"(?m)^\[?(?:node|worker|gpu|pod/|host)[\w./-]*\d[\w./-]*(?::\d+)?\]? ?[:|\]]")
_PROCESSES = re.compile(r"(?im)^\W{0,3}(?:rank|default)\W?\d+|\bpid=|^\(\w+|\brank\b|^\[\d+,\d+\]<|^ *\d+: ")
_OWN_HOST = re.compile(r"\[?((?:node|worker|gpu|host)[\w.-]*\d[\w.-]*)(?::\d+\])?: ")
_OWN_PID = re.compile(r"(?:\(pid: ?|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ )(\d+)\b")


@dataclass(frozen=True)
class Composed:
    """A log and its truth. Lines count from 1; empty when nothing failed."""

    text: str
    lines: tuple[int, ...]
    processes: tuple[dict[str, str], ...]
    style: str
    consequences: tuple[int, ...] = ()  # lines of the processes that lost the one that failed


@dataclass(frozen=True)
class Piece:
    """One line before its prefix: who writes it, and its number in the case's text, if it is the case's."""

    writer: int
    level: str
    text: str
    number: int | None = None
    consequence: bool = False


def compose(case: Case, seed: int = 0, processes: int = 8, lines: int = 3000) -> Composed:
    """Raises ValueError when the case does not fit into `lines`."""
    rng = Random(f"{case['id']}/{seed}/{processes}/{lines}")
    style = rng.choice(fitting_styles(case))
    writers = make_writers(style, processes, rng)
    failing = rng.randrange(processes)
    body = [Piece(failing, "", text, n) for n, text in enumerate(case["text"].splitlines(), start=1)]
    right = root_lines(case)
    after = aftermath(style, rng, processes, failing) if right else []
    room = lines - len(body) - len(after)
    if room < 0:
        raise ValueError(f"{case['id']} has {len(body)} lines: too long for {lines}")
    pieces = arrange(body, after, room, style, rng, processes)
    texts = [prefixed(piece, writers, style, now) for piece, now in zip(pieces, clock(rng), strict=False)]
    found = tuple(n for n, piece in enumerate(pieces, start=1) if piece.number in right)
    others = tuple(n for n, piece in enumerate(pieces, start=1) if piece.consequence)
    return Composed("\n".join(texts) + "\n", found, who(case, writers[failing]), style.name, others)


def fitting_styles(case: Case) -> list[Style]:
    """A text that already marks its processes or hosts is no output of a launcher that marks the same."""
    if _HOSTS.search(case["text"]):
        return [style for style in STYLES if style.scope == "host" and style.name != "pdsh"]
    marked = bool(case.get("processes")) or _PROCESSES.search(case["text"]) is not None
    return [style for style in STYLES if style.scope == "host" or not marked]


def root_lines(case: Case) -> set[int]:
    """Numbers of the lines of the case's text that started its failure."""
    if "root_lines" in case:
        return set(case["root_lines"])
    part = " ".join(case.get("root_line", "").split())
    rows = enumerate(case["text"].splitlines(), start=1)
    return {n for n, line in rows if part and part in " ".join(line.split())}


def who(case: Case, writer: Writer) -> tuple[dict[str, str], ...]:
    """What the log says of the process that started it: the launcher's mark, and the text's own."""
    inner = list(case.get("processes", ()))
    if inner and case.get("culprit"):
        inner.append({key: value for key, value in case["culprit"].items() if key in inner[0]})
    marked = tuple({**writer.process, **process} for process in inner) or (writer.process,)
    # A line that names host or pid itself is nearer to the truth than the launcher's mark before it.
    marked += tuple({**process, **own} for own in own_marks(case) for process in marked)
    # A message can blame a process that does not write it: that one is right too.
    blamed = case.get("initiating_rank")
    return marked if blamed is None else (*marked, {"any": str(blamed)})


def own_marks(case: Case) -> list[dict[str, str]]:
    """Host and pid as the right lines of the case name them: `node0: ...`, `Worker (pid:860) ...`."""
    rows = case["text"].splitlines()
    marks = []
    for number in sorted(root_lines(case)):
        host, pid = _OWN_HOST.match(rows[number - 1]), _OWN_PID.search(rows[number - 1])
        marks.append({name: match[1] for name, match in (("host", host), ("pid", pid)) if match is not None})
    return [mark for mark in marks if mark]


def aftermath(style: Style, rng: Random, processes: int, failing: int) -> list[Piece]:
    """The consequences in the other processes, each process's lines in their order."""
    queues = []
    for writer in rng.sample(range(processes), processes):
        if writer != failing and rng.random() < (0.9 if style.program == "training" else 0.5):
            texts = aftermath_lines(style.program, rng, writer, failing)
            queues.append([Piece(writer, "", text, consequence=True) for text in texts])
    return interleave(queues, rng)


def interleave(queues: list[list[Piece]], rng: Random) -> list[Piece]:
    """Several processes writing at once: mostly whole stretches, sometimes line by line."""
    rest, out = [list(queue) for queue in queues if queue], []
    while rest:
        queue = rng.choice(rest[:3])
        take = rng.choice((1, 1, 2, 5, 30))
        out += queue[:take]
        del queue[:take]
        rest = [queue for queue in rest if queue]
    return out


def arrange(
    body: list[Piece], after: list[Piece], room: int, style: Style, rng: Random, processes: int
) -> list[Piece]:
    """Healthy lines, the case with healthy lines between its own, some more, and the consequences."""
    between = min(room // 4, len(body) * 2)
    late = min(room - between, rng.randrange(20, 400) if after else room // 3)
    failing = body[0].writer if after else None
    healthy = HealthyLines(style, rng, processes)
    pieces = healthy.take(room - between - late)
    slots = sorted(rng.randrange(len(body) + 1) for _ in range(between))
    for number, piece in enumerate(body):
        pieces += healthy.take(slots.count(number), without=body[0].writer)
        pieces.append(piece)
    pieces += healthy.take(slots.count(len(body)), without=body[0].writer)
    tail = [healthy.take(late, without=failing), after]
    return pieces + (tail[0] + tail[1] if rng.random() < 0.5 else interleave(tail, rng))


class HealthyLines:
    """An endless supply of healthy lines of all processes."""

    def __init__(self, style: Style, rng: Random, processes: int) -> None:
        self.program, self.rng, self.processes, self.step = style.program, rng, processes, 0

    def take(self, count: int, without: int | None = None) -> list[Piece]:
        out = []
        others = [n for n in range(self.processes) if n != without]
        for _ in range(count):
            self.step += 1
            writer = self.rng.choice(others)
            level, text = healthy_line(self.program, self.rng, self.step, writer)
            out.append(Piece(writer, level, text))
        return out


def clock(rng: Random) -> Any:
    """Moments that only go forward."""
    now = BEGIN
    while True:
        now += timedelta(seconds=rng.expovariate(3.0))
        yield now


def prefixed(piece: Piece, writers: tuple[Writer, ...], style: Style, now: datetime) -> str:
    return (style.prefix(writers[piece.writer], now) + header(style, now, piece.level) + piece.text).rstrip(
        " "
    )


def read_cases(path: Path) -> list[Case]:
    """Cases of a JSONL file; a case's text may be a file beside it."""
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    for case in cases:
        if "text" not in case:
            case["text"] = (path.parent / case["file"]).read_text("utf-8")
    return cases


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="JSON Lines file of cases")
    parser.add_argument("--id", required=True, help="the case to hide")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--lines", type=int, default=3000)
    options = parser.parse_args(argv)
    cases = {case["id"]: case for case in read_cases(options.file)}
    if options.id not in cases:
        parser.error(f"{options.file} has no case {options.id!r}; it has {', '.join(sorted(cases))}")
    made = compose(cases[options.id], options.seed, options.processes, options.lines)
    sys.stdout.write(made.text)
    print(f"{made.style}: initiating line {made.lines}, process {made.processes}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
