"""What is a template, what is none, and what the person is told."""

from __future__ import annotations

import pytest

from kb.diagnose.template import TemplateError, find, parse, prepare


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("LoRA rank {rank:int} is greater than max_lora_rank {limit:int}", ("rank", "limit")),
        ("no placeholder at all", ()),
        ("{_} is unsupported LoRA {_}", ()),
        ("{a} and {b_2:size} and {_:int} failed", ("a", "b_2")),
        ("Tried to allocate {w:size}[[. GPU {gpu:int?} has {t:size}]]", ("w", "gpu", "t")),
        ("[{r:int}] waits for [{r:int}]", ("r",)),
    ],
)
def test_the_names_of_a_template_in_order(source: str, names: tuple[str, ...]) -> None:
    assert parse(source).names == names


def test_names_of_optional_parts_are_not_always_there() -> None:
    assert parse("failed {a:int}[[ after {b:int}]]").always == {"a"}


@pytest.mark.parametrize(
    ("source", "offset", "says"),
    [
        ("load {rank:integer} failed", 11, "no type 'integer'; the types are int, num, size"),
        ("load {Rank} failed", 5, "is no placeholder"),
        ("load {2nd} failed", 5, "is no placeholder"),
        ("load {} failed", 5, "is no placeholder"),
        ("got {'a': 1} from the server", 4, "write \\{ where a brace is meant"),
        ("load {rank failed", 5, "{ is never closed"),
        ("load rank} failed", 9, "} closes nothing"),
        ("load [[{rank:int} failed", 5, "[[ is never closed"),
        ("load [[ a [[ b ]] ]] failed", 10, "inside an optional part"),
        ("load [[]] failed", 5, "an empty optional part"),
        ("a[[b]]c[[d]]e[[f]]g[[h]]i[[j]] failed", 25, "more than 4 optional parts"),
        ("load {a}{b} failed", 8, "stand together"),
        ("load {a} {b} failed", 9, "stand together"),
        ("load {a:int}{b:int} failed", 12, "stand together"),
        ("load {a:int?} {b:int} failed", 14, "stand together"),
        ("load {a:int}[[{b:int}]] failed", 14, "stand together"),
        ("load {a:int} or {a:path} failed", 16, "{a} has two types"),
        ("{message}", 0, "no word of literal text"),
        ("{a:int}", 0, "no literal text beside it"),
        ("'{a}': {b}", 0, "no word of literal text"),
        ("   ", 0, "no word of literal text"),
        ("[[Watchdog caught]][[ a straggler]] {x}", 0, "no word of literal text"),
        ("failed " + "{_:int} x " * 41, 7 + 40 * 10, "more than 40 placeholders"),
        ("failed" + "x" * 4000, 4000, "at most 4000 characters"),
    ],
)
def test_what_is_no_template_is_told_with_its_place(source: str, offset: int, says: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse(source)
    assert says in str(caught.value)
    assert caught.value.offset == offset


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"got \{'rank': {rank:int}\} from the config", "got {'rank': 64} from the config"),
        (r"Process name: \[\[{job:int},1],{n:int}]", "Process name: [[29973,1],0]"),
        ("[Rank {r:int}] watchdog", "[Rank 3] watchdog"),
        (r"cannot open C:\models now", r"cannot open C:\models now"),
        ("watchdog[[ [rank {r:int}]]] stopped", "watchdog [rank 3] stopped"),
        ("tensor([1, 2]]) is odd", "tensor([1, 2]]) is odd"),
    ],
)
def test_brackets_and_braces_can_be_text(source: str, text: str) -> None:
    assert find(parse(source), prepare(text)) is not None


def test_white_space_at_the_ends_of_a_template_does_not_count() -> None:
    assert find(parse("\n  no free lora slots \n"), prepare("no free lora slots")) is not None


def test_a_template_is_parsed_once() -> None:
    assert parse("no free lora slots") is parse("no free lora slots")
