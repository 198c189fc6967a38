"""`python -m api` serves a build folder with settings from the environment alone, as in a container."""

import sys

from api.app import create_app
from api.book import BrokenBuild
from api.server import server
from api.settings import Settings


def main() -> int:
    """Serve until stopped. 2 when the build folder cannot be served, 1 when the port cannot be had."""
    settings = Settings()
    try:
        app = create_app(settings)
    except BrokenBuild as error:
        print(f"api: {error}", file=sys.stderr)
        return 2
    running = server(app, settings)
    running.run()
    return 0 if running.started else 1


if __name__ == "__main__":
    sys.exit(main())
