"""A request and its answer, as the API's description shows them. A test holds the answer to the models."""

from __future__ import annotations

from typing import Any

PASTE = "(EngineCore_DP0 pid=4711) ValueError: LoRA rank 64 is greater than max_lora_rank 16."
REQUEST: dict[str, Any] = {"text": PASTE, "given": {"versions": {"vllm": "0.11.0"}}}
PROCESS = {"host": None, "rank": None, "local_rank": None, "role": "EngineCore_DP0", "pid": "4711"}
EVIDENCE: dict[str, Any] = {
    "line": 1,
    "start": 38,
    "end": 83,
    "signature": "rank-over-limit",
    "for": True,
    "weight": 6.2,
    "note": "the message stands in the paste",
    "captures": {"rank": "64", "max_rank": "16"},
}
FIX: dict[str, Any] = {
    "summary": "Restart with a higher limit.",
    "set": {"parameter": "--max-lora-rank", "value": "64"},
    "steps": [],
    "forms": {"cli": "vllm serve MODEL --enable-lora --max-lora-rank 64"},
    "commands": [],
    "verify": {
        "run": "curl -s http://localhost:8000/v1/models",
        "look": None,
        "see": "the adapter is listed",
    },
    "resume": None,
    "avoid": [],
    "risk": None,
    "change": None,
}
HYPOTHESIS: dict[str, Any] = {
    "entry": "vllm-lora-rank-exceeds-max",
    "title": "vLLM refuses a LoRA adapter: LoRA rank is greater than max_lora_rank",
    "status": "reviewed",
    "cause": "adapter-above-limit",
    "cause_title": "The adapter's rank is above the limit",
    "kind": "configuration",
    "confidence": 0.98,
    "entry_confidence": 0.99,
    "quality": "exact",
    "applies": "yes",
    "fixed_in": None,
    "summary": "The adapter's rank is above the limit that the engine reserved at start-up.",
    "confirm": {"run": "grep '\"r\"' adapter_config.json", "look": None, "see": "a number above 16"},
    "fix": FIX,
    "evidence": [EVIDENCE],
    "path": "errors/vllm-lora-rank-exceeds-max/",
}
FAILURE: dict[str, Any] = {
    "initiating": {
        "line": 1,
        "text": PASTE,
        "on": "message",
        "type": "ValueError",
        "time": None,
        "process": PROCESS,
        "kind": "configuration",
    },
    "hypotheses": [HYPOTHESIS],
    "also_true": [],
    "handled": False,
    "secondary": [],
    "ranks": [],
    "silent_ranks": [],
    "next_check": None,
    "need": None,
}
FACTS = dict.fromkeys(("exit_code", "signal", "http_status", "xid", "k8s_reason", "world_size", "gpu"))
ANSWER: dict[str, Any] = {
    "schema": "1.0",
    "verdict": "match",
    "best": {key: HYPOTHESIS[key] for key in ("entry", "cause", "confidence", "path")},
    "failures": [FAILURE],
    "related": [],
    "report": {"versions": {"vllm": "0.11.0"}, "settings": {}, "facts": FACTS},
    "input": {"lines": 1, "characters": len(PASTE), "truncated": False},
    "fingerprint": "5d3a0b1f9c7e2846",
    "given": {"versions": {"vllm": "0.11.0"}, "components": [], "outcomes": {}, "outputs": {}},
    "given_problems": [],
    "index": {"schema": "1.0", "entries": 10, "digest": "9f2c"},
}
