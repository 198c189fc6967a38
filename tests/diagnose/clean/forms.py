"""One failure in the forms in which people paste it. Each form is a function from lines to a paste."""

import html
import json
import quopri
from collections.abc import Callable, Sequence
from urllib.parse import quote, quote_plus

BASE = (
    "Traceback (most recent call last):",
    '  File "/srv/app/lib/python3.12/site-packages/engine/worker/adapters.py", line 122, in load_adapter',
    "    self.check_rank(adapter, limit=self.settings.max_lora_rank)",
    '  File "/srv/app/lib/python3.12/site-packages/engine/worker/checks.py", line 31, in check_rank',
    '    raise ValueError(f"LoRA rank {rank} is greater than max_lora_rank {limit}.")',
    "ValueError: LoRA rank 64 is greater than max_lora_rank 16. Known: {'q_proj', 'v_proj'} & <none>",
)
Form = Callable[[Sequence[str]], list[str]]


def text_of(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


def before(prefix: str) -> Form:
    """A prefix before every line; `{n}` is the number of the line."""
    return lambda lines: [prefix.replace("{n}", str(number)) + line for number, line in enumerate(lines, 100)]


def record(**fields: str) -> Form:
    """A JSON record for each line; `...` stands for the line."""

    def form(lines: Sequence[str]) -> list[str]:
        return [
            json.dumps({key: line + "\n" if value == "..." else value for key, value in fields.items()})
            for line in lines
        ]

    return form


def one_record(make: Callable[[str], object]) -> Form:
    """One JSON record for all lines."""
    return lambda lines: [json.dumps(make("\n".join(lines)))]


def chop(width: int) -> Form:
    """What a terminal of that width copies."""
    return lambda lines: [
        line[at : at + width] for line in lines for at in range(0, max(len(line), 1), width)
    ]


def printable(lines: Sequence[str]) -> list[str]:
    body = quopri.encodestring(text_of(lines).encode()).decode()
    return ["Content-Transfer-Encoding: quoted-printable", "", *body.splitlines()]


def coloured(lines: Sequence[str]) -> list[str]:
    return ["\x1b[1;31m" + line.replace(" ", " \x1b[0m\x1b[36m", 1) + "\x1b[0m" for line in lines]


STACKABLE: dict[str, Form] = {
    "torchrun": before("[rank3]: "),
    "tee": before("[default5]:"),
    "ray": before("(RayWorkerWrapper pid=811, ip=10.3.0.4) "),
    "compose": before("llm-1  | "),
    "compose named": before("llm-server  | "),
    "kubectl": before("[pod/llm-0/server] "),
    "kubelet": before("2026-01-15T10:00:00.{n}456789Z "),
    "containerd": before("2026-01-15T10:00:00.{n}456789Z stderr F "),
    "syslog": before("Nov 30 01:02:03 node4 llm[4711]: "),
    "vllm": before("(EngineCore_DP0 pid=311) ERROR 11-19 12:54:26 [core.py:710] "),
    "stderr bars": before("2026-02-21 09:46:23 | ERROR | stderr | "),
    "pdsh": before("node7: "),
    "numbered": before("[80{n}] "),
    "slurm": before("12: "),
    "unknown": before("~app.{n}~ srv> "),
    "markdown quote": before("> "),
    "json-file": record(log="...", stream="stderr", time="2026-01-15T10:00:00.1Z"),
    "stackdriver": record(insertId="x1", textPayload="...", severity="ERROR"),
    "message only": record(message="..."),
    "coloured": coloured,
    "crlf": lambda lines: [line + "\r" for line in lines],
}
WHOLE: dict[str, Form] = {
    "cloudwatch": one_record(
        lambda text: {"timestamp": 1736935200123, "message": text, "ingestionTime": 1736935200999}
    ),
    "nested payload": one_record(
        lambda text: {"insertId": "x", "jsonPayload": {"message": text, "level": "error"}}
    ),
    "structlog": one_record(
        lambda text: {"event": text, "level": "error", "timestamp": "2026-01-15T10:00:00Z"}
    ),
    "record in record": one_record(
        lambda text: {
            "log": json.dumps({"level": "error", "msg": text}) + "\n",
            "stream": "stderr",
            "time": "t",
        }
    ),
    "array of events": one_record(lambda text: [{"timestamp": 1, "message": text}]),
    "rsyslog": lambda lines: ["#012".join(lines)],
    "entities": lambda lines: [html.escape(line) for line in lines],
    "page": lambda lines: ["<pre>" + "<br>\n".join(html.escape(line) for line in lines) + "</pre>"],
    "fence": lambda lines: ["```python", *lines, "```"],
    "slack": lambda lines: ["```" + lines[0], *lines[1:-1], lines[-1] + "```"],
    "code block": before("    "),
    "mail": printable,
    "mail quote": before("> > "),
    "utf-16": lambda lines: ["\xff\xfe" + "\r\n".join(lines).encode("utf-16-le").decode("latin-1")],
    "byte order mark": lambda lines: ["\ufeff" + lines[0], *lines[1:]],
    "no-break": lambda lines: [line.replace(" ", "\xa0").replace("-", "\u2011") for line in lines],
    "zero width": lambda lines: [
        line.replace("o", "o\u200b\u2060").replace("L", "\u200eL") for line in lines
    ],
    "nul": lambda lines: ["\x00\x00" + line.replace("r", "r\x00") for line in lines],
    "full width": lambda lines: [line.replace("rank", "\uff52\uff41\uff4e\uff4b") for line in lines],
    "osc": lambda lines: ["\x1b]8;;file:///x\x1b\\" + line + "\x1b]8;;\x1b\\\x1b[K" for line in lines],
    "lost escape": lambda lines: ["[1;31m" + line + "[0m" for line in lines],
    "spelled escape": lambda lines: ["\\x1b[1;31m" + line + "\\u001b[0m" for line in lines],
    "backspaces": lambda lines: ["  0/9\b\b\b\b\b" + line for line in lines],
    "wrapped at 72": chop(72),
    "wrapped at 80": chop(80),
    "wrapped at 120": lambda lines: chop(120)(
        before("(EngineCore_DP0 pid=311) ERROR 11-19 12:54:26 [core.py:710] ")(lines)
    ),
    "padded": lambda lines: [piece.ljust(90) for piece in chop(90)(lines)],
    "carriage returns": lambda lines: ["\r".join(lines)],
    "progress bar": lambda lines: [
        "Map:  47%|####   | 3/6 [30:11<38:27, 1578.58 examples/s]" + lines[0],
        *lines[1:],
    ],
}
INSIDE: dict[str, Form] = {
    "repr": lambda lines: [f"failed: {text_of(lines)!r}"],
    "repr in a call": lambda lines: [f"RemoteError({text_of(lines)!r}, code=3)"],
    "list of strings": lambda lines: [f"failed with {[line + chr(10) for line in lines]!r}"],
    "json value": lambda lines: [f'      "callstack": {json.dumps("x" + chr(10) + text_of(lines))},'],
    "twice escaped": lambda lines: ['{"a": ' + json.dumps(json.dumps({"trace": text_of(lines)}))],
    "in an address": lambda lines: [
        "https://forms.example.com/r?lang=en&log=" + quote(text_of(lines)) + "&src=w"
    ],
    "in a form": lambda lines: ["lang=en&log=" + quote_plus(text_of(lines))],
    "sentence before": lambda lines: ["We get this error: " + lines[0], *lines[1:]],
    "chinese before": lambda lines: ["报错如下：" + lines[0], *lines[1:]],
}
