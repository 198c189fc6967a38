"""Forms in which a text lies inside another: an envelope, an encoding, a page, a mail, a prompt."""

from __future__ import annotations

import csv
import html
import io
import json
import quopri
import re
from random import Random
from urllib.parse import quote_plus

from bench.messy.blocks import blocks
from bench.messy.cuts import alone
from bench.messy.texts import Paste

END = "<br/>\n"


def json_lines(paste: Paste, rng: Random) -> str:
    """Structured logs: a traceback stands in one field of one record, other lines in one each."""
    lines, rows, at = paste.lines, [], 0
    starts = {block.start: block.stop for block in blocks(lines)}
    while at < len(lines):
        stop = starts.get(at, at + 1)
        record = {"ts": f"2025-11-02T07:{at // 60 % 60:02}:{at % 60:02}.{rng.randrange(1000):03}Z"}
        if at in starts:
            record |= {"level": "error", "logger": "app.main", "msg": "unhandled exception"}
            record["exc_info"] = "\n".join(lines[at:stop])
        else:
            record |= {"level": "info", "logger": "app.main", "msg": lines[at]}
        rows.append(json.dumps(record))
        at = stop
    return "\n".join(rows) + "\n"


def docker_json(paste: Paste, _: Random) -> str:
    """The json-file log driver of a container runtime: one record a line."""
    records = (
        {"log": f"{line}\n", "stream": "stderr", "time": f"2025-11-02T07:00:{at % 60:02}.{at:09}Z"}
        for at, line in enumerate(paste.lines)
    )
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)


def windows(paste: Paste, _: Random) -> str:
    """CRLF, backslashes in the paths of frames, a PowerShell prompt before and after."""

    def turned(found: re.Match[str]) -> str:
        return f'File "C:{found[1]}"'.replace("/", "\\")

    prompt = "(venv) PS D:\\runs> "
    lines = [re.sub(r'File "(/[^"]+)"', turned, line) for line in paste.lines]
    return "\r\n".join([f"{prompt}python .\\main.py", *lines, prompt])


def html_page(paste: Paste, _: Random) -> str:
    """A page's source: entities, `<br/>` at line ends."""
    body = "".join(f"{html.escape(line)}{END}" for line in paste.lines)
    return f'<pre class="log">{body.removesuffix(END)}</pre>\n'


def quoted_printable(paste: Paste, _: Random) -> str:
    """A mail as it is sent: soft line breaks, every equals sign as =3D."""
    body = f"Hello,\n\nlast night the job ended like this:\n\n{paste.text}\nAny idea? =E2=80=93 Thanks\n"
    coded = quopri.encodestring(body.encode()).decode("ascii")
    return (
        'Subject: job ended\nMIME-Version: 1.0\nContent-Type: text/plain; charset="utf-8"\n'
        f"Content-Transfer-Encoding: quoted-printable\n\n{coded}"
    )


def url_query(paste: Paste, _: Random) -> str:
    """The message as a parameter of an address."""
    alone(paste)
    said = "\n".join([paste.head, *paste.more])
    return f"https://support.example.com/new?product=training&text={quote_plus(said)}&from=form\n"


def chinese_prose(paste: Paste, rng: Random) -> str:
    """A question in Chinese that runs into the text and goes on below it."""
    welcome = rng.choice(["大家好，按教程跑的，结果报错了。显存够用。", "求助！昨天还正常，今天启动失败。"])
    before = f"{welcome}\n完整日志："
    return f"{before}{paste.text.rstrip()}\n已经重启过，也换过版本，问题依旧。请问该怎么办？\n"


def utf16_as_latin1(paste: Paste, _: Random) -> str:
    """A UTF-16 file with its mark, read byte by byte."""
    octets = b"\xff\xfe" + paste.text.replace("\n", "\r\n").encode("utf-16-le")
    return octets.decode("latin-1")


def python_repr(paste: Paste, _: Random) -> str:
    """The text as Python prints a string that holds it."""
    return f"stderr={paste.text!r}\n"


def csv_field(paste: Paste, rng: Random) -> str:
    """A field of an exported table, quotes doubled."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerows([["job", "state", "log"], [f"job-{rng.randrange(1000)}", "FAILED", paste.text]])
    return out.getvalue()


def yaml_block(paste: Paste, _: Random) -> str:
    """A block of a YAML document."""
    body = "".join(f"      {line}\n" for line in paste.lines)
    head = "kind: Report\nstatus:\n  phase: Failed\n  containers:\n  - name: main\n    log: |\n"
    return f"{head}{body}    restarts: 3\n"


def one_line(paste: Paste, _: Random) -> str:
    """A form field that made a space of every line end."""
    return " ".join(line.strip() for line in paste.lines) + "\n"


def fenced(paste: Paste, _: Random) -> str:
    """A report of a tracker: headings, a folded part, a fence."""
    return (
        "### What happened\n\nIt stops at start.\n\n<details><summary>Log</summary>\n\n"
        f"```shell\n{paste.text}```\n\n</details>\n\n### Before submitting\n\n- [x] I searched the issues\n"
    )


def mail_quote(paste: Paste, _: Random) -> str:
    """An answer that quotes the text, wrapped at 76 columns."""
    rows = []
    for line in paste.lines:
        cuts = [line[at : at + 74] for at in range(0, len(line), 74)] or [""]
        rows += [f"> {cut}" for cut in cuts]
    return "On Tuesday someone wrote:\n" + "\n".join(rows) + "\n\nDid you update lately?\n"
