"""The names that expressions and commands of an entry may use."""

from __future__ import annotations

from kb.catalog.entry import Entry
from kb.diagnose import template

COMPUTED = "value"
"""The name of the value that `fix.set` computes."""

FACTS = frozenset(
    ("exit_code", "signal", "http_status", "xid", "k8s_reason", "world_size", "silent_ranks", "ranks", "rank")
)
"""What the matcher reads from a paste without any signature (`kb.diagnose.scope`)."""


def captures(entry: Entry) -> frozenset[str]:
    """Names that the entry's signatures capture; those that do not parse capture nothing."""
    sources = (signature.template for signature in entry.signatures if signature.on != "fact")
    return frozenset(name for source in sources for name in template_names(source))


def template_names(source: str) -> tuple[str, ...]:
    """The placeholders of a template, none where it does not parse."""
    try:
        return template.parse(source).names
    except template.TemplateError:
        return ()


def are_known(entry: Entry) -> bool:
    """Whether all captures are known: where a template does not parse, only that is told."""
    try:
        for signature in entry.signatures:
            if signature.on != "fact":
                template.parse(signature.template)
    except template.TemplateError:
        return False
    return True


def settings(entry: Entry) -> frozenset[str]:
    """The entry's flags under the names that the matcher gives to settings: --max-loras is max_loras."""
    return frozenset(flag.name.lstrip("-").lower().replace("-", "_") for flag in entry.flags)


def expression_names(entry: Entry) -> frozenset[str]:
    """Names that a comparison may use."""
    return captures(entry) | set(entry.derive) | settings(entry) | FACTS


def placeholder_names(entry: Entry) -> frozenset[str]:
    """Names that a command may hold as `@name@`."""
    asked = {value.name for value in entry.values}
    computed = {COMPUTED} if any(cause.fix.set for cause in entry.causes) else set()
    return captures(entry) | set(entry.derive) | asked | computed
