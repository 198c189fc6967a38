"""Run a command as if nobody stood between it and the terminal, and keep what it prints.

The command shares our standard input, process group and controlling terminal, so that the keyboard reaches it
as ever: Ctrl-C and Ctrl-Z come from the terminal itself. Only its output takes the way through here: over a
pseudo-terminal where ours goes to a terminal, over a pipe where it does not.
"""

from __future__ import annotations

import errno
import os
import pty
import select
import selectors
import signal
import subprocess
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

from kb.cli.kept import Kept
from kb.cli.stop import StopError

CHUNK = 65_536
QUIET = 1.0  # seconds of silence after which nobody waits for what an ended command has left running
PATIENCE = 10.0  # seconds after the end in which left-over processes may still print
NOT_FOUND = 127
NOT_STARTED = 126  # both as a shell gives them
KEYBOARD = (signal.SIGINT, signal.SIGQUIT)
FORWARDED = (*KEYBOARD, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)


@dataclass(frozen=True)
class Channel:
    """One way of the command's output: it writes into `end`, we read `source` and write to `target`."""

    source: int
    end: int
    target: int
    terminal: bool


def pass_through(command: Sequence[str], kept: Kept) -> int:
    """Run the command to its end. Its status, or the negative number of the signal that ended it.

    Stops with a sentence when it cannot be started.
    """
    out, error = _channels()
    channels = (out,) if out is error else (out, error)
    relay = _Relay(channels)
    with _handled(relay) as wake:
        try:
            process = subprocess.Popen(command, stdout=out.end, stderr=error.end)
        except OSError as problem:
            raise _cannot_start(command[0], problem) from problem
        finally:
            for channel in channels:
                os.close(channel.end)
        relay.start(process)
        _pump(process, channels, wake, kept)
        return process.wait()


def _cannot_start(name: str, problem: OSError) -> StopError:
    if isinstance(problem, FileNotFoundError):
        return StopError(f"cannot start {name}: no such command or file", NOT_FOUND)
    return StopError(f"cannot start {name}: {(problem.strerror or str(problem)).lower()}", NOT_STARTED)


def _channels() -> tuple[Channel, Channel]:
    """The ways of standard output and error: one for both where they go to the same terminal."""
    out = _channel(1)
    if out.terminal and os.isatty(2) and os.fstat(1).st_rdev == os.fstat(2).st_rdev:
        return out, out
    return out, _channel(2)


def _channel(target: int) -> Channel:
    if not os.isatty(target):
        source, end = os.pipe()
        return Channel(source, end, target, terminal=False)
    source, end = pty.openpty()
    # The real terminal turns line ends into what it needs; doing that twice would change the output.
    modes = termios.tcgetattr(target)
    modes[1] &= ~termios.OPOST
    termios.tcsetattr(end, termios.TCSANOW, modes)
    termios.tcsetwinsize(end, termios.tcgetwinsize(target))
    return Channel(source, end, target, terminal=True)


class _Relay:
    """Hands signals on to the command; those that come before it has started wait for it."""

    def __init__(self, channels: Sequence[Channel]) -> None:
        self._channels = channels
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: list[int] = []

    def start(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        for number in self._waiting:
            process.send_signal(number)

    def forward(self, number: int, _frame: FrameType | None) -> None:
        """Hand a signal on, unless the terminal gave it to the command too: a second one means "at once"."""
        if number in KEYBOARD and _in_foreground():
            return
        if self._process is None:
            self._waiting.append(number)
        else:
            self._process.send_signal(number)

    def resize(self, number: int, _frame: FrameType | None) -> None:
        """Give the pseudo-terminals the new size first; only then is it of use to tell the command."""
        terminals = [channel for channel in self._channels if channel.terminal]
        for channel in terminals:
            with suppress(OSError, termios.error):
                termios.tcsetwinsize(channel.source, termios.tcgetwinsize(channel.target))
        if terminals and self._process is not None:
            self._process.send_signal(number)


def _in_foreground() -> bool:
    """Whether the keyboard of a terminal speaks to our process group, in which the command is too."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


@contextmanager
def _handled(relay: _Relay) -> Iterator[int]:
    """While the block runs, signals go to the relay. Yields what becomes readable when one has come.

    A signal that was ignored (`nohup`) stays ignored, for the command too.
    """
    wake, waker = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(waker, False)
    before = {each: signal.getsignal(each) for each in (*FORWARDED, signal.SIGWINCH, signal.SIGCHLD)}
    for each in FORWARDED:
        if before[each] is not signal.SIG_IGN:
            signal.signal(each, relay.forward)
    signal.signal(signal.SIGWINCH, relay.resize)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)  # only to wake the loop
    wakes_before = signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    try:
        yield wake
    finally:
        signal.set_wakeup_fd(wakes_before)
        for each, handler in before.items():
            signal.signal(each, signal.SIG_DFL if handler is None else handler)
        os.close(wake)
        os.close(waker)


def _pump(process: subprocess.Popen[bytes], channels: Sequence[Channel], wake: int, kept: Kept) -> None:
    """Hand the output on as it comes, until it ends or the command has ended and all is quiet."""
    open_channels = {channel.source: channel for channel in channels}
    give_up = None
    with selectors.DefaultSelector() as selector:
        for source in (wake, *open_channels):
            selector.register(source, selectors.EVENT_READ)
        while open_channels:
            if give_up is None and process.poll() is not None:
                give_up = time.monotonic() + PATIENCE
            ready = [key.fd for key, _ in selector.select(None if give_up is None else QUIET)]
            if give_up is not None and (not ready or time.monotonic() > give_up):
                break
            for source in ready:
                if source == wake:
                    with suppress(BlockingIOError):
                        os.read(wake, CHUNK)
                elif not _hand_on(open_channels[source], kept):
                    selector.unregister(source)
                    os.close(source)  # the command must notice when its reader has gone
                    del open_channels[source]
    for source in open_channels:
        os.close(source)
    kept.finish()


def _hand_on(channel: Channel, kept: Kept) -> bool:
    """Read once and write that on; False at the end of the output, or when nobody reads it any more."""
    try:
        data = os.read(channel.source, CHUNK)
    except OSError as error:
        if error.errno != errno.EIO:  # how a pseudo-terminal says that all have closed it
            raise
        return False
    kept.add(channel.source, data)
    return bool(data) and _write(channel.target, data)


def _write(target: int, data: bytes) -> bool:
    """Write all of it; False when the reader has gone. A full disk loses the output but ends nothing."""
    left = memoryview(data)
    while left:
        try:
            left = left[os.write(target, left) :]
        except BlockingIOError:
            select.select([], [target], [])
        except OSError as error:
            return error.errno not in (errno.EPIPE, errno.EBADF)
    return True
