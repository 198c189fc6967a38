"""`python -m api` serves a build folder with settings from the environment alone, as in a container."""

import sys

from api.book import BrokenBuild
from api.server import serve
from api.settings import WrongSettings, read_settings


def main() -> int:
    """Serve until stopped. 2 when settings or build folder cannot be used; uvicorn exits 3 without a port."""
    try:
        serve(read_settings())
    except (WrongSettings, BrokenBuild) as error:
        print(f"api: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
