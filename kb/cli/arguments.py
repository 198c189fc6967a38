"""What the commands take, and their help. Imports nothing of the project: it is read at every start."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from typing import Any

from kb import __doc__ as about

MATCH = """\
examples:
  kb match server.log                  what failed, why, and the fix
  kubectl logs pod/engine | kb match   the same from a pipe
  kb match --json server.log           the whole answer for a program
  kb match server.log --package vllm=0.11.0 --outcome did-a-rank-die-or-is-it-late=nothing-ended
  kb match --jsonl pastes.jsonl        {"id", "text"} lines in, {"id", "diagnosis"} lines out

exit status: 0 match, 1 no match, 3 ambiguous, 2 usage or input error; with --jsonl 0 unless it could not run
"""
RUN = """\
examples:
  kb run -- python train.py --epochs 3
  kb run -- torchrun --nproc-per-node 8 train.py 2>errors.log
  kb run --json answer.json -- vllm serve BASE_MODEL
  kb run train.py --epochs 3           a script in this very process, like `python train.py --epochs 3`

The output passes through as it comes; where it goes to a terminal, the command sees one too. Its first 1 MB
and last 4 MB are kept in memory for the diagnosis, which goes to standard error; nothing is stored or sent.
Of a script in this process the exception is read, and the releases of the packages that it had loaded.

exit status: the command's own (128 + N when signal N ended it), whatever the diagnosis says; 127 no such
command, 126 it cannot be started, 2 usage error
"""
WATCH = """\
examples:
  kb watch server.log                  one short block for each failure that begins, until Ctrl-C
  kb watch --once train.log && page-me the first failure, then leave
  kb watch --settle 10 slow.log        judge when nothing was written for ten seconds

Begins with what the log holds already; follows it when it is rotated, truncated or not yet there. A failure
is looked for in the last 1 MB, and told once however often it comes again.

exit status: 0 a failure was told (with --once), 130 Ctrl-C, 2 usage or input error
"""
EXPLAIN = """\
examples:
  kb explain vllm-lora-rank-exceeds-max
  kb explain --json vllm-lora-rank-exceeds-max
"""
SEARCH = """\
examples:
  kb search max_lora_rank
  kb search collective timeout
"""
CHECK = """\
examples:
  kb check                             all entries
  kb check entries/my-entry            problems of one entry (all are read: relations go both ways)
  kb check --json                      for a program
  kb check --codes                     every code with its reason

exit status: 0 no problem, 1 problems, 2 usage error
"""
STATS = """\
examples:
  kb stats
  kb stats --json
"""
NEW = """\
examples:
  kb new "Adapter is refused: LoRA rank above max_lora_rank" --id vllm-lora-rank-exceeds-max
  kb new --from paste.txt              guesses title, id, message, class, frame and component
  kb new --from paste.txt --id my-entry "What the user sees"
"""
BUILD = """\
examples:
  kb build                             everything, into build/
  kb build --index-only                what kb match needs
  kb build --pages pages               every page as plain Markdown, for a site generator of your own

exit status: 0 built, 1 built without some entries (their problems are printed), 2 not built
"""
SERVE = """\
examples:
  kb serve                             http://127.0.0.1:8000, rebuilt when an entry changes
  kb serve --host 0.0.0.0 --port 80 --no-watch
  kb serve --show-settings             what the environment sets, FAULTBOOK_NAME=value each
"""
MCP = """\
examples:
  kb mcp                               started by an assistant, which speaks with it

An assistant (a program that speaks the Model Context Protocol) starts it by itself; docs/bots.md shows how to
tell it so. Nothing leaves this machine but what the assistant sends on.
"""
SCHEMA = """\
examples:
  kb schema > entry.schema.json        of an entry
  kb schema --write                    of entries and checks, into entries/_schema

An editor completes and checks an entry that starts with
  # yaml-language-server: $schema=../_schema/entry.json
"""


def read_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for. Leaves the program with the usage of the very command that was misused."""
    top = parser()
    arguments, rest = top.parse_known_args(argv)
    if rest:
        arguments.usage(f"unrecognized arguments: {' '.join(rest)}")
    return arguments


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = argparse.ArgumentParser(prog="kb", description=about)
    top.add_argument("--version", action=_Version, nargs=0, help="the release, and leave")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _match(_command(commands, "match", "name the failure in a traceback or log", MATCH))
    _run(_command(commands, "run", "run a command and name its failure when it fails", RUN))
    _watch(_command(commands, "watch", "follow a growing log and say when a failure begins", WATCH))
    _explain(_command(commands, "explain", "show an entry", EXPLAIN))
    _search(_command(commands, "search", "find entries by words", SEARCH))
    _check(_command(commands, "check", "check the entries and show every problem", CHECK))
    _stats(_command(commands, "stats", "count what the entries hold and how well they are proven", STATS))
    _new(_command(commands, "new", "make the folder of a new entry", NEW))
    _build(_command(commands, "build", "build index, search and site from the entries", BUILD))
    _serve(_command(commands, "serve", "build, then serve site and API on one port", SERVE))
    _command(commands, "mcp", "answer an assistant over standard input and output (MCP)", MCP)
    _schema(_command(commands, "schema", "print the JSON Schema of an entry, for editors", SCHEMA))
    return top


class _Version(argparse.Action):
    """Look the release up only when it is asked for: the library that knows it takes its time."""

    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> None:
        print(f"kb {importlib.import_module('importlib.metadata').version('faultbook')}")
        parser.exit()


def _command(commands: Any, name: str, what: str, epilog: str) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = commands.add_parser(
        name,
        help=what,
        description=what[0].upper() + what[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.set_defaults(usage=made.error)
    return made


def _match(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="the paste; - or nothing: standard input"
    )
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the whole answer as JSON")
    form.add_argument(
        "--jsonl", action="store_true", help='many pastes: {"id", "text"} lines in, answers out in order'
    )
    known = command.add_argument_group("what you know beside the paste")
    known.add_argument(
        "--package", action="append", default=[], metavar="NAME=VERSION", help="an installed version"
    )
    known.add_argument("--component", action="append", default=[], metavar="NAME", help="a component in use")
    known.add_argument(
        "--outcome", action="append", default=[], metavar="CHECK=OUTCOME", help="what a check showed"
    )
    known.add_argument(
        "--output", action="append", default=[], metavar="CHECK=FILE", help="output of a check's command"
    )
    _index(command)


def _index(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--index", metavar="FILE", help="the built index (else FAULTBOOK_INDEX, else build/index.json)"
    )


def _run(command: argparse.ArgumentParser) -> None:
    options = "kb run [-h] [--json FILE] [--index FILE]"
    command.usage = f"{options} -- COMMAND [ARGUMENT ...]\n       {options} SCRIPT.py [ARGUMENT ...]"
    command.add_argument(
        "program", nargs=argparse.REMAINDER, metavar="COMMAND", help="what to run, with its arguments"
    )
    command.add_argument("--json", metavar="FILE", help="write the whole answer as JSON when it fails")
    _index(command)


def _watch(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="the log to follow")
    command.add_argument("--once", action="store_true", help="leave after the first failure")
    command.add_argument(
        "--settle",
        type=float,
        default=2.0,
        metavar="SECONDS",
        help="how long the log must be quiet before it is judged (2)",
    )
    _index(command)


def _explain(command: argparse.ArgumentParser) -> None:
    command.add_argument("id", metavar="ID", help="an entry's id, also a former one")
    command.add_argument("--json", action="store_true", help="the whole entry as JSON")


def _search(command: argparse.ArgumentParser) -> None:
    command.add_argument("words", nargs="+", metavar="WORD", help="words, names, flags")
    command.add_argument("--limit", type=int, default=10, metavar="N", help="at most so many (10)")
    command.add_argument("--json", action="store_true", help="the results as JSON")


def _check(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "path", nargs="*", metavar="PATH", help="entries, or a folder of entries (the checkout's)"
    )
    command.add_argument("--json", action="store_true", help="the problems as JSON")
    command.add_argument("--codes", action="store_true", help="list every code with its reason")


def _stats(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--entries", metavar="FOLDER", help="where the entries lie (FAULTBOOK_ENTRIES, else the checkout's)"
    )
    command.add_argument("--json", action="store_true", help="the counts as JSON")


def _new(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "title", nargs="?", metavar="TITLE", help="the symptom as the user sees it, 10 to 100 characters"
    )
    command.add_argument("--id", metavar="ID", help="lower-case words with dashes; never changes")
    command.add_argument(
        "--from",
        dest="paste",
        metavar="FILE",
        help="a paste that shows the failure; it becomes the first example",
    )
    command.add_argument(
        "--entries", metavar="FOLDER", help="where the entries lie (FAULTBOOK_ENTRIES, else the checkout's)"
    )


def _build(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--entries", metavar="FOLDER", help="where the entries lie (FAULTBOOK_ENTRIES, else the checkout's)"
    )
    command.add_argument("--out", metavar="FOLDER", help="where to build (build in the checkout)")
    instead = command.add_mutually_exclusive_group()
    instead.add_argument(
        "--index-only", action="store_true", help="index and entry JSON, no search and no site"
    )
    instead.add_argument(
        "--pages",
        metavar="FOLDER",
        help="all pages as plain Markdown into a new folder, no search and no site",
    )


def _serve(command: argparse.ArgumentParser) -> None:
    command.add_argument("--host", help="address to listen on (FAULTBOOK_HOST, else 127.0.0.1)")
    command.add_argument("--port", type=int, help="port (FAULTBOOK_PORT, else 8000)")
    command.add_argument("--no-watch", action="store_true", help="do not rebuild when an entry changes")
    command.add_argument(
        "--show-settings", action="store_true", help="print all settings, without secrets, and leave"
    )


def _schema(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--write", action="store_true", help="write both schemas beside the entries instead of printing one"
    )
    command.add_argument(
        "--entries", metavar="FOLDER", help="where the entries lie (FAULTBOOK_ENTRIES, else the checkout's)"
    )
