"""The overview lists every entry under each component it touches."""

from kb.catalog.entry import Entry
from kb.site.index_page import index_page


def test_an_entry_stands_under_each_of_its_components(entry: Entry) -> None:
    page = index_page([entry])
    assert page.count("](maximal-entry/index.md)") == len(entry.components) == 2
    assert "\n## LoRA {" in page
    assert "\n1 entry. " in page


def test_components_are_sorted_as_people_read_them(entry: Entry) -> None:
    entries = [entry.model_copy(update={"components": [name]}) for name in ("vllm", "ray", "sglang")]
    page = index_page(entries)
    assert page.index("## Ray") < page.index("## SGLang") < page.index("## vLLM")
