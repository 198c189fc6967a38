"""A made-up catalogue whose one entry fills every field, and Markdown as the site renders it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import markdown
import pytest
import yaml

from kb.catalog.entry import Entry
from kb.catalog.loader import Catalog, load_catalog
from kb.site.surroundings import Surroundings

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Settings(yaml.SafeLoader):
    """mkdocs.yml without its environment variables."""


def from_environment(_loader: yaml.SafeLoader, _node: yaml.Node) -> None:
    """No test renders anything that hangs on one."""


Settings.add_constructor("!ENV", from_environment)


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    loaded = load_catalog(HERE / "entries")
    assert loaded.problems == ()
    return loaded


@pytest.fixture(scope="session")
def entry(catalog: Catalog) -> Entry:
    return catalog.by_id["maximal-entry"].entry


@pytest.fixture(scope="session")
def around(catalog: Catalog) -> Surroundings:
    file = catalog.by_id["maximal-entry"]
    pastes = {each.file: file.example(each.file) or "" for each in file.entry.examples}
    titles = {each.entry.id: each.entry.title for each in catalog.entries}
    return Surroundings(titles, {each.check.id: each.check for each in catalog.checks}, pastes)


@pytest.fixture(scope="session")
def render() -> Callable[[str], str]:
    """Markdown to HTML with the extensions of mkdocs.yml."""
    settings = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Settings)
    names: list[str] = []
    configs: dict[str, Any] = {}
    for extension in settings["markdown_extensions"]:
        name, config = next(iter(extension.items())) if isinstance(extension, dict) else (extension, {})
        names.append(name)
        configs[name] = config
    return lambda text: markdown.markdown(text, extensions=names, extension_configs=configs)
