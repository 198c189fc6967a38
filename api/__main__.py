"""`python -m api` serves a build folder with settings from the environment alone, as in a container."""

import sys

from api.app import create_app
from api.book import BrokenBuild
from api.server import server
from api.settings import WrongSettings, read_settings


def main() -> int:
    """Serve until stopped. 2 when settings or build folder cannot be used; uvicorn exits 3 without a port."""
    try:
        settings = read_settings()
        app = create_app(settings)
    except (WrongSettings, BrokenBuild) as error:
        print(f"api: {error}", file=sys.stderr)
        return 2
    server(app, settings).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
