"""The short answer in Markdown: what is in it, and that nothing of a paste is markup there."""

from __future__ import annotations

from pathlib import Path

import markdown
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.diagnose import diagnose
from kb.diagnose.index import Index, load_index
from kb.render.brief import brief
from kb.render.markdown import diagnosis_markdown

OWN = "$ vllm serve m --enable-lora --max-lora-rank 16\n"
RANK = f"{OWN}ValueError: LoRA rank 64 is greater than max_lora_rank 16.\n"
SITE = "https://docs.example/"
HOSTILE = st.text(st.sampled_from("ab1 `*_[]()<>#\n@|~$&\\!") | st.characters(codec="utf-8"), max_size=80)


@pytest.fixture(scope="module")
def index(build_dir: Path) -> Index:
    return load_index(build_dir / "index.json")


def test_the_answer_has_line_fix_and_rival(index: Index) -> None:
    text = diagnosis_markdown(diagnose(RANK, index), SITE)
    assert text.startswith("**[vLLM refuses a LoRA adapter")
    assert "](https://docs.example/errors/vllm-lora-rank-exceeds-max/)**" in text
    assert "Started at line 2" in text
    assert "vllm serve m --enable-lora --max-lora-rank 64" in text
    assert "**Or it could be:**" in text


def test_what_no_entry_knows_is_said_with_its_line(index: Index) -> None:
    text = diagnosis_markdown(diagnose("x\nfoo.BarError: the toy broke\n", index))
    assert "Not a failure we know" in text
    assert "the toy broke" in text
    assert brief(diagnose("INFO all is well\n", index)).text is None


@settings(max_examples=60, deadline=None)
@given(evil=HOSTILE)
def test_nothing_of_a_paste_is_markup(index: Index, evil: str) -> None:
    paste = f"{evil}\nfoo.BarError: the toy {evil.replace(chr(10), ' ')} broke <script>x</script>\n"
    page = markdown.markdown(diagnosis_markdown(diagnose(paste, index), SITE), extensions=["fenced_code"])
    assert "<script>" not in page
    assert "<a " not in page.replace(f'<a href="{SITE}', "")
    assert "<img" not in page
