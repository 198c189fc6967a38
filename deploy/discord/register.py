"""Tell Discord which commands Faultbook has, once for each application. Needs Python and nothing else.

    DISCORD_BOT_TOKEN=... python3 deploy/discord/register.py --endpoint https://HOST/api/bots/discord

The server must run with FAULTBOOK_DISCORD_PUBLIC_KEY before its endpoint is set: Discord tries it at once,
with a right and with a wrong signature. Without --endpoint only the commands are registered.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

API = "https://discord.com/api/v10"
AGENT = "DiscordBot (Faultbook, 1)"  # Discord declines clients that do not name themselves so
SLASH, ON_MESSAGE = 1, 3
TEXT, ATTACHMENT = 3, 11
COMMANDS: list[dict[str, Any]] = [
    {
        "name": "diagnose",
        "type": SLASH,
        "description": "Name the failure in a traceback or log",
        "options": [
            {"name": "log", "type": ATTACHMENT, "description": "the log as a file"},
            {"name": "text", "type": TEXT, "description": "one line; for more give neither, a form opens"},
        ],
    },
    {"name": "Diagnose", "type": ON_MESSAGE},
]


def main() -> int:
    """Register the commands, and set the endpoint where one is given."""
    parser = argparse.ArgumentParser(description="Tell Discord which commands Faultbook has.")
    parser.add_argument("--endpoint", metavar="URL", help="where the server answers Discord")
    parser.add_argument("--guild", metavar="ID", help="only in this server of Discord; seen there at once")
    parser.add_argument("--api", default=API, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    token = os.environ.get("DISCORD_BOT_TOKEN")
    if not token:
        parser.error("set DISCORD_BOT_TOKEN, the token of the application's bot")
    try:
        application = call("GET", f"{arguments.api}/applications/@me", token)
        scope = f"/guilds/{arguments.guild}" if arguments.guild else ""
        call("PUT", f"{arguments.api}/applications/{application['id']}{scope}/commands", token, COMMANDS)
        print(f"registered: {', '.join(command['name'] for command in COMMANDS)}")
        if arguments.endpoint:
            call(
                "PATCH",
                f"{arguments.api}/applications/@me",
                token,
                {"interactions_endpoint_url": arguments.endpoint},
            )
            print(f"endpoint: {arguments.endpoint}")
        print(f"FAULTBOOK_DISCORD_PUBLIC_KEY={application['verify_key']}")
    except HTTPError as error:
        detail = error.read(2000).decode("utf-8", "replace")
        print(f"Discord answered {error.code}: {detail}", file=sys.stderr)
        return 1
    except URLError as error:
        print(f"Discord cannot be reached: {error.reason}", file=sys.stderr)
        return 1
    return 0


def call(method: str, url: str, token: str, value: Any = None) -> Any:
    """Ask Discord's API; the JSON that it answers."""
    headers = {"Authorization": f"Bot {token}", "Content-Type": "application/json", "User-Agent": AGENT}
    body = None if value is None else json.dumps(value).encode()
    with urlopen(Request(url, body, headers, method=method), timeout=30) as response:  # noqa: S310 - Discord's
        return json.loads(response.read())


if __name__ == "__main__":
    sys.exit(main())
