"""`kb mcp`: answer an assistant on this machine over standard input and output.

The Model Context Protocol with the official SDK; the tools are those of the server at /mcp.
"""

from __future__ import annotations

import argparse
import asyncio

from api.assistants.protocol import serve_stdio
from api.book import BrokenBuild
from api.service import Service
from api.settings import WrongSettings, read_settings
from kb.cli.places import build_folder
from kb.cli.ready import ensure_compiled
from kb.cli.search import ensure_searchable
from kb.cli.stop import StopError
from kb.search import BrokenSearch


def run(_: argparse.Namespace) -> int:
    """Answer until the assistant closes our input."""
    out = build_folder()
    ensure_compiled(out)
    try:
        ensure_searchable(out)
        service = Service(read_settings(build_dir=out))
    except (WrongSettings, BrokenBuild, BrokenSearch) as error:
        raise StopError(str(error)) from error
    asyncio.run(serve_stdio(service))
    return 0
