"""KB80x: what people copy into a terminal or a file is well formed, and every blank in it can be filled."""

from __future__ import annotations

import ast
import itertools
import json
import re
import shlex
from collections.abc import Iterator

import yaml

from kb.catalog.document import LOADER, Path
from kb.catalog.entry import Entry
from kb.catalog.loader import Catalog, CheckFile, EntryFile
from kb.catalog.rules.names import are_known, placeholder_names
from kb.catalog.rules.rule import Finding, check_rule, entry_rule

PLACEHOLDER = re.compile(r"@([a-z][a-z0-9_]*)@")
IN_BRACES = re.compile(r"(?<![${@])\{([a-z][a-z0-9_]*)(?::[a-z]+)?\??\}(?!\})")
"""`{rank}` or `{rank:int}`; not `${rank}`, and not `{{rank}}` as Go and Jinja write it."""

SHELL_FORMS = frozenset({"cli", "env", "http"})
YAML_FORMS = frozenset({"yaml", "kubernetes"})
DATA_OPTIONS = frozenset({"-d", "--data", "--data-raw", "--data-binary", "--json"})


@entry_rule("KB801", needs=("signatures", "derive", "values", "causes"))
def placeholder_is_unknown(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A blank in a command is captured, derived, computed or asked for; else the person copies `@name@`."""
    known = placeholder_names(file.entry)
    blanks = (*commands(file.entry), *forms(file.entry)) if are_known(file.entry) else ()
    for path, text in blanks:
        for found in PLACEHOLDER.finditer(text):
            if found[1] not in known:
                hint = "capture it in a signature, derive it, or ask for it under `values`"
                yield Finding(path, f"nothing fills {found[0]}", hint, offset=found.start())


@check_rule("KB802")
def check_placeholder_is_unknown(file: CheckFile, catalog: Catalog) -> Iterator[Finding]:
    """A check is shared, so every entry that leads to it can fill the blanks in its command."""
    users = _users(file, catalog)
    for found in PLACEHOLDER.finditer(file.check.run or ""):
        lacking = [e.id for e in users if are_known(e) and found[1] not in placeholder_names(e)]
        if lacking or (catalog.is_whole and not users):
            hint = f"ask for it under `values` of {', '.join(lacking) or 'an entry that uses the check'}"
            yield Finding(("run",), f"nothing fills {found[0]}", hint, offset=found.start())


@entry_rule("KB803")
def command_is_not_shell(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """A command with a quote left open waits for input at the worst moment."""
    shell = ((path, text) for path, text in forms(file.entry) if path[-1] in SHELL_FORMS)
    for path, text in (*commands(file.entry), *shell):
        if what := _shell_error(text):
            yield Finding(path, what, "close the quote, or write the command as a block with |")


@check_rule("KB804")
def check_command_is_not_shell(file: CheckFile, _catalog: Catalog) -> Iterator[Finding]:
    """The same for the command of a check."""
    if what := _shell_error(file.check.run or ""):
        yield Finding(("run",), what, "close the quote, or write the command as a block with |")


@entry_rule("KB805")
def form_is_not_python(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Python that does not parse cannot be the fix."""
    for path, text in forms(file.entry):
        if path[-1] != "python":
            continue
        try:
            ast.parse(_filled(text))
        except SyntaxError as error:
            hint = f"line {error.lineno or 1} of the form; `...` stands for what is left out"
            yield Finding(path, f"not Python: {error.msg}", hint)


@entry_rule("KB806")
def form_is_not_yaml(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """YAML that does not parse cannot be the fix."""
    for path, text in forms(file.entry):
        if path[-1] not in YAML_FORMS:
            continue
        try:
            for _ in yaml.parse(_filled(text), Loader=LOADER):
                pass
        except yaml.YAMLError as error:
            what = getattr(error, "problem", None) or "it cannot be read"
            yield Finding(path, f"not YAML: {what}", "check indentation and quotes")


@entry_rule("KB807")
def data_is_not_json(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """JSON handed to a server or a configuration parses; a lost comma is found late."""
    for path, text in (*commands(file.entry), *forms(file.entry)):
        shell = path[-1] not in YAML_FORMS and path[-1] != "python"
        for data in _json_in(text) if shell else ():
            try:
                json.loads(_filled(data))
            except ValueError as error:
                yield Finding(path, f"not JSON: {error}", "check quotes and commas")


@entry_rule("KB808")
def braces_of_a_template(file: EntryFile, _catalog: Catalog) -> Iterator[Finding]:
    """Templates write `{rank}`, commands `@rank@`: braces in a command are never filled in."""
    known = placeholder_names(file.entry)
    texts = (*commands(file.entry), *(form for form in forms(file.entry) if form[0][-1] != "python"))
    for path, text in texts:
        yield from _in_braces(path, text, known)


@check_rule("KB809")
def braces_of_a_template_in_a_check(file: CheckFile, catalog: Catalog) -> Iterator[Finding]:
    """The same for the command of a check."""
    known = frozenset(name for entry in _users(file, catalog) for name in placeholder_names(entry))
    yield from _in_braces(("run",), file.check.run or "", known)


def _in_braces(path: Path, text: str, known: frozenset[str]) -> Iterator[Finding]:
    for found in IN_BRACES.finditer(text):
        if found[1] in known:
            hint = f"write @{found[1]}@ in a command"
            yield Finding(path, f"nothing fills {found[0]} here", hint, offset=found.start())


def _users(file: CheckFile, catalog: Catalog) -> list[Entry]:
    """The entries that lead to a check."""
    named = {ref.split("/")[0] for o in file.check.outcomes for ref in (*o.supports, *o.rules_out)}
    return [
        e.entry
        for e in catalog.entries
        if e.entry.id in named or any(s.check == file.check.id for s in e.entry.siblings)
    ]


def commands(entry: Entry) -> Iterator[tuple[Path, str]]:
    """Every command that the entry tells a person to run."""
    for number, cause in enumerate(entry.causes):
        base: Path = ("causes", number)
        yield from _given((*base, "confirm", "run"), cause.confirm.run)
        yield from _given((*base, "fix", "verify", "run"), cause.fix.verify.run)
        for position, command in enumerate(cause.fix.commands):
            yield (*base, "fix", "commands", position), command
    for number, step in enumerate(entry.checklist):
        yield from _given(("checklist", number, "run"), step.run)
    for number, diagnostic in enumerate(entry.diagnostics):
        yield ("diagnostics", number, "run"), diagnostic.run
    if entry.find_root:
        yield ("find_root", "run"), entry.find_root.run


def forms(entry: Entry) -> Iterator[tuple[Path, str]]:
    """Every form of every fix; the last step of the path names the form."""
    for number, cause in enumerate(entry.causes):
        for form, text in cause.fix.forms.items():
            yield ("causes", number, "fix", "forms", form), text


def _given(path: Path, text: str | None) -> Iterator[tuple[Path, str]]:
    if text is not None:
        yield path, text


def _filled(text: str) -> str:
    """The text with a number in every blank: right inside quotes, and where a number stands bare."""
    return PLACEHOLDER.sub("1", text)


def _shell_error(text: str) -> str | None:
    try:
        shlex.split(_filled(text), comments=True)
    except ValueError as error:
        return f"not a command: {str(error).lower()}"
    return None


def _json_in(text: str) -> Iterator[str]:
    """The whole text when it is JSON, else the arguments that options hand over as JSON."""
    if text.startswith(("{", "[")):
        yield text
        return
    try:
        words = shlex.split(text, comments=True)
    except ValueError:
        return
    for before, word in itertools.pairwise(words):
        if before in DATA_OPTIONS and word.startswith(("{", "[")):
            yield word
