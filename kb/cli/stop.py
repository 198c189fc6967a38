"""How a command ends early because of something the person can mend."""

from __future__ import annotations

USAGE = 2
"""Exit status of a usage or input error, as argparse uses it."""


class StopError(Exception):
    """One sentence for the person: what is wrong and what to do."""

    def __init__(self, message: str, status: int = USAGE) -> None:
        super().__init__(message)
        self.status = status
