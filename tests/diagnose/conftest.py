"""A small made-up index, so that tests of the matcher do not depend on what the real entries say."""

from collections.abc import Callable
from typing import Any

import pytest

from kb.catalog.index_form import index_json, index_text
from kb.diagnose import diagnose
from kb.diagnose.diagnosis import Diagnosis, Given
from kb.diagnose.index import Index

Make = dict[str, Any]


def signature(id_: str, text: str, **more: Any) -> Make:
    return {"id": id_, "template": text, "on": "message", "each": "message", "versions": {}, **more}


def cause(id_: str, prior: float = 0.5, **more: Any) -> Make:
    fix = {"summary": f"Mend {id_}.", "verify": {"run": "true", "see": "nothing"}}
    made = {"id": id_, "title": f"Because of {id_}", "kind": "configuration", "prior": prior, "tells": []}
    return {**made, "versions": {}, "confirm": {"run": f"look {id_}", "see": "it"}, "fix": fix, **more}


def entry(id_: str, signatures: list[Make], causes: list[Make] | None = None, **more: Any) -> Make:
    return {
        "id": id_,
        "title": f"Title of {id_}",
        "summary": f"Short answer of {id_}.",
        "status": "reviewed",
        "role": "initiating",
        "components": [],
        "affected": [],
        "signatures": signatures,
        "supports": [],
        "derive": {},
        "causes": [cause("only", 1.0)] if causes is None else causes,
        "siblings": [],
        "leads_to": [],
        "find_root": None,
        "path": f"errors/{id_}/",
        **more,
    }


def make_index(entries: list[Make], checks: list[Make] | None = None) -> Index:
    return Index.from_json(index_text(index_json(entries, checks or [])))


RANK = entry(
    "rank-too-high",
    [
        signature(
            "over", "LoRA rank {rank:int} is greater than max_lora_rank {limit:int}",
            exception="ValueError", where="vllm/lora/peft_helper.py", versions={"vllm": ">=0.7"},
        )
    ],
    [
        cause(
            "limit", 0.8,
            fix={
                "summary": "Raise the limit to @value@.",
                "set": {
                    "parameter": "--max-lora-rank", "at_least": "rank", "above_largest": "Merge the adapter.",
                    "allowed": [
                        {"versions": {"vllm": "<0.8"}, "values": [8, 16, 32, 64]},
                        {"versions": {"vllm": ">=0.8"}, "values": [8, 16, 32, 64, 128, 256, 320, 512]},
                    ],
                },
                "forms": {"cli": "vllm serve MODEL --max-lora-rank @value@"},
                "commands": ["vllm serve MODEL --max-lora-rank @value@ --lora-modules @name@=DIR"],
                "verify": {"run": "curl -s localhost:8000/v1/models", "see": "the adapter"},
            },
        ),
        cause(
            "pattern", 0.2, versions={"vllm": ">=0.32"},
            tells=[{"weight": 3.0, "note": "a pattern", "template": "rank_pattern"}],
        ),
    ],
    components=["vllm"],
)  # fmt: skip
MEMORY = entry(
    "memory",
    [
        signature(
            "new",
            "CUDA out of memory. Tried to allocate {wanted:size}. GPU {gpu:int?} has a total capacity of "
            "{total:size}"
            "[[ and {unallocated:size} is reserved by PyTorch but unallocated]]",
            exception="OutOfMemoryError",
        ),
    ],
    [
        cause("full", 0.6, kind="capacity"),
        cause(
            "pieces", 0.4, kind="capacity",
            tells=[{"weight": 3.0, "note": "enough is reserved", "when": "unallocated >= wanted"}],
        ),
    ],
)  # fmt: skip
TIMEOUT = entry(
    "timeout",
    [
        signature(
            "watchdog",
            "Watchdog caught collective operation timeout: WorkNCCL(SeqNum={seq:int}, OpType={op:word},",
        )
    ],
    [
        cause("straggler", 0.6, kind="transport"),
        cause("order", 0.4, tells=[{"weight": 4.0, "note": "not at one work", "when": "differs(seq)"}]),
    ],
)  # fmt: skip
WRAPPER = entry(
    "engine-start",
    [signature("wrapper", "Engine core initialization failed. See root cause above.")],
    [],
    role="secondary",
    find_root={"look": "Look above.", "run": "grep -n EngineCore LOG"},
)
KILLED = entry("killed", [signature("reason", "k8s_reason == OOMKilled", on="fact")])
CHECKS = [
    {
        "id": "which-order", "question": "Are the ranks at the same work?", "look": None,
        "run": "py-spy dump",
        "outcomes": [
            {"id": "same", "see": "the same", "templates": ["all ranks wait in {_}"],
             "supports": ["timeout/straggler"], "rules_out": ["timeout/order"]},
            {"id": "different", "see": "different", "templates": ["ranks differ at {_}"],
             "supports": ["timeout/order"], "rules_out": ["timeout/straggler"]},
        ],
    },
    {
        "id": "colour", "question": "Which colour?", "look": "the case", "run": None,
        "outcomes": [
            {"id": "red", "see": "red", "templates": [], "supports": ["memory"], "rules_out": []},
            {"id": "blue", "see": "blue", "templates": [], "supports": ["killed"], "rules_out": []},
        ],
    },
]  # fmt: skip


@pytest.fixture(scope="session")
def index_of() -> Callable[..., Index]:
    """Make an index of entries with one template each: `index_of(rank="LoRA rank {rank:int}")`."""

    def make(**templates: str) -> Index:
        return make_index([entry(id_, [signature("s", text)]) for id_, text in templates.items()])

    return make


@pytest.fixture(scope="session")
def make_one() -> Callable[..., Index]:
    """Make an index of one entry with one signature: `make_one("Socket Timeout", exception="X")`."""
    return lambda text, **more: make_index([entry("only", [signature("s", text, **more)])])


@pytest.fixture(scope="session")
def by_source() -> Index:
    """An entry that is known by the source line that raises."""
    raising = signature("put", "self.toy_slots[0][index].copy_(", on="source", where="toy/slots.py")
    return make_index([entry("toy", [raising])])


@pytest.fixture(scope="session")
def needs_frame() -> Index:
    """An entry whose message any program may print."""
    text, where = "pickle data was truncated", "torch/serialization.py"
    return make_index([entry("cut", [signature("cut", text, where=where, needs_frame=True)])])


@pytest.fixture(scope="session")
def in_folder() -> Index:
    """An entry whose message is raised somewhere below a folder; its second package has the repair."""
    text, where = "pickle data was truncated", "torch/serialization/"
    affected = [
        {"package": "toy", "versions": ">=1", "fixed_in": None},
        {"package": "torch", "versions": "<2.1", "fixed_in": "2.1"},
    ]
    raised = signature("cut", text, where=where, needs_frame=True)
    return make_index([entry("cut", [raised], affected=affected)])


@pytest.fixture(scope="session")
def two_signatures() -> Index:
    """An entry that is known by two messages."""
    signatures = [
        signature("slots", "the toy adapter slots overflowed"),
        signature("crowd", "toy adapter registry is crowded"),
    ]
    return make_index([entry("toy", signatures)])


@pytest.fixture(scope="session")
def made() -> Index:
    """Five entries: a rank limit, memory, a collective timeout, a wrapper and a kill."""
    return make_index([RANK, MEMORY, TIMEOUT, WRAPPER, KILLED], CHECKS)


@pytest.fixture(scope="session")
def ask(made: Index) -> Callable[..., Diagnosis]:
    """Diagnose a text with the made-up index; keyword arguments are what is given."""

    def diagnose_with(text: str, **given: Any) -> Diagnosis:
        return diagnose(text, made, Given(**given))

    return diagnose_with
