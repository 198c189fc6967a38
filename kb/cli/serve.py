"""`kb serve`: site and API on one port, built first, and again when an entry changes.

Building runs in a process of its own: the site generator needs far more memory than the server, and a server
that answers must not share its interpreter with a build.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

from api.book import BrokenBuild
from api.server import serve
from api.settings import WrongSettings, read_settings, shown
from kb.cli.inputs import inputs, pages, site_is_current
from kb.cli.places import build_folder, entries_folder
from kb.cli.stop import StopError

LOOK_EVERY = 1.0  # seconds between two looks at the entries
RELOAD_EVERY = 0.5  # seconds between the server's looks at what is built of them


def run(arguments: argparse.Namespace) -> int:
    """Build where something changed since the last build, then serve until stopped."""
    out = build_folder()
    given = {"host": arguments.host, "port": arguments.port}
    if not arguments.no_watch:
        given["reload_seconds"] = RELOAD_EVERY
    try:
        settings = read_settings(
            build_dir=out, **{name: value for name, value in given.items() if value is not None}
        )
    except WrongSettings as error:
        raise StopError(str(error)) from error
    if arguments.show_settings:
        print("\n".join(shown(settings)))
        return 0
    ensure_free(settings.host, settings.port)
    ensure_built(out)
    print(f"Faultbook: http://{_shown(settings.host)}:{settings.port}/  (Ctrl-C stops it)", flush=True)
    stop = threading.Event()
    if not arguments.no_watch:
        threading.Thread(target=watch, args=(out, stop), daemon=True).start()
    try:
        serve(settings)
    except BrokenBuild as error:
        raise StopError(str(error)) from error
    finally:
        stop.set()
    return 0


def ensure_free(host: str, port: int) -> None:
    """Stop with a sentence where the port is taken, before a build makes the person wait for that answer."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        reason = (os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)).lower()
        raise StopError(f"cannot listen on {host} port {port}: {reason}; choose another --port") from error


def ensure_built(out: Path) -> None:
    """Build, unless nothing changed since the last build. Stops when there is nothing to serve."""
    if not entries_folder().is_dir():
        return  # an installation without entries serves what was built elsewhere
    if site_is_current(out, inputs(entries_folder())):
        return
    print("Building index and site ...", file=sys.stderr, flush=True)
    if build(out):
        return
    if not (out / "site" / "index.html").is_file():
        raise StopError("the build failed (above), and there is no earlier one to serve", status=1)
    print("kb: the build failed (above); the pages of the build before are served", file=sys.stderr)


def build(out: Path) -> bool:
    """Run `kb build` in a process of its own; whether there is a site of what stands in the checkout now.

    Its exit status does not say so: entries that were left out and a bug give the same.
    """
    now = inputs(entries_folder())
    command = [sys.executable, "-m", "kb", "build", "--out", str(out)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return site_is_current(out, now)


def watch(out: Path, stop: threading.Event) -> None:
    """Build again whenever the entries or the pages change. The server notices what was built by itself."""
    seen = pages(entries_folder())
    while not stop.wait(LOOK_EVERY):
        now = pages(entries_folder())
        if now == seen:
            continue
        seen = now
        print("Entries or pages changed; building again ...", file=sys.stderr, flush=True)
        if not build(out):
            print("The build failed (above); the pages of the build before are served.", file=sys.stderr)


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
