"""Each type of placeholder over what software really writes."""

from __future__ import annotations

import pytest

from kb.diagnose.template import find, parse, prepare


def captured(source: str, text: str) -> dict[str, str] | None:
    """The captures of a template in a text; None when it is not there."""
    found = find(parse(source), prepare(text))
    return None if found is None else found.captures


INT = [
    ("max_lora_rank {x:int}", "max_lora_rank 16.", "16"),
    ("max_lora_rank {x:int}", "max_lora_rank 16.'", "16"),
    ("got {x:int} tokens", "got -221 tokens", "-221"),
    ("total {x:int} blocks", "total 1,048,576 blocks", "1,048,576"),
    ("ranks {x:int}, {y:int} wait", "ranks 2,3 wait", None),
    ("ranks {x:int},{y:int} wait", "ranks 2,3 wait", "2"),
    ("ranks {x:int},{y:int} wait", "ranks 64,128 wait", "64"),
    ("capability {x:int}.{y:int} needed", "capability 8.0 needed", "8"),
    ("ran {x:int}ms long", "ran 600031ms long", "600031"),
    ("ran for {x:int}", "ran for 600031ms", None),
    ("rank {x:int}", "rank 16.5", None),
    ("rank {x:int}", "rank 0x10", None),
    ("rank {x:int}", "rank 3rd", None),
    ("rank {x:int} failed", "rank none failed", None),
    ("Timeout(ms)={x:int}) ran", "Timeout(ms)=1800000) ran", "1800000"),
    ("GPU{x:int}: gone", "GPU7: gone", "7"),
    ("{x:int} node(s) were unschedulable", "0/2 nodes: 1 node(s) were unschedulable", "1"),
    ("{x:int} node(s) were unschedulable", "1.5 node(s) were unschedulable", None),
    ("{x:int} nodes are unschedulable", "nodes are unschedulable", None),
]
NUM = [
    ("utilization {x:num} is", "utilization 0.95 is", "0.95"),
    ("utilization {x:num}.", "utilization 0.9.", "0.9"),
    ("utilization {x:num}", "utilization 0.9.", "0.9"),
    ("after {x:num}s of waiting", "after 60s of waiting", "60"),
    ("loss is {x:num} at step", "loss is nan at step", "nan"),
    ("loss is {x:num} at step", "loss is -inf at step", "-inf"),
    ("scale {x:num} is too small", "scale 1.5e-05 is too small", "1.5e-05"),
    ("total {x:num} tokens", "total 12,345.5 tokens", "12,345.5"),
    ("compute capability {x:num}.", "compute capability 7.0.", "7.0"),
    ("version {x:num}", "version 1.2.3", None),
    ("loss is {x:num} at step", "loss is nano at step", None),
]
SIZE = [
    ("Tried to allocate {x:size}.", "Tried to allocate 20.00 MiB.", "20.00 MiB"),
    ("Tried to allocate {x:size}. GPU", "Tried to allocate 20.00 MiB. GPU 0", "20.00 MiB"),
    ("of which {x:size} is free", "of which 0 bytes is free", "0 bytes"),
    ("Tried to allocate {x:size}", "Tried to allocate 130,000.00 GiB", "130,000.00 GiB"),
    ("Tried to allocate {x:size} (GPU", "Tried to allocate 512.00 KiB (GPU 0", "512.00 KiB"),
    ("limit is {x:size},", "limit is 20Gi, used", "20Gi"),
    ("limit is {x:size},", "limit is 64G, used", "64G"),
    ("({x:size} needed)", "(3.6 GiB needed)", "3.6 GiB"),
    ("anon-rss:{x:size}, file", "anon-rss:12345kB, file", "12345kB"),
    ("Tried to allocate {x:size}", "Tried to allocate 20.00\n    MiB. GPU", "20.00\n    MiB"),
    ("Tried to allocate {x:size}", "Tried to allocate 20.00 apples", None),
    ("Tried to allocate {x:size} now", "Tried to allocate 20 now", None),
    ("{x:size} free of all memory", "only 16.50 MiB free of all memory", "16.50 MiB"),
]
WORD = [
    ("adapter {x:word}. Please", "adapter v2.1. Please wait", "v2.1"),
    ("adapter {x:word}", "adapter v2.1.", "v2.1"),
    ("adapter {x:word}", "adapter v2.1: gone", "v2.1"),
    ("adapter '{x:word}' failed", 'adapter "sql-gen" failed', "sql-gen"),
    ("OpType={x:word}, NumelIn", "OpType=_ALLGATHER_BASE, NumelIn", "_ALLGATHER_BASE"),
    (
        "{x:word} is unsupported LoRA weight",
        "ValueError: model.layers.0.q is unsupported LoRA weight",
        "model.layers.0.q",
    ),
    ("instance of '{x:word}'", "instance of 'c10::DistBackendError'", "c10::DistBackendError"),
    ("{x:word}.__init__() got an unexpected", "LoraConfig.__init__() got an unexpected", "LoraConfig"),
    ("method {x:word}. Supported", "method awq. Supported", "awq"),
    ("flag {x:word} and", "flag --enable-lora=True and", "--enable-lora=True"),
    ("({x:word}) failed", "(default_pg) failed", "default_pg"),
    ("adapter {x:word} failed", "adapter two words failed", None),
    ("adapter {x:word} failed", "adapter ... failed", "..."),
    ("key {x:word}:1 (world", "key store_based_barrier_key:1 (world", "store_based_barrier_key"),
]
PATH = [
    ("While loading {x:path}, expected", "While loading /data/a b/c, expected", None),
    ("While loading {x:path}, expected", "While loading /data/a/c, expected", "/data/a/c"),
    ("No such file: '{x:path}'", r"No such file: 'C:\Program Files\lora'", r"C:\Program Files\lora"),
    ("cannot open {x:path} for", r"cannot open C:\ml\lora.py for", r"C:\ml\lora.py"),
    ("cannot open {x:path}", "cannot open /srv/a/adapter_config.json.", "/srv/a/adapter_config.json"),
    ("cache ({x:path}:{line:int})", "cache (/src/cache/manager.cpp:182)", "/src/cache/manager.cpp"),
    ("see {x:path}", "(see https://docs.example.org/a_(b))", "https://docs.example.org/a_(b)"),
    ("see {x:path}", "(see https://docs.example.org/env?x=1#y).", "https://docs.example.org/env?x=1#y"),
    ("No adapter found for {x:path}", "No adapter found for acme/llama-sql-lora", "acme/llama-sql-lora"),
    ("load {x:path}: missing", "load ../out/run_1: missing", "../out/run_1"),
    ("binary: {x:path}", "binary: /opt/conda/bin/python3.11", "/opt/conda/bin/python3.11"),
    ("'{x:path}' is no adapter", "'my adapters/a' is no adapter", "my adapters/a"),
    ("{x:path} doesn't contain tensors", "in /srv/adapters/a doesn't contain tensors", "/srv/adapters/a"),
]
LIST = [
    ("modules in {x:list} but", "modules in ['q_proj', 'k_proj'] but", "['q_proj', 'k_proj']"),
    ("modules {x:list} not found", "modules {'c_attn'} not found", "{'c_attn'}"),
    ("modules {x:list} not found", "modules set() not found", "set()"),
    ("modules {x:list} not found", "modules [] not found", "[]"),
    ("shape {x:list} from", "shape torch.Size([32001, 5120]) from", "torch.Size([32001, 5120])"),
    ("Size({x:list}) from", "Size([0]) from", "[0]"),
    ("choose from {x:list})", "choose from 1, 8, 16, 32)", "1, 8, 16, 32"),
    ("choose from {x:list})", "choose from 'auto', 'half')", "'auto', 'half'"),
    ("should be {x:list} [type", "should be 1, 8, 320 or 512 [type", "1, 8, 320 or 512"),
    ("loaded: {x:list}", "loaded: sql, chat, tools. Try again", "sql, chat, tools"),
    ("fields {x:list}, please", "fields r, alpha, please", "r, alpha"),
    ("blocks {x:list} hang", "blocks [[0, 1], [2, 3]] hang", "[[0, 1], [2, 3]]"),
    ("got {x:list}", "got {'factor': 8.0, 'type': 'llama3'}", "{'factor': 8.0, 'type': 'llama3'}"),
    ("modules in {x:list} but", "modules in ['a',\n  'b'] but", "['a',\n  'b']"),
    ("modules in {x:list} but", "modules in ['a', 'b but", None),
    ("{x:list} are not supported here", "But ['a', 'b'] are not supported here", "['a', 'b']"),
]
ID = [
    ("Xid (PCI:{x:id}): 79", "Xid (PCI:0000:dc:00): 79", "0000:dc:00"),
    ("request {x:id} aborted", "request cmpl-3f2a91-0 aborted", "cmpl-3f2a91-0"),
    ("request {x:id}", "request 7e1c40b3-a0e5-4f0c.", "7e1c40b3-a0e5-4f0c"),
    ("symbol: {x:id}", "symbol: _ZN5torch7LibraryC1ENS0_4KindE')", "_ZN5torch7LibraryC1ENS0_4KindE"),
    ("GPU{x:id}: Unknown Error", "GPU0000:03:00.0: Unknown Error", "0000:03:00.0"),
    ("pod {x:id} evicted", "pod vllm-0_a@node-1 evicted", "vllm-0_a@node-1"),
    ("request {x:id} aborted", "request - aborted", None),
]


@pytest.mark.parametrize(("source", "text", "value"), INT + NUM + SIZE + WORD + PATH + LIST + ID)
def test_a_typed_placeholder_takes_its_value_and_no_more(source: str, text: str, value: str | None) -> None:
    captures = captured(source, text)
    assert (captures or {}).get("x") == value
    assert (captures is None) == (value is None)


@pytest.mark.parametrize(
    ("source", "text", "captures"),
    [
        ("GPU {gpu:int?} has a total capacity", "GPU  has a total capacity", {}),
        ("GPU {gpu:int?} has a total capacity", "GPU 0 has a total capacity", {"gpu": "0"}),
        ("GPU {gpu:int?} has a total capacity", "GPU has a total capacity", {}),
        ("GPU {gpu:int?} has a total capacity", "GPUhas a total capacity", None),
        ("GPU {gpu:int?} has a total capacity", "GPU x has a total capacity", None),
        ("(GPU {gpu:int?}) is lost", "(GPU) is lost", {}),
        ("(GPU {gpu:int?}) is lost", "(GPU ) is lost", {}),
        ("(GPU {gpu:int?}) is lost", "(GPU 12) is lost", {"gpu": "12"}),
        ("rank{r:int?}: lost peer", "rank: lost peer", {}),
        ("rank{r:int?}: lost peer", "rank7: lost peer", {"r": "7"}),
        ("killed by signal {s:int?}", "killed by signal", {}),
        ("killed by signal {s:int?}", "killed by signal 9", {"s": "9"}),
        ("{n:int?} workers were lost", "workers were lost", {}),
        ("{n:int?} workers were lost", "2 workers were lost", {"n": "2"}),
        ("adapter {name?} could not be loaded", "adapter  could not be loaded", {}),
        ("adapter {name?} could not be loaded", "adapter a b could not be loaded", {"name": "a b"}),
    ],
)
def test_an_optional_placeholder_may_be_empty(
    source: str, text: str, captures: dict[str, str] | None
) -> None:
    assert captured(source, text) == captures
