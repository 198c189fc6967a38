"""`kb run`: the command runs as if nobody stood between, and a failure is named after its output."""

import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[bytes]]
Start = Callable[..., subprocess.Popen[bytes]]

FULL = "RuntimeError: toyengine: all 4 adapter slots are taken, 2 more wanted"
FAILS = f"echo serving; echo '{FULL}' >&2; exit 3"


def python(script: str) -> tuple[str, ...]:
    return (sys.executable, "-c", script)


@pytest.fixture
def start(good_build: Path) -> Iterator[Start]:
    """Start `kb run` on a command, away from the terminal of whoever runs the tests."""
    running: list[subprocess.Popen[bytes]] = []

    def begin(*command: str, **streams: object) -> subprocess.Popen[bytes]:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process: subprocess.Popen[bytes] = subprocess.Popen(  # type: ignore[call-overload]
            [sys.executable, "-W", "error", "-m", "kb", "run", "--", *command],
            env={**os.environ, "FAULTBOOK_BUILD_DIR": str(good_build)},
            start_new_session=True,
            bufsize=0,
            **{**pipes, **streams},
        )
        running.append(process)
        return process

    yield begin
    for process in running:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


class Terminal:
    """A terminal with 100 columns and 30 rows, and what it shows."""

    def __init__(self) -> None:
        self.ours, self.theirs = pty.openpty()
        termios.tcsetwinsize(self.ours, (30, 100))
        self.shown = b""

    def take_over(self) -> None:
        """In the new process: make this its controlling terminal, as a terminal emulator does."""
        fcntl.ioctl(self.theirs, termios.TIOCSCTTY, 0)

    def hand_over(self) -> None:
        os.close(self.theirs)

    def until(self, text: bytes = b"") -> bytes:
        """Read until the text is shown, or to the end."""
        while not (text and text in self.shown):
            try:
                data = os.read(self.ours, 65_536)
            except OSError:
                data = b""
            if not data:
                assert not text, f"{text!r} is not in {self.shown!r}"
                break
            self.shown += data
        return self.shown

    def type(self, keys: bytes) -> None:
        os.write(self.ours, keys)


@contextmanager
def on_terminal(
    start: Start, *command: str, **streams: object
) -> Iterator[tuple[Terminal, subprocess.Popen]]:
    terminal = Terminal()
    kinds = dict.fromkeys(("stdin", "stdout", "stderr"), terminal.theirs)
    process = start(*command, preexec_fn=terminal.take_over, **{**kinds, **streams})
    terminal.hand_over()
    yield terminal, process
    os.close(terminal.ours)


def test_output_passes_unchanged_and_apart_and_success_adds_nothing(kb: Run) -> None:
    odd = rb"\xff\x00 10%\r 20%\r\x1b[31mred\x1b[0m no line end"
    script = f"import sys; sys.stdout.buffer.write(b'{odd.decode()}'); sys.stderr.write('warned\\n')"
    done = kb("run", "--", *python(script))
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        b"\xff\x00 10%\r 20%\r\x1b[31mred\x1b[0m no line end",
        b"warned\n",
    )


def test_much_output_passes_whole(kb: Run) -> None:
    done = kb("run", "--", *python("for n in range(900_000): print(f'step {n:07}')"))
    assert done.stdout == b"".join(b"step %07d\n" % n for n in range(900_000))
    assert done.stderr == b""


def test_a_failure_behind_much_output_is_named(kb: Run) -> None:
    script = f"for n in range(900_000): print(f'step {{n:07}}')\nraise SystemExit({FULL!r})"
    said = kb("run", "--", *python(script)).stderr.decode()
    assert "lines, counted without the middle, which was left out:\nMatch, " in said


def test_a_failure_is_named_after_the_output(kb: Run) -> None:
    done = kb("run", "--", "sh", "-c", FAILS)
    assert (done.returncode, done.stdout) == (3, b"serving\n")
    said = done.stderr.decode()
    assert said.startswith(f"{FULL}\n\nkb: sh ended with status 3. From its 2 lines:\nMatch, ")
    assert "\ntoyengine serve --adapter-slots 8\n" in said


def test_a_failure_that_says_nothing_is_one_sentence(kb: Run) -> None:
    done = kb("run", "--", "sh", "-c", "echo all is well; exit 4")
    said = b"kb: sh ended with status 4; nothing that it printed says what failed\n"
    assert (done.returncode, done.stdout, done.stderr) == (4, b"all is well\n", said)


@pytest.mark.parametrize(
    ("end", "status", "how"),
    [
        ("exit 1", 1, "ended with status 1"),
        ("exit 255", 255, "ended with status 255"),
        ("kill -TERM $$", 143, "was ended by SIGTERM"),
        ("kill -KILL $$", 137, "was ended by SIGKILL"),
    ],
)
def test_the_exit_status_is_the_commands(kb: Run, end: str, status: int, how: str) -> None:
    done = kb("run", "--", "sh", "-c", end)
    assert done.returncode == status
    assert done.stderr.decode().startswith(f"kb: sh {how}; ")


def test_options_behind_the_command_are_the_commands(kb: Run) -> None:
    script = "import sys; print(sys.argv[1:])"
    arguments = ("--json", "x", "--version", "--", "-h")
    said = f"{list(arguments)}\n".encode()
    assert kb("run", "--", *python(script), *arguments).stdout == said
    assert kb("run", *python(script), *arguments).stdout == said


def test_standard_input_goes_to_the_command(kb: Run) -> None:
    assert kb("run", "--", "cat", stdin=b"\x00one\ntwo").stdout == b"\x00one\ntwo"


def test_output_comes_as_soon_as_it_is_printed(start: Start) -> None:
    process = start("sh", "-c", "printf asked; read answer; printf warned >&2; read answer; echo $answer")
    assert process.stdin
    assert process.stdout
    assert process.stderr
    assert process.stdout.read(5) == b"asked"  # before the answer that the command waits for
    process.stdin.write(b"first\n")
    assert process.stderr.read(6) == b"warned"
    process.stdin.write(b"second\n")
    assert process.communicate(timeout=60) == (b"second\n", b"")


def test_the_whole_answer_is_written_after_a_failure_only(kb: Run, tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    assert kb("run", "--json", str(path), "--", "echo", FULL).returncode == 0
    assert not path.exists()
    assert kb("run", "--json", str(path), "--", "sh", "-c", FAILS).returncode == 3
    assert json.loads(path.read_text("utf-8"))["best"]["entry"] == "engine-slots-full"


def test_a_file_that_cannot_be_written_is_said_before_the_command_runs(kb: Run, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    done = kb("run", "--json", str(tmp_path / "none" / "answer.json"), "--", "touch", str(begun))
    assert done.returncode == 2
    assert b"kb: cannot write " in done.stderr
    assert not begun.exists()


@pytest.mark.parametrize(
    ("command", "status", "why"),
    [
        ("no-such-command", 127, "no such command or file"),
        ("{folder}/plain.txt", 126, "permission denied"),
        ("{folder}", 126, "permission denied"),
    ],
)
def test_a_command_that_cannot_be_started_is_a_sentence(
    kb: Run, tmp_path: Path, command: str, status: int, why: str
) -> None:
    (tmp_path / "plain.txt").write_text("no program\n", encoding="utf-8")
    name = command.format(folder=tmp_path)
    done = kb("run", "--", name)
    assert (done.returncode, done.stderr.decode()) == (status, f"kb: cannot start {name}: {why}\n")


def test_no_command_is_a_usage_error(kb: Run) -> None:
    for arguments in ((), ("--",)):
        done = kb("run", *arguments)
        assert done.returncode == 2
        assert done.stderr.startswith(b"usage: kb run ")


def test_the_status_stays_when_there_is_no_diagnosis(kb: Run, tmp_path: Path) -> None:
    broken, folder = tmp_path / "index.json", tmp_path / "answers"
    broken.write_text("{", encoding="utf-8")
    done = kb("run", "--index", str(broken), "--", "sh", "-c", FAILS)
    assert done.returncode == 3
    assert b"kb: sh ended with status 3; no diagnosis: " in done.stderr
    folder.mkdir()
    gone = f"rmdir {folder}; exit 6"
    done = kb("run", "--json", str(folder / "answer.json"), "--", "sh", "-c", gone)
    assert done.returncode == 6
    assert b"kb: sh ended with status 6; no diagnosis: " in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1])
def test_a_signal_sent_to_us_reaches_the_command(start: Start, number: signal.Signals) -> None:
    script = (
        "import signal, sys, time\n"
        f"signal.signal({int(number)}, lambda *_: sys.exit(9))\n"
        "print('ready', flush=True)\n"
        "while True: time.sleep(0.05)"
    )
    process = start(*python(script))
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(number)
    assert process.wait(timeout=60) == 9


def test_an_ignored_interrupt_stays_ignored(start: Start) -> None:
    """As a shell starts a command in the background, or `nohup` one that outlives the terminal."""
    process = start("sh", "-c", "kill -INT $$; exit 4", preexec_fn=lambda: signal.signal(2, signal.SIG_IGN))
    assert process.wait(timeout=60) == 4


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_closed_streams_change_neither_status_nor_output(good_build: Path, closed: str) -> None:
    ours = f"{sys.executable} -m kb run -- sh -c 'echo out; echo err >&2; exit 4'"
    done = subprocess.run(
        ["sh", "-c", f"{ours} {closed}"],
        capture_output=True,
        env={**os.environ, "FAULTBOOK_BUILD_DIR": str(good_build)},
        timeout=60,
        check=False,
    )
    assert done.returncode == 4
    assert done.stdout == (b"" if "1" in closed else b"out\n")
    assert done.stderr.startswith(b"" if "2>" in closed else b"err\n")


def test_what_the_command_leaves_running_does_not_hold_us(start: Start) -> None:
    process = start("sh", "-c", "sleep 300 & echo $!; exit 5")
    said, _ = process.communicate(timeout=120)
    os.kill(int(said), signal.SIGKILL)
    assert process.returncode == 5


def test_a_reader_that_has_gone_ends_the_command_quietly(start: Start) -> None:
    process = start("yes")
    assert process.stdout
    process.stdout.read(2)
    process.stdout.close()
    assert process.stderr
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 128 + signal.SIGPIPE


def test_a_terminal_stays_a_terminal_of_its_size(start: Start) -> None:
    script = "import os; print([os.isatty(n) for n in (0, 1, 2)], os.get_terminal_size(1))"
    with on_terminal(start, *python(script)) as (terminal, process):
        size = b"os.terminal_size(columns=100, lines=30)"
        assert terminal.until() == b"[True, True, True] " + size + b"\r\n"
        assert process.wait(timeout=60) == 0


def test_only_what_goes_to_a_terminal_is_one(start: Start, tmp_path: Path) -> None:
    script = "import os; os.write(2, str([os.isatty(n) for n in (1, 2)]).encode())"
    path = tmp_path / "out.txt"
    with path.open("wb") as out, on_terminal(start, *python(script), stdout=out) as (terminal, _):
        assert terminal.until() == b"[False, True]"


def test_a_failure_at_a_terminal_is_named_in_colour(start: Start) -> None:
    with on_terminal(start, "sh", "-c", FAILS) as (terminal, process):
        shown = terminal.until()
        assert shown.startswith(f"serving\r\n{FULL}\r\n\r\nkb: sh ended with status 3.".encode())
        assert b"\x1b[" in shown
        assert process.wait(timeout=60) == 3


def test_control_c_reaches_the_command_once(start: Start) -> None:
    script = (
        "import signal, sys, time\n"
        "seen = []\n"
        "signal.signal(signal.SIGINT, lambda *_: seen.append(1))\n"
        "print('ready', flush=True)\n"
        "while not seen: time.sleep(0.05)\n"
        "time.sleep(0.5)\n"
        "print('interrupts:', len(seen), flush=True)\n"
        "sys.exit(7)"
    )
    with on_terminal(start, *python(script)) as (terminal, process):
        terminal.until(b"ready")
        terminal.type(b"\x03")
        assert b"interrupts: 1\r\n" in terminal.until()
        assert process.wait(timeout=60) == 7


def test_a_new_size_of_the_terminal_is_passed_on(start: Start) -> None:
    script = (
        "import os, signal, time\n"
        "seen = []\n"
        "def tell(*_):\n"
        "    size = os.get_terminal_size(1)\n"
        "    os.write(1, f'[{size.columns} x {size.lines}]'.encode())\n"
        "    seen.append(size.columns)\n"
        "signal.signal(signal.SIGWINCH, tell)\n"
        "tell()\n"
        "while 132 not in seen: time.sleep(0.05)"
    )
    with on_terminal(start, *python(script)) as (terminal, process):
        terminal.until(b"[100 x 30]")
        termios.tcsetwinsize(terminal.ours, (43, 132))
        terminal.until(b"[132 x 43]")
        assert process.wait(timeout=60) == 0


def test_a_command_that_ends_well_never_loads_the_matcher(good_build: Path) -> None:
    probe = (
        "import sys; from kb.cli import main; main(['run', '--', {command!r}]); "
        "print(sorted({{'kb.diagnose', 'kb.render'}} & set(sys.modules)))"
    )

    def loaded(command: str) -> bytes:
        return subprocess.run(
            [sys.executable, "-c", probe.format(command=command)],
            capture_output=True,
            env={**os.environ, "FAULTBOOK_BUILD_DIR": str(good_build)},
            check=True,
        ).stdout

    assert loaded("true") == b"[]\n"
    assert loaded("false") == b"['kb.diagnose', 'kb.render']\n"
